package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var nodeCases = []Case{
	{Name: "RegisterNew", Rules: []string{"D06", "R079"},
		Explanation: "a new node's row holds its settings and identity, an incarnation of at least the store's microseconds, and now",
		Run:         registerNew},
	{Name: "RegisterFindsAnother", Rules: []string{"D06"},
		Explanation: "where a row of the id is, nothing is written and the answer holds that row",
		Run:         registerFindsAnother},
	{Name: "RegisterReplaces", Rules: []string{"D06"},
		Explanation: "a row is replaced only if it still has the incarnation and heartbeat that were judged",
		Run:         registerReplaces},
	{Name: "RegisterAfterClockStep", Rules: []string{"D06", "D26"},
		Explanation: "the new incarnation is greater than the one found even where the clock has stepped back",
		Run:         registerAfterClockStep},
	{Name: "HeartbeatRenews", Rules: []string{"D26", "R080"},
		Explanation: "a heartbeat sets the row's instant and answers the whole table by id",
		Run:         heartbeatRenews},
	{Name: "HeartbeatOfConvicted", Rules: []string{"D06", "B137"},
		Explanation: "a heartbeat whose row is gone, or another incarnation's, is not alive and writes nothing",
		Run:         heartbeatOfConvicted},
	{Name: "Deregister", Rules: []string{"D29"},
		Explanation: "deregistering deletes the row of this incarnation alone, says whether it was there, and may be repeated",
		Run:         deregister},
	{Name: "NodeIDsAreBytes", Rules: []string{"D06", "D32"},
		Explanation: "node ids that differ in case are two nodes; any printable id works; the table is in bytewise order",
		Run:         nodeIDsAreBytes},
}

func registerNew(e *Env) {
	want := node("machine:4711:ab12cd34")
	want.Timeout, want.HeartbeatInterval = 3*time.Second, 500*time.Millisecond
	want.Process = provider.ProcessIdentity{Host: "machine", Boot: "b00t", Namespace: "4026531836", PID: 4711}
	sent := want
	sent.Incarnation, sent.HeartbeatAt, sent.StartedAt, sent.Version = 5, Start.Add(-time.Hour), Start.Add(-time.Hour), 9
	a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: sent})
	e.must(err, "Register")
	if !a.Registered || a.Node.Incarnation < e.now.UnixMicro() {
		e.Errorf("the answer is %+v, want registered with an incarnation of at least %d", a, e.now.UnixMicro())
	}
	equal(e, a.Now, e.now, "the answer's now")
	list, err := e.other().ListNodes(e.ctx)
	e.must(err, "ListNodes")
	want.Incarnation, want.Version, want.HeartbeatAt, want.StartedAt = a.Node.Incarnation, a.Node.Version, e.now, e.now
	equal(e, a.Node, want, "the answer's row")
	equal(e, list.Nodes, []provider.NodeRecord{want}, "the table")
	bare, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("bare")})
	e.must(err, "Register")
	equal(e, bare.Node.Process, provider.ProcessIdentity{}, "an unknown identity")
}

func registerFindsAnother(e *Env) {
	first, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
	e.must(err, "Register")
	e.advance(24 * time.Hour)
	e.unchanged("registering an id that is taken", func() {
		again := node("n")
		again.Timeout = time.Second
		a, err := e.other().Register(e.ctx, provider.RegisterRequest{Node: again})
		e.must(err, "Register")
		equal(e, a, provider.RegisterAnswer{Now: e.now, Node: first.Node}, "the answer")
	})
}

func registerReplaces(e *Env) {
	first, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
	e.must(err, "Register")
	e.advance(time.Second)
	_, err = e.Store.Heartbeat(e.ctx, first.Node.NodeRef)
	e.must(err, "Heartbeat")
	moved, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	e.advance(time.Hour)
	other := moved.Nodes[0]
	other.Incarnation--
	e.unchanged("replacing a row that is not the one judged", func() {
		for _, judged := range []provider.NodeRecord{first.Node, other} {
			a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n"), Replace: &judged})
			e.must(err, "Register")
			equal(e, a, provider.RegisterAnswer{Now: e.now, Node: moved.Nodes[0]}, "the answer")
		}
	})
	replacement := node("n")
	replacement.Timeout = 5 * time.Second
	a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: replacement, Replace: &moved.Nodes[0]})
	e.must(err, "Register")
	if !a.Registered || a.Node.Incarnation <= first.Node.Incarnation || a.Node.Timeout != 5*time.Second || !a.Node.HeartbeatAt.Equal(e.now) || !a.Node.StartedAt.Equal(e.now) {
		e.Errorf("the answer is %+v, want registered with a greater incarnation than %d, from now on", a, first.Node.Incarnation)
	}
	if alive, err := e.Store.Heartbeat(e.ctx, first.Node.NodeRef); err != nil || alive.Alive {
		e.Errorf("the predecessor's heartbeat answers %v, %v; want not alive", alive.Alive, err)
	}
	if _, err := e.Store.Deregister(e.ctx, a.Node.NodeRef); err != nil {
		e.Errorf("Deregister: %v", err)
	}
	absent, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n"), Replace: &a.Node})
	e.must(err, "Register")
	if !absent.Registered {
		e.Errorf("with the row to replace gone the answer is %+v, want registered", absent)
	}
}

