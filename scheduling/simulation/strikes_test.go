package simulation

import (
	"context"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// strike does one thing to the cluster.
func (w *world) strike() {
	slot := w.rnd.IntN(len(w.slots))
	p := w.slots[slot]
	job := jobNames[w.rnd.IntN(len(jobNames))]
	switch w.rnd.IntN(16) {
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
		w.note(p.name, "pause", "%s", job)
		w.call(func(ctx context.Context) { _ = p.Pause(ctx, job) })
		d, other := between(w.rnd, time.Second, 15*time.Second), w.slots[w.rnd.IntN(len(w.slots))]
		w.call(func(ctx context.Context) {
			pass(d)
			w.note(other.name, "resume", "%s", job)
			_ = other.Resume(ctx, job)
		})
	case 8:
		version := int64(w.rnd.IntN(3))
		def := definitions(version, w.began)[w.rnd.IntN(5)]
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
	default:
		w.enqueued++
		key := number(w.enqueued)
		w.note(p.name, "enqueue", "%s %s", job, key)
		w.call(func(ctx context.Context) {
			answers, err := p.Enqueue(ctx, scheduling.EnqueueRequest{Job: job, Key: key, Data: scheduling.MustData(map[string]string{"key": key})})
			if err == nil && len(answers) == 1 {
				w.out.add(event{at: time.Now(), node: p.name, op: "promise", note: answers[0].Trigger.String()})
			}
		})
	}
}
