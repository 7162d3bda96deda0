package schedulingtest

import (
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

var enqueueCases = []Case{
	{Name: "EnqueueNow", Rules: []string{"R234", "D38"},
		Explanation: "without an instant a one-shot is due at the store's now, which ScheduledAt follows",
		Run:         enqueueNow},
	{Name: "EnqueueWhole", Rules: []string{"D38", "D37"},
		Explanation: "due instant, priority, expiry, data and kind of a one-shot are stored as given, the claim not",
		Run:         enqueueWhole},
	{Name: "EnqueueCopiesExclusive", Rules: []string{"D35"},
		Explanation: "the hint of a one-shot is copied from its job, whatever the record says",
		Run:         enqueueCopiesExclusive},
	{Name: "EnqueueUnknownJob", Rules: []string{"R234", "R227", "R289"},
		Explanation: "an unknown job fails its item alone",
		Run:         enqueueUnknownJob},
	{Name: "EnqueueSameKey", Rules: []string{"D38"},
		Explanation: "a key that is taken by a one-shot that has not begun inserts nothing and answers that it existed",
		Run:         enqueueSameKey},
	{Name: "EnqueueSameKeyInFlight", Rules: []string{"D38", "D10"},
		Explanation: "a claimed or blocked one-shot has not begun; once it has, the key is free again",
		Run:         enqueueSameKeyInFlight},
	{Name: "EnqueueSameKeyInOneBatch", Rules: []string{"D38", "R227"},
		Explanation: "of one key twice in a batch the first is inserted and the second existed",
		Run:         enqueueSameKeyInOneBatch},
	{Name: "EnqueueIntoPast", Rules: []string{"D38", "R029"},
		Explanation: "an instant in the past is kept, and due at once in its place",
		Run:         enqueueIntoPast},
}

func enqueueNow(e *Env) {
	e.save(job("a"))
	e.set(Start.Add(123456789 * time.Nanosecond))
	a, err := e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", time.Time{})})
	e.must(err, "Enqueue")
	now := e.now.Truncate(time.Microsecond)
	equal(e, a, []provider.EnqueueAnswer{{Key: manualKey("a", "x"), DueAt: now}}, "the answer")
	if t := e.trigger(manualKey("a", "x")); !t.NextFireAt.Equal(now) || !t.ScheduledAt.Equal(now) {
		e.Errorf("the one-shot is due at %v, scheduled at %v; want %v both", t.NextFireAt, t.ScheduledAt, now)
	}
}

func enqueueWhole(e *Env) {
	e.save(job("a"))
	due := e.now.Add(90 * time.Minute)
	want := manual("a", "x", due, priority(-3), data(`{"k":[1,2]}`), func(t *provider.TriggerRecord) {
		t.Description, t.ExpiresAt, t.ScheduledAt = "asked for", due.Add(time.Hour), due
	})
	asked := want
	asked.ClaimID, asked.ClaimedBy, asked.ScheduledAt = 7, "n", time.Time{}
	a, err := e.Store.Enqueue(e.ctx, []provider.TriggerRecord{asked})
	e.must(err, "Enqueue")
	equal(e, a, []provider.EnqueueAnswer{{Key: want.TriggerKey, DueAt: due}}, "the answer")
	got := e.trigger(want.TriggerKey)
	want.Version = got.Version
	equal(e, got, want, "the one-shot")
}

func enqueueCopiesExclusive(e *Env) {
	e.save(job("a"))
	e.save(job("x", exclusive))
	lie := func(t *provider.TriggerRecord) { t.Exclusive = t.Job == "a" }
	e.enqueue(manual("a", "m", e.now, lie), manual("x", "m", e.now, lie))
	if e.trigger(manualKey("a", "m")).Exclusive || !e.trigger(manualKey("x", "m")).Exclusive {
		e.Errorf("the hints are not those of the jobs")
	}
}

func enqueueUnknownJob(e *Env) {
	e.save(job("a"))
	a, err := e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("none", "x", e.now), manual("a", "x", e.now), manual("none", "y", e.now)})
	e.must(err, "Enqueue")
	if len(a) != 3 {
		e.Fatalf("%d answers, want 3", len(a))
	}
	e.is(a[0].Err, provider.ErrJobNotFound, "the first")
	e.is(a[1].Err, nil, "the second")
	e.is(a[2].Err, provider.ErrJobNotFound, "the third")
	if s := e.look(e.Store); len(s.triggers) != 1 {
		e.Errorf("%d triggers, want 1", len(s.triggers))
	}
}

func enqueueSameKey(e *Env) {
	e.save(job("a"))
	due := e.now.Add(time.Hour)
	e.enqueue(manual("a", "x", due, data(`{"first":1}`)))
	first := e.trigger(manualKey("a", "x"))
	e.advance(time.Minute)
	e.unchanged("enqueuing a key that is taken", func() {
		a, err := e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", e.now, data(`{"second":1}`))})
		e.must(err, "Enqueue")
		equal(e, a, []provider.EnqueueAnswer{{Key: first.TriggerKey, DueAt: due, Existed: true}}, "the answer")
	})
}

func enqueueSameKeyInFlight(e *Env) {
	n := e.node("n")
	e.save(job("a", exclusive))
	existed := func(when string, want bool) {
		e.Helper()
		a, err := e.Store.Enqueue(e.ctx, []provider.TriggerRecord{manual("a", "x", e.now)})
		e.must(err, "Enqueue")
		if a[0].Existed != want {
			e.Errorf("%s: existed is %v, want %v", when, a[0].Existed, want)
		}
	}
	b := e.occupy(n, "a", 0)
	existed("new", false)
	existed("waiting", true)
	e.pass(n, 5)
	existed("blocked", true)
	e.finish(n, b)
	claimed := e.acquire(n, 5)
	existed("claimed", true)
	begun := started(e.beginWith(n, decide, claimed...))
	existed("begun", false)
	e.finish(n, begun...)
	if ran := e.drain(n, 3); len(ran) != 1 {
		e.Errorf("%d runs of the second one-shot, want 1", len(ran))
	}
}

func enqueueSameKeyInOneBatch(e *Env) {
	e.save(job("a"))
	shots := []provider.TriggerRecord{manual("a", "x", e.now, data(`{"first":1}`)), manual("a", "y", e.now), manual("a", "x", e.now.Add(time.Hour))}
	a, err := e.Store.Enqueue(e.ctx, shots)
	e.must(err, "Enqueue")
	equal(e, a, []provider.EnqueueAnswer{{Key: shots[0].TriggerKey, DueAt: e.now}, {Key: shots[1].TriggerKey, DueAt: e.now},
		{Key: shots[2].TriggerKey, DueAt: e.now, Existed: true}}, "the answers")
	if t := e.trigger(manualKey("a", "x")); t.Data != `{"first":1}` {
		e.Errorf("the one-shot's data is %q, want the first item's", t.Data)
	}
}

func enqueueIntoPast(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	for i, ago := range []time.Duration{time.Minute, time.Hour, 0} {
		e.enqueue(manual("a", fmt.Sprint(i), e.now.Add(-ago)))
	}
	equal(e, claimedKeys(e.acquire(n, 5)), []string{"a/manual-1", "a/manual-0", "a/manual-2"}, "the claims")
}
