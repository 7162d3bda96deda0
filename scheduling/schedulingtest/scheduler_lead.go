package schedulingtest

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// leader names the nodes that believe that they lead.
func (w *World) leader() string {
	var leaders []string
	for _, n := range w.engines {
		if n.IsLeader() {
			leaders = append(leaders, n.NodeID())
		}
	}
	return strings.Join(leaders, " ")
}

// sleepUnderOne lets time pass in half seconds, in each of which at most one
// node may lead.
func (w *World) sleepUnderOne(d time.Duration) {
	w.Helper()
	for end := now().Add(d); now().Before(end); w.sleep(500 * time.Millisecond) {
		if who := w.leader(); strings.Contains(who, " ") {
			w.Fatalf("%s after the beginning %s lead", w.offset(now()), who)
		}
	}
}

var leaderCases = []Case{
	alone("OneLeads", "R254 R261", "a node that is alone leads, and says so", func(w *World) {
		w.engine("a").run()
		w.sleep(time.Second)
		w.same("leader", w.leader(), "a")
		w.engines[0].stop()
		w.same("after the stop", w.leader(), "")
	}),
	together("LeadsOn", "R254 R069", "the leader renews its lease; the others wait", func(w *World) {
		w.engine("a").run()
		w.engine("b").run()
		w.sleepUnderOne(20 * time.Second)
		w.same("leader", w.leader(), "a")
	}),
	together("LeadershipMovesAtStop", "R251 R254 D29", "a leader that stops gives the lease away at once", func(w *World) {
		a := w.engine("a").run()
		w.engine("b").run()
		w.sleep(3 * time.Second)
		a.stop()
		w.sleepUnderOne(2500 * time.Millisecond)
		w.same("leader", w.leader(), "b")
	}),
	together("LeadershipEndsByItsOwnClock", "R254 B146 B147", "a leader that is cut off leads no longer than its lease, and never beside another", func(w *World) {
		a := w.engine("a").run()
		w.engine("b").run()
		w.sleep(3 * time.Second)
		a.link.setCut(true)
		w.sleepUnderOne(10 * time.Second)
		w.same("leader", w.leader(), "b")
		a.link.setCut(false)
		w.sleepUnderOne(5 * time.Second)
		w.same("the old one takes nothing back", w.leader(), "b")
	}),
	together("LeadershipComesBack", "R254 B149", "leadership that moves there and back has no start-up that fails", func(w *World) {
		a := w.engine("a").code(nil, does("x", "every 00:00:05")).run()
		b := w.engine("b").code(nil, does("x", "every 00:00:05")).run()
		w.sleep(3 * time.Second)
		for _, n := range []*engine{a, b} {
			n.link.setCut(true)
			w.sleepUnderOne(12 * time.Second)
			n.link.setCut(false)
			w.sleepUnderOne(5 * time.Second)
		}
		w.same("leader", w.leader(), "a")
		runs := w.runs("x")
		if last := runs[len(runs)-1]; now().Sub(last.StartedAt) > 6*time.Second {
			w.Errorf("the schedule stands still since %s", w.offset(last.StartedAt))
		}
	}),
	alone("StartPaused", "D41 R254", "a scheduler that starts paused claims and leads nothing until it is told to", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.StartPaused = true }).code(nil, does("x", "cron */5 * * * * *")).run()
		w.sleepTo(12 * time.Second)
		w.same("leader", w.leader(), "")
		w.same("occurrences", w.due("x"), "")
		n.Unpause()
		w.sleepTo(16 * time.Second)
		w.same("leader", w.leader(), "a")
		w.same("occurrences", w.due("x"), "5s 10s 15s")
	}),
	alone("HistoryIsPurged", "R255 R286 B150 B151", "the leader deletes ended runs that are older than the retention, of paused jobs too", func(w *World) {
		n := w.engine("a", func(o *scheduling.Options) { o.HistoryRetention = 10 * time.Second }).
			code(nil, does("x", "every 00:00:05 x2")).code(takes(time.Minute), does("long", "once 2000-01-01T00:00:01Z")).run()
		w.sleepTo(12 * time.Second)
		w.same("before", w.due("x"), "5s 10s")
		w.must(n.Pause(w.ctx, "x"), "Pause")
		w.sleepTo(35 * time.Second)
		w.same("after", w.due("x"), "")
		w.same("what runs is kept", w.story("long"), "Schedule/Running/1")
		w.sleepTo(62 * time.Second)
	}),
}
