package scheduling

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// repeatLog is how often a fault that lasts is logged again.
const repeatLog = 30 * time.Second

// complaints keeps a fault that lasts from filling the log.
type complaints struct {
	mu   sync.Mutex
	open map[string]complaint
}

type complaint struct {
	since, logged time.Time
	count         int
}

// complain logs that an operation of the engine failed: at once, then every
// 30 s while it goes on.
func (s *Scheduler) complain(op string, err error, attrs ...slog.Attr) {
	now := s.clock.Now()
	s.faults.mu.Lock()
	c, known := s.faults.open[op]
	if !known {
		c.since = now
	}
	c.count++
	say := !known || elapsed(c.logged, now) >= repeatLog
	if say {
		c.logged = now
	}
	s.faults.open[op] = c
	s.faults.mu.Unlock()
	if say {
		s.log.LogAttrs(context.Background(), slog.LevelWarn, "scheduling: "+op+" failed; it is tried again",
			append(attrs, slog.Any("error", err), slog.Int("failures", c.count))...)
	}
}

// works ends what [Scheduler.complain] began.
func (s *Scheduler) works(op string) {
	now := s.clock.Now()
	s.faults.mu.Lock()
	c, known := s.faults.open[op]
	delete(s.faults.open, op)
	s.faults.mu.Unlock()
	if known {
		s.log.Info("scheduling: "+op+" works again",
			slog.Int("failures", c.count), slog.Duration("after", elapsed(c.since, now)))
	}
}

// outcome is complain or works, by err.
func (s *Scheduler) outcome(op string, err error) {
	if err != nil {
		s.complain(op, err)
	} else {
		s.works(op)
	}
}

// guard turns a panic of foreign code (a store, a calendar, a publisher) into
// an error, so that it ends neither the program nor the loop that called it.
func (s *Scheduler) guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("scheduling: panic in code that the engine called",
				slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
			err = provider.Unavailable("panic", fmt.Errorf("%v", r))
		}
	}()
	return f()
}

// loop runs one goroutine of the engine until its context ends, see turns.
func (s *Scheduler) loop(ctx context.Context, op string, turn func(context.Context) bool) {
	s.tasks.Go(func() { s.turns(ctx, op, turn) })
}

// turns calls turn until ctx ends or it returns false. A panic ends the turn,
// not the loop.
func (s *Scheduler) turns(ctx context.Context, op string, turn func(context.Context) bool) {
	for goOn := true; goOn && ctx.Err() == nil; {
		err := s.guard(func() error {
			goOn = turn(ctx)
			return nil
		})
		if err != nil {
			s.complain(op, err)
			pause(ctx, s.clock, s.opts.PollInterval, nil)
		}
	}
}

func shortAnswer(op string, got, want int) error {
	return provider.Unavailable(op, fmt.Errorf("the store answered %d items of %d: the provider is faulty", got, want))
}
