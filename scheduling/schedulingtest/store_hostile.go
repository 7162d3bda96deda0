package schedulingtest

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var hostileCases = []Case{
	{Name: "LongestNames", Rules: []string{"R152", "R085", "D10"},
		Explanation: "names of the greatest length work through a whole life, the derived ones included",
		Run:         longestNames},
	{Name: "HostileStrings", Rules: []string{"D32", "R111"},
		Explanation: "quotes, wildcards, placeholders and what is no text in look-ups and filters match themselves and nothing else",
		Run:         hostileStrings},
	{Name: "NamesThatContainEachOther", Rules: []string{"R085", "D32"},
		Explanation: "a job whose name begins another's is never taken for it, by delete, pause, replace or filter",
		Run:         namesThatContainEachOther},
}

func longestNames(e *Env) {
	j, t := strings.Repeat("j", provider.MaxName), strings.Repeat("t", provider.MaxName)
	id := strings.Repeat("N", provider.MaxName)
	n := e.node(id)
	e.save(job(j, exclusive, func(r *provider.JobRecord) { r.Handler = strings.Repeat("H", provider.MaxName) }), every(t, e.now))
	shot := provider.PrefixManual + strings.Repeat("x", provider.MaxName-len(provider.PrefixManual))
	r := manual(j, "", e.now)
	r.Trigger = shot
	e.enqueue(r)
	e.enqueue(manual(j, "longest", e.now))
	ran := e.drain(n, 9)
	if len(ran) != 3 {
		e.Fatalf("%d runs, want 3", len(ran))
	}
	for _, r := range ran {
		if got := e.run(r.ID); got.Job != j || got.Node != id || len(got.TriggerName) > provider.MaxName {
			e.Errorf("the run is %+v", got)
		}
	}
	if got := e.trigger(key(j, t)); got.State != provider.TriggerWaiting || got.FireCount != 1 {
		e.Errorf("the trigger is %+v, want Waiting, count 1", got)
	}
}

func hostileStrings(e *Env) {
	n := e.node(`a'b"c\d%_;--`)
	e.save(job("a"), cron("t", e.now))
	b := e.startOne(n)
	e.complete(n, provider.Completion{RunID: b.Run.ID, Job: "a", State: provider.RunFailed, ErrorCode: "CODE'?", ErrorText: "?"})
	hostile := []string{`' OR '1'='1`, `%`, `_`, `a%`, `a' --`, `\`, `?`, `$1`, `:a`, `@p1`, `"`, "\u0061\u0301", `a" OR "1"="1`, `{"a"}`, `[a]`, "A", "a\x00", "\xff", "a\xed\xa0\x80"}
	for _, text := range hostile {
		for what, q := range map[string]provider.RunQuery{"job": {Job: text}, "trigger": {Trigger: text}, "node": {Node: text}} {
			q.Limit = 5
			got, err := e.Store.Runs(e.ctx, q)
			e.must(err, "Runs by %s %q", what, text)
			if len(got) != 0 {
				e.Errorf("runs by %s %q: %d, want none", what, text, len(got))
			}
		}
		jobs, err := e.Store.Jobs(e.ctx, []string{text})
		e.must(err, "Jobs %q", text)
		runs, err := e.Store.RunsByID(e.ctx, []string{text})
		e.must(err, "RunsByID %q", text)
		triggers, err := e.Store.Triggers(e.ctx, []provider.TriggerKey{key(text, text), key("a", text)})
		e.must(err, "Triggers %q", text)
		if len(jobs)+len(runs)+len(triggers) != 0 {
			e.Errorf("look-ups by %q answer %d rows, want none", text, len(jobs)+len(runs)+len(triggers))
		}
		errs, err := e.Store.DeleteJobs(e.ctx, []string{text})
		e.each(errs, err, provider.ErrJobNotFound)
		errs, err = e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("a", text)})
		e.each(errs, err, provider.ErrTriggerNotFound)
	}
	got, err := e.Store.Runs(e.ctx, provider.RunQuery{Node: n.ID, WithError: true, Limit: 5})
	e.must(err, "Runs")
	if len(got) != 1 || got[0].ErrorCode != "CODE'?" {
		e.Errorf("runs by the node's own id are %+v, want one", got)
	}
}

func namesThatContainEachOther(e *Env) {
	at := e.now.Add(time.Hour)
	all := []string{"a", "a-", "a.", "a0", "aa", "b"}
	for _, name := range all {
		e.save(job(name), cron("t", at), cron("t2", at))
	}
	errs, err := e.Store.PauseJobs(e.ctx, []string{"a"})
	e.each(errs, err, nil)
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerPaused}})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/t", "a/t2"}, "what pausing a has paused")
	list, err = e.Store.ListTriggers(e.ctx, provider.TriggerQuery{Jobs: []string{"a"}})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a/t", "a/t2"}, "the triggers of a")
	e.save(job("a"), cron("t2", at))
	errs, err = e.Store.DeleteJobs(e.ctx, []string{"aa"})
	e.each(errs, err, nil)
	list, err = e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), []string{"a-/t", "a-/t2", "a./t", "a./t2", "a/t2", "a0/t", "a0/t2", "b/t", "b/t2"}, "what is left")
}
