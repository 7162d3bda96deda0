package scheduling

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/gormsched/gormsched/scheduling/provider"
)

const (
	// maxEvents is how many events wait for the publisher; the oldest are
	// dropped and counted.
	maxEvents = 4096
	// publishLimit is how long one event may take.
	publishLimit = 10 * time.Second
)

// emitter hands events to the publisher, one after another, on a goroutine of
// its own that lives while there are any, so that a publisher that hangs, fails
// or panics touches no run (R271). Without publisher it does nothing (R270).
type emitter struct {
	s *Scheduler

	mu      sync.Mutex
	queue   []Event
	busy    bool
	dropped int64
	idle    chan struct{} // closed when the queue is empty; nil: nobody waits
}

func newEmitter(s *Scheduler) *emitter { return &emitter{s: s} }

// run publishes what happened to a run.
func (e *emitter) run(topic string, run provider.RunRecord) {
	if e.s.opts.Publisher != nil && topic != "" {
		e.add(runEvent(topic, run))
	}
}

// job publishes what this node did to a job.
func (e *emitter) job(topic, name string) {
	if e.s.opts.Publisher != nil {
		e.add(jobEvent(topic, name, e.s.opts.NodeID, uuid.NewString(), e.s.clock.Now()))
	}
}

func (e *emitter) add(event Event) {
	e.mu.Lock()
	dropped := int64(0)
	if len(e.queue) >= maxEvents {
		e.queue = e.queue[1:]
		e.dropped++
		dropped = e.dropped
	}
	e.queue = append(e.queue, event)
	start := !e.busy
	e.busy = true
	e.mu.Unlock()
	if dropped == 1 || dropped > 0 && dropped%1000 == 0 {
		e.s.log.Error("scheduling: events are dropped, the publisher is too slow", slog.Int64("dropped", dropped))
	}
	if start {
		go e.deliver()
	}
}

func (e *emitter) deliver() {
	for {
		e.mu.Lock()
		if len(e.queue) == 0 {
			e.busy = false
			if e.idle != nil {
				close(e.idle)
				e.idle = nil
			}
			e.mu.Unlock()
			return
		}
		event := e.queue[0]
		e.queue = e.queue[1:]
		e.mu.Unlock()
		e.s.outcome("publish events", e.publish(event))
	}
}

func (e *emitter) publish(event Event) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the publisher panicked: %v", r)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), publishLimit)
	defer cancel()
	return e.s.opts.Publisher.Publish(ctx, event)
}

// flush waits until everything was published or ctx ends.
func (e *emitter) flush(ctx context.Context) {
	e.mu.Lock()
	if !e.busy {
		e.mu.Unlock()
		return
	}
	if e.idle == nil {
		e.idle = make(chan struct{})
	}
	idle := e.idle
	e.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}
