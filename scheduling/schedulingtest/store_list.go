package schedulingtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var listCases = []Case{
	{Name: "JobsByName", Rules: []string{"R104", "D32"},
		Explanation: "Jobs answers bytewise by name and leaves missing names out",
		Run:         jobsByName},
	{Name: "JobsOfManyNames", Rules: []string{"R104", "B180"}, Needs: Heaviness,
		Explanation: "a look-up by more names than one query takes answers them all",
		Run:         jobsOfManyNames},
	{Name: "ListJobsPages", Rules: []string{"R108", "D32"},
		Explanation: "pages go bytewise by name, continue behind a name, and a limit of 0 means 1,000",
		Run:         listJobsPages},
	{Name: "TriggersByKey", Rules: []string{"R085", "D32"},
		Explanation: "triggers are ordered by the bytes of job/trigger, which is not the order by job, then name",
		Run:         triggersByKey},
	{Name: "ListTriggersFilters", Rules: []string{"R108"},
		Explanation: "jobs, states and local narrow the list, alone and together",
		Run:         listTriggersFilters},
	{Name: "ListTriggersPages", Rules: []string{"R108"},
		Explanation: "pages continue behind a key, under filters too, and lose nothing",
		Run:         listTriggersPages},
}

// trickyNames are legal names in the order of their bytes, which collations
// for people order otherwise.
var trickyNames = []string{"0", "a", "a-b", "a.b", "a0", "a_b", "aa", "ab", "b", "z-", "z."}

func jobsByName(e *Env) {
	for _, name := range slices.Backward(trickyNames) {
		e.save(job(name))
	}
	ask := append([]string{"none", "b"}, trickyNames[1:4]...)
	got, err := e.Store.Jobs(e.ctx, ask)
	e.must(err, "Jobs")
	equal(e, names(got), []string{"a", "a-b", "a.b", "b"}, "the jobs asked for")
	got, err = e.Store.Jobs(e.ctx, []string{"none"})
	e.must(err, "Jobs")
	equal(e, names(got), []string{}, "a job that is not there")
}

func jobsOfManyNames(e *Env) {
	e.save(job("j0003", exclusive), cron("t", e.now.Add(time.Hour)))
	e.save(job("j1100"))
	var ask []string
	var keys []provider.TriggerKey
	var ids []string
	for i := range 1101 {
		ask = append(ask, fmt.Sprintf("j%04d", i))
		keys = append(keys, key(fmt.Sprintf("j%04d", i), "t"))
		ids = append(ids, e.runID())
	}
	got, err := e.Store.Jobs(e.ctx, ask)
	e.must(err, "Jobs")
	equal(e, names(got), []string{"j0003", "j1100"}, "the jobs")
	triggers, err := e.Store.Triggers(e.ctx, keys)
	e.must(err, "Triggers")
	equal(e, keysOf(triggers), []string{"j0003/t"}, "the triggers")
	n := e.node("n")
	e.must(e.Store.Record(e.ctx, []provider.RunRecord{localRun(ids[1050], "j1100", n, e.now)}), "Record")
	runs, err := e.Store.RunsByID(e.ctx, ids)
	e.must(err, "RunsByID")
	equal(e, runIDs(runs), []string{ids[1050]}, "the runs")
}

func listJobsPages(e *Env) {
	var items []provider.SaveItem
	for _, name := range slices.Backward(trickyNames) {
		items = append(items, item(job(name)))
	}
	_, err := e.Store.SaveJobs(e.ctx, items)
	e.must(err, "SaveJobs")
	var got []string
	for after := ""; ; {
		page, err := e.Store.ListJobs(e.ctx, after, 4)
		e.must(err, "ListJobs")
		if len(page) > 4 {
			e.Fatalf("a page of 4 has %d jobs", len(page))
		}
		got = append(got, names(page)...)
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1].Name
	}
	equal(e, got, trickyNames, "all pages")
	for _, limit := range []int{0, -1} {
		page, err := e.Store.ListJobs(e.ctx, "aa", limit)
		e.must(err, "ListJobs")
		equal(e, names(page), []string{"ab", "b", "z-", "z."}, "a page behind aa")
	}
}

