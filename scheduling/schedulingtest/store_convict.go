package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var convictCases = []Case{
	{Name: "ConvictByItsOwnTimeout", Rules: []string{"D26", "R080", "D04"},
		Explanation: "a row is convicted only when its heartbeat is older than the row's own timeout, by the store's clock",
		Run:         convictByItsOwnTimeout},
	{Name: "ConvictOnlyWhatWasJudged", Rules: []string{"D04", "D26"},
		Explanation: "a row whose heartbeat or incarnation is not the one judged stays",
		Run:         convictOnlyWhatWasJudged},
	{Name: "ConvictAfterClockStep", Rules: []string{"D26"},
		Explanation: "with the clock stepped back nobody is convicted",
		Run:         convictAfterClockStep},
	{Name: "ConvictOnce", Rules: []string{"D04", "R049"},
		Explanation: "of two convictions of one row one reports it",
		Run:         convictOnce},
}

func (e *Env) row(id string) provider.NodeRecord {
	e.Helper()
	list, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	for _, n := range list.Nodes {
		if n.ID == id {
			return n
		}
	}
	e.Fatalf("node %s has no row", id)
	return provider.NodeRecord{}
}

func (e *Env) convicts(judged provider.NodeRecord, want bool, what string) {
	e.Helper()
	got, err := e.other().Convict(e.ctx, judged)
	e.must(err, "Convict")
	if got != want {
		e.Errorf("%s: Convict answers %v, want %v", what, got, want)
	}
}

func convictByItsOwnTimeout(e *Env) {
	quick := node("quick")
	quick.Timeout = 3 * time.Second
	for _, n := range []provider.NodeRecord{quick, node("slow")} {
		_, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: n})
		e.must(err, "Register")
	}
	lie := func(id string, timeout time.Duration) provider.NodeRecord {
		n := e.row(id)
		n.Timeout = timeout // the row's own counts, not the judge's copy
		return n
	}
	e.advance(3 * time.Second)
	e.convicts(e.row("quick"), false, "a heartbeat of exactly the timeout ago")
	e.advance(time.Microsecond)
	e.convicts(lie("slow", time.Second), false, "a heartbeat of a thirtieth of its timeout ago")
	e.convicts(lie("quick", time.Hour), true, "a heartbeat of a microsecond more than the timeout ago")
	e.set(Start.Add(90 * time.Second))
	e.convicts(e.row("slow"), false, "a heartbeat of exactly the timeout ago")
	e.advance(time.Microsecond)
	e.convicts(e.row("slow"), true, "a heartbeat of a microsecond more than the timeout ago")
}

func convictOnlyWhatWasJudged(e *Env) {
	n := e.node("n")
	judged := e.row("n")
	e.advance(time.Second)
	_, err := e.Store.Heartbeat(e.ctx, n)
	e.must(err, "Heartbeat")
	e.advance(time.Hour)
	e.unchanged("convicting what was not judged", func() {
		e.convicts(judged, false, "a row whose heartbeat has moved")
		other := e.row("n")
		other.Incarnation--
		e.convicts(other, false, "a row of another incarnation")
		other = e.row("n")
		other.ID = "none"
		e.convicts(other, false, "a row that is not there")
	})
	e.convicts(e.row("n"), true, "the row as it is")
}

func convictAfterClockStep(e *Env) {
	e.node("n")
	e.advance(-24 * time.Hour)
	e.convicts(e.row("n"), false, "a heartbeat of tomorrow")
}

func convictOnce(e *Env) {
	e.node("n")
	e.advance(time.Hour)
	judged := e.row("n")
	e.convicts(judged, true, "the first")
	e.convicts(judged, false, "the second")
}