func registerAfterClockStep(e *Env) {
	first, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n")})
	e.must(err, "Register")
	e.advance(-time.Hour)
	a, err := e.Store.Register(e.ctx, provider.RegisterRequest{Node: node("n"), Replace: &first.Node})
	e.must(err, "Register")
	if !a.Registered || a.Node.Incarnation != first.Node.Incarnation+1 {
		e.Errorf("after the clock stepped back the incarnation is %d, want %d", a.Node.Incarnation, first.Node.Incarnation+1)
	}
}

func heartbeatRenews(e *Env) {
	n, m := e.node("n"), e.node("m")
	e.advance(time.Minute)
	a, err := e.Store.Heartbeat(e.ctx, n)
	e.must(err, "Heartbeat")
	if !a.Alive || len(a.Nodes) != 2 {
		e.Fatalf("the answer is %+v, want alive, with two nodes", a)
	}
	equal(e, a.Now, e.now, "the answer's now")
	if a.Nodes[0].NodeRef != m || a.Nodes[1].NodeRef != n {
		e.Errorf("the nodes are %v, %v; want m, n", a.Nodes[0].NodeRef, a.Nodes[1].NodeRef)
	}
	equal(e, a.Nodes[1].HeartbeatAt, e.now, "the renewed instant")
	equal(e, a.Nodes[0].HeartbeatAt, Start, "the other node's instant")
	equal(e, a.Nodes[1].StartedAt, Start, "the start")
	list, err := e.other().ListNodes(e.ctx)
	e.must(err, "ListNodes")
	equal(e, list.Nodes, a.Nodes, "the table")
}

func heartbeatOfConvicted(e *Env) {
	n := e.node("n")
	e.advance(time.Second)
	for _, ref := range []provider.NodeRef{{ID: "none", Incarnation: n.Incarnation}, {ID: "n", Incarnation: n.Incarnation - 1}, {ID: "n", Incarnation: n.Incarnation + 1}} {
		e.unchanged("a heartbeat of another", func() {
			a, err := e.Store.Heartbeat(e.ctx, ref)
			e.must(err, "Heartbeat")
			if a.Alive {
				e.Errorf("the heartbeat of %+v is alive", ref)
			}
		})
	}
	e.kill(n)
	a, err := e.Store.Heartbeat(e.ctx, n)
	e.must(err, "Heartbeat")
	if a.Alive || len(e.look(e.Store).nodes) != 0 {
		e.Errorf("the heartbeat of a convicted node is alive: %v, or brought its row back", a.Alive)
	}
}

func deregister(e *Env) {
	n, m := e.node("n"), e.node("m")
	for _, c := range []struct {
		ref  provider.NodeRef
		want bool
	}{{provider.NodeRef{ID: "n", Incarnation: n.Incarnation + 1}, false}, {n, true}, {n, false}, {provider.NodeRef{ID: "none", Incarnation: 1}, false}} {
		got, err := e.Store.Deregister(e.ctx, c.ref)
		e.must(err, "Deregister")
		if got != c.want {
			e.Errorf("Deregister %+v answers %v, want %v", c.ref, got, c.want)
		}
	}
	if s := e.look(e.Store); len(s.nodes) != 1 || s.nodes["m"].NodeRef != m {
		e.Errorf("the nodes left are %v, want m alone", s.nodes)
	}
}

func nodeIDsAreBytes(e *Env) {
	ids := []string{`!"#$%&'()*+,-./`, "NODE", "Node", `\\o/`, "node", "node:1", "node_1", "~{|}"}
	e.save(job("a"))
	for _, id := range []int{3, 0, 6, 2, 4, 1, 7, 5} {
		e.node(ids[id])
	}
	list, err := e.Store.ListNodes(e.ctx)
	e.must(err, "ListNodes")
	var got []string
	for _, n := range list.Nodes {
		got = append(got, n.ID)
	}
	equal(e, got, ids, "the table")
	for _, id := range ids {
		e.enqueue(manual("a", "x", e.now))
		b := e.startOne(e.node(id))
		inflight, err := e.Store.Inflight(e.ctx, e.node(id))
		e.must(err, "Inflight")
		if len(inflight.Runs) != 1 || inflight.Runs[0].Node != id {
			e.Errorf("node %q sees %d runs, want its own", id, len(inflight.Runs))
		}
		e.finish(e.node(id), b)
		alive, err := e.Store.Heartbeat(e.ctx, e.node(id))
		e.must(err, "Heartbeat")
		if !alive.Alive {
			e.Errorf("node %q is not alive", id)
		}
	}
}
