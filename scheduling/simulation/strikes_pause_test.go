package simulation

import (
	"context"
	"fmt"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// pause pauses a job, a group of jobs, or single triggers, and has another
// process resume the same or less of it later: mostly within seconds, at times
// after minutes, when all that was missed is late.
func (w *world) pause(p *process) {
	r := w.rnd
	d, other := between(r, time.Second, 15*time.Second), w.slots[r.IntN(len(w.slots))]
	if r.IntN(6) == 0 {
		w.faults.struck("long pause")
		d = between(r, 30*time.Second, 150*time.Second)
	}
	if r.IntN(2) == 0 {
		jobs := []string{jobNames[r.IntN(len(jobNames))]}
		if r.IntN(3) == 0 {
			jobs = append(jobs, jobNames[r.IntN(len(jobNames))], jobNames[r.IntN(len(jobNames))])
		}
		w.note(p.name, "pause", "%v", jobs)
		w.call(func(ctx context.Context) { _ = p.Pause(ctx, jobs...) })
		var single []scheduling.TriggerKey
		if r.IntN(4) == 0 { // some triggers of what is paused go on before the rest
			single = w.someTriggers(jobs[0])
			w.later(d/2, func(ctx context.Context) {
				w.note(other.name, "resume triggers", "%v", single)
				_ = other.ResumeTriggers(ctx, single...)
			})
		}
		w.later(d, func(ctx context.Context) {
			w.note(other.name, "resume", "%v", jobs)
			_ = other.Resume(ctx, jobs...)
		})
		return
	}
	keys := w.someTriggers(jobNames[r.IntN(len(jobNames))])
	w.note(p.name, "pause triggers", "%v", keys)
	w.call(func(ctx context.Context) { _ = p.PauseTriggers(ctx, keys...) })
	w.later(d, func(ctx context.Context) {
		w.note(other.name, "resume triggers", "%v", keys)
		_ = other.ResumeTriggers(ctx, keys...)
	})
}

// someTriggers names triggers of a job that its definition has or that were
// enqueued of late, in random number, and at times one that is not there.
func (w *world) someTriggers(job string) []scheduling.TriggerKey {
	all := []scheduling.TriggerKey{{Job: job, Trigger: "nobody"}}
	for _, def := range w.jobs(w.version) {
		for _, t := range def.Triggers {
			if def.Name == job {
				all = append(all, scheduling.TriggerKey{Job: job, Trigger: t.Name})
			}
		}
	}
	for _, t := range guests() {
		if job == "guest" {
			all = append(all, scheduling.TriggerKey{Job: job, Trigger: t.Name})
		}
	}
	for n := max(w.enqueued-8, 0); n < w.enqueued; n++ {
		all = append(all, scheduling.TriggerKey{Job: job, Trigger: fmt.Sprintf("manual-%d", n+1)})
	}
	w.rnd.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:1+w.rnd.IntN(len(all))]
}

// claimed lets somebody pause what a process has just claimed, before its run
// begins or right after, and resume it soon.
func (w *world) claimed(p *process, keys []scheduling.TriggerKey) {
	r := w.chance.of("claimed", p.name, p.link.next("claimed"))
	if len(keys) == 0 || w.pace != bySecond || r.Float64() >= 0.02*w.faults.level() {
		return
	}
	w.later(between(r, 10*time.Microsecond, time.Millisecond), func(ctx context.Context) {
		w.note(p.name, "pause what is claimed", "%v", keys[0])
		_ = p.PauseTriggers(ctx, keys[0])
	})
	w.later(between(r, time.Second, 12*time.Second), func(ctx context.Context) {
		w.note(p.name, "resume what was claimed", "%v", keys[0])
		_ = p.ResumeTriggers(ctx, keys[0])
	})
}
