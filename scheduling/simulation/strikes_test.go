package simulation

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// strike does one thing to the cluster.
func (w *world) strike() {
	slot := w.rnd.IntN(len(w.slots))
	p := w.slots[slot]
	job := jobNames[w.rnd.IntN(len(jobNames))]
	switch w.rnd.IntN(17) {
	case 0:
		w.note(p.name, "cut", "")
		p.link.setCut(true)
	case 1:
		w.note(p.name, "mend", "")
		p.link.setCut(false)
	case 2:
		if p.link.isCut() { // a stop would only wait
			p.link.setCut(false)
		}
		w.stop(p)
		w.start(slot)
	case 3:
		w.kill(p)
		pass(between(w.rnd, time.Millisecond, 3*time.Second))
		w.start(slot)
	case 4:
		to := time.Duration(0)
		if w.rnd.IntN(3) > 0 {
			to = between(w.rnd, -time.Minute, time.Minute).Truncate(time.Microsecond)
		}
		w.faults.struck("store clock step")
		w.ledger.stepTo(to)
	case 5:
		d := between(w.rnd, time.Second, 20*time.Second)
		w.note(p.name, "node clock jump", "%v", d)
		p.clock.ahead.Add(int64(d))
	case 6, 7:
		w.pause(p)
	case 8:
		version := int64(w.rnd.IntN(3))
		def := definitions(version, w.began)[w.rnd.IntN(6)]
		w.note(p.name, "replace", "%s by that of version %d", def.Name, version)
		w.call(func(ctx context.Context) { _ = p.Schedule(ctx, def) })
	case 9:
		w.note(p.name, "trigger", "%s", job)
		w.call(func(ctx context.Context) {
			_, _ = p.Trigger(ctx, scheduling.TriggerRequest{Job: job, Data: scheduling.MustData(map[string]int{"by": 1})})
		})
	case 10, 11:
		w.note(p.name, "cancel", "what runs of %s", job)
		w.call(func(ctx context.Context) {
			runs, err := p.Runs(ctx, scheduling.RunQuery{Job: job, States: []scheduling.RunState{scheduling.RunRunning}, Limit: 3})
			for _, run := range runs {
				if err == nil {
					_ = p.CancelRuns(ctx, run.ID)
				}
			}
		})
	case 12:
		w.define(p)
	default:
		w.enqueue(p)
	}
}

// define changes what is stored of jobs and triggers.
func (w *world) define(p *process) {
	r := w.rnd
	name := deletable[r.IntN(len(deletable))]
	switch r.IntN(9) {
	case 0, 1, 2:
		def := guest(r)
		w.note(p.name, "schedule", "guest with %d triggers", len(def.Triggers))
		w.call(func(ctx context.Context) { _ = p.Schedule(ctx, def) })
	case 3:
		w.note(p.name, "unschedule", "%s", name)
		w.call(func(ctx context.Context) { _ = p.Unschedule(ctx, name) })
	case 4, 5:
		w.note(p.name, "restore", "%s", name)
		w.call(func(ctx context.Context) { _ = p.Restore(ctx, name) })
	case 6:
		t := guests()[r.IntN(len(guests()))]
		w.note(p.name, "add trigger", "%s", t.Name)
		w.call(func(ctx context.Context) { _ = p.AddTriggers(ctx, "guest", t) })
	case 7:
		t := guests()[r.IntN(len(guests()))]
		w.note(p.name, "remove trigger", "%s", t.Name)
		w.call(func(ctx context.Context) {
			_ = p.RemoveTriggers(ctx, scheduling.TriggerKey{Job: "guest", Trigger: t.Name})
		})
	case 8:
		w.note(p.name, "remove one-shots", "of %s", name)
		w.call(func(ctx context.Context) {
			rows, err := p.ListTriggers(ctx, scheduling.TriggerQuery{Jobs: []string{name}})
			for _, row := range rows {
				if err == nil && provider.IsOneShot(row.Trigger) {
					_ = p.RemoveTriggers(ctx, row.TriggerKey)
				}
			}
		})
	}
}

// enqueue asks for runs: one, or a batch with keys that repeat, later due
// instants and expiries.
func (w *world) enqueue(p *process) {
	r, now := w.rnd, w.ledger.present()
	requests := make([]scheduling.EnqueueRequest, 1)
	if r.IntN(4) == 0 {
		requests = make([]scheduling.EnqueueRequest, 2+r.IntN(8))
		w.faults.struck("enqueue batch")
	}
	burst := "" // so much of one job that claims of it go side by side (P17)
	if r.IntN(8) == 0 {
		requests, burst = make([]scheduling.EnqueueRequest, 10+r.IntN(30)), []string{"many", "safe"}[r.IntN(2)]
		w.faults.struck("enqueue burst")
	}
	for i := range requests {
		job := jobNames[r.IntN(len(jobNames))]
		for job == "local" {
			job = jobNames[r.IntN(len(jobNames))]
		}
		if burst != "" {
			job = burst
		}
		w.enqueued++
		key := number(w.enqueued)
		if i > 0 && r.IntN(5) == 0 {
			job, key = requests[0].Job, requests[0].Key
		}
		requests[i] = scheduling.EnqueueRequest{Job: job, Key: key, Data: scheduling.MustData(map[string]string{"key": key}), Priority: 1 + r.IntN(9)}
		if r.IntN(4) == 0 {
			requests[i].DueAt = now.Add(between(r, 0, 20*time.Second)).Truncate(time.Microsecond)
		}
		if r.IntN(5) == 0 {
			requests[i].ExpiresAt = now.Add(between(r, time.Second, 30*time.Second)).Truncate(time.Microsecond)
			w.faults.struck("enqueue with expiry")
		}
	}
	w.note(p.name, "enqueue", "%d from %s %s", len(requests), requests[0].Job, requests[0].Key)
	w.call(func(ctx context.Context) { w.promised(ctx, p, requests) })
}

// promised makes the call and holds the store to its answers.
func (w *world) promised(ctx context.Context, p *process, requests []scheduling.EnqueueRequest) {
	answers, _ := p.Enqueue(ctx, requests...)
	for _, a := range answers {
		if a.Trigger.Job != "" {
			w.out.add(event{at: time.Now(), node: p.name, op: "promise", note: a.Trigger.String()})
		}
	}
}