func triggersByKey(e *Env) {
	at := e.now.Add(time.Hour)
	want := []string{"a-b/t", "a.b/t", "a/0", "a/t", "a/t-x", "a/t.x", "a0/t", "a_b/t", "ab/t"}
	for _, name := range []string{"ab", "a_b", "a0", "a.b", "a-b"} {
		e.save(job(name), cron("t", at))
	}
	e.save(job("a"), cron("t.x", at), cron("t-x", at), cron("t", at), cron("0", at))
	list, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{})
	e.must(err, "ListTriggers")
	equal(e, keysOf(list), want, "the list")
	got, err := e.Store.Triggers(e.ctx, []provider.TriggerKey{key("a", "t"), key("a", "none"), key("a-b", "t"), key("none", "t")})
	e.must(err, "Triggers")
	equal(e, keysOf(got), []string{"a-b/t", "a/t"}, "triggers asked for")
}

// mixedTriggers saves triggers of every state but Blocked.
func mixedTriggers(e *Env) {
	at := e.now.Add(time.Hour)
	e.save(job("a"), cron("due", e.now), cron("later", at), cron("done", at, in(provider.TriggerComplete)))
	e.save(job("b"), cron("bad", at, in(provider.TriggerError)), cron("held", at), cron("own", at, local))
	e.acquire(e.node("n"), 1)
	errs, err := e.Store.PauseTriggers(e.ctx, []provider.TriggerKey{key("b", "held")})
	e.each(errs, err, nil)
}

func listTriggersFilters(e *Env) {
	mixedTriggers(e)
	for what, c := range map[string]struct {
		query provider.TriggerQuery
		want  []string
	}{
		"all":   {provider.TriggerQuery{}, []string{"a/done", "a/due", "a/later", "b/bad", "b/held", "b/own"}},
		"a job": {provider.TriggerQuery{Jobs: []string{"b", "none"}}, []string{"b/bad", "b/held", "b/own"}},
		"states": {provider.TriggerQuery{States: []provider.TriggerState{provider.TriggerAcquired, provider.TriggerPaused}},
			[]string{"a/due", "b/held"}},
		"local": {provider.TriggerQuery{LocalOnly: true}, []string{"b/own"}},
		"job and state": {provider.TriggerQuery{Jobs: []string{"a"}, States: []provider.TriggerState{provider.TriggerWaiting}},
			[]string{"a/later"}},
		"nothing": {provider.TriggerQuery{Jobs: []string{"a"}, LocalOnly: true}, []string{}},
	} {
		got, err := e.Store.ListTriggers(e.ctx, c.query)
		e.must(err, "ListTriggers of %s", what)
		equal(e, keysOf(got), c.want, "%s", what)
	}
	e.enqueue(manual("b", "x", e.now), retry("b", "y", e.now), recoveryShot("b", "z", e.now))
	got, err := e.Store.ListTriggers(e.ctx, provider.TriggerQuery{Jobs: []string{"b"}, ScheduledOnly: true})
	e.must(err, "ListTriggers without one-shots")
	equal(e, keysOf(got), []string{"b/bad", "b/held", "b/own"}, "without one-shots")
}

func listTriggersPages(e *Env) {
	mixedTriggers(e)
	for _, limit := range []int{1, 2, 4} {
		var got []string
		query := provider.TriggerQuery{Jobs: []string{"a", "b"}, Limit: limit}
		for range 10 {
			page, err := e.Store.ListTriggers(e.ctx, query)
			e.must(err, "ListTriggers")
			if len(page) == 0 {
				break
			}
			if len(page) > limit {
				e.Fatalf("a page of %d has %d triggers", limit, len(page))
			}
			got = append(got, keysOf(page)...)
			query.After = page[len(page)-1].TriggerKey
		}
		equal(e, got, []string{"a/done", "a/due", "a/later", "b/bad", "b/held", "b/own"}, "pages of %d", limit)
	}
}
