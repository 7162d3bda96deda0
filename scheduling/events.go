package scheduling

import "context"

// Event is one envelope.
type Event struct{}

// EventPublisher receives events.
type EventPublisher interface {
	Publish(ctx context.Context, event Event) error
}
