package simulation

import (
	"context"
	"errors"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

var errHandler = errors.New("as it happens")

var causes = []struct {
	err  error
	name string
}{
	{scheduling.ErrTimeout, "timeout"}, {scheduling.ErrCanceled, "canceled"}, {scheduling.ErrStopping, "stopping"},
	{scheduling.ErrIsolated, "isolated"}, {scheduling.ErrLost, "lost"},
}

func causeOf(ctx context.Context) string {
	cause := context.Cause(ctx)
	if cause == nil {
		return ""
	}
	for _, c := range causes {
		if errors.Is(cause, c.err) {
			return c.name
		}
	}
	return cause.Error()
}

// handle is the handler of every job: how long it works, whether it heeds its
// context and what it says follow from the run's place in the history. With the process it is
// gone at once.
func (p *process) handle(ctx context.Context, run *scheduling.Run) (err error) {
	select {
	case <-p.dead:
		return errHandler // nobody hears it
	default:
	}
	p.world.handlers.Add(1)
	defer p.world.handlers.Done()
	place := p.world.out.name(run.ID)
	if place == "" { // a local run, whose record comes later
		place = run.Job + "-" + run.Trigger + number(run.StartedAt.UnixMicro()) + number(run.Attempt)
	}
	r := p.world.chance.of("handler", place, p.name)
	d := between(r, 10*time.Millisecond, 1400*time.Millisecond)
	calm := p.world.faults.level() == 0
	if r.IntN(25) == 0 && !calm {
		d = between(r, 4*time.Second, 13*time.Second)
	}
	ignores, fate := r.IntN(10) == 0 && !calm, r.IntN(100)
	errand := r.IntN(60)
	linger := between(r, 10*time.Microsecond, 900*time.Microsecond)
	note := func(s handlerStep) {
		s.run, s.job, s.ignores, s.keeps, s.slots = run.ID, run.Job, ignores, p.keeps, p.slots
		p.world.out.add(event{at: time.Now(), node: p.name, op: "handler", handler: &s})
	}
	// Goroutines that wake at the same instant go on in any order; a moment of
	// its own gives each its place.
	first, second := between(r, time.Microsecond, 99*time.Microsecond), between(r, time.Microsecond, 99*time.Microsecond)
	pass(first)
	note(p.local(run))
	inside := p.inside(ctx, errand, run, place)
	timer := time.NewTimer(d)
	defer timer.Stop()
	ctxDone, worked := ctx.Done(), false
work:
	for {
		select {
		case <-p.dead:
			pass(second)
			note(handlerStep{step: "end", killed: true})
			return errHandler
		case <-ctxDone:
			pass(second)
			note(handlerStep{step: "context", cause: causeOf(ctx)})
			ctxDone = nil
			if !ignores || worked {
				timer.Reset(linger)
			}
		case <-inside:
			if inside = nil; worked {
				break work
			}
		case <-timer.C:
			if worked = true; inside == nil || ctxDone == nil {
				break work
			}
		}
	}
	end := handlerStep{step: "end", cause: causeOf(ctx), said: "ok"}
	defer func() { note(end) }()
	switch {
	case end.cause != "" && !ignores:
		end.said, err = "error", ctx.Err()
	case fate < 12:
		end.said, err = "error", errHandler
	case fate < 14:
		end.said = "panic"
		panic("as it happens")
	case fate < 17:
		end.said, err = "noretry", scheduling.NoRetry(errHandler)
	case fate < 20:
		end.wait = between(r, 100*time.Millisecond, 3*time.Second).Truncate(time.Millisecond)
		end.said, err = "after", scheduling.RetryAfter(errHandler, end.wait)
	}
	return err
}

// local is the first step of a handler, with what the judge must know where
// the run is a local one.
func (p *process) local(run *scheduling.Run) handlerStep {
	s := handlerStep{step: "start"}
	if run.Job == "local" {
		s.local = &localStep{
			node: p.id, trigger: run.Trigger, kind: run.Kind, due: run.ScheduledAt, clock: p.clock.Now(),
			attempt: run.Attempt, retryOf: run.RetryOf, data: run.Data.String(),
		}
	}
	return s
}

// inside lets some handlers call the scheduler that runs them: the channel is
// closed when the call has returned; nil where there is none.
func (p *process) inside(ctx context.Context, errand int, run *scheduling.Run, place string) <-chan struct{} {
	var call func()
	switch w := p.world; {
	case w.faults.level() == 0:
	case errand == 0:
		key := "in-" + place + "-" + p.name
		call = func() {
			w.promised(ctx, p, []scheduling.EnqueueRequest{{Job: "hand", Key: key, Data: scheduling.MustData(map[string]string{"key": key})}})
		}
	case errand == 1: // of another job, or of its own
		job := []string{"safe", "many", run.Job}[len(place)%3]
		call = func() {
			_, _ = p.Trigger(ctx, scheduling.TriggerRequest{Job: job, Data: scheduling.MustData(map[string]int{"by": 1})})
		}
	case errand == 2:
		call = func() {
			_, _ = p.Statuses(ctx)
			_ = p.CancelRuns(ctx, run.ID)
		}
	}
	if call == nil {
		return nil
	}
	p.world.faults.struck("handler calls the scheduler")
	done := make(chan struct{})
	p.world.calls.Go(func() {
		defer close(done)
		call()
	})
	return done
}
