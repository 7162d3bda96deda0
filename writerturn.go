package gormsched

import "context"

// writerTurn lets the writing transactions of one store go one after the other
// where the database has one writer, in the order in which they came. Without it
// they wait in SQLite's busy handler, which sleeps up to 100 ms between its looks,
// in no order. It orders nothing between processes, nor between the store and the
// application, whose transactions never wait for a turn: a store that holds the
// turn and waits for the application's writer waits as long as it would alone.
//
// The turn is taken before the connection, and given back after both have ended:
// who waits for it holds nothing.
type writerTurn chan struct{}

func newWriterTurn(singleWriter bool) writerTurn {
	if !singleWriter {
		return nil
	}
	return make(writerTurn, 1)
}

// take waits for the turn until ctx ends. A nil writerTurn is nobody's.
func (w writerTurn) take(ctx context.Context) (giveBack func(), err error) {
	if w == nil {
		return func() {}, nil
	}
	select {
	case w <- struct{}{}:
		return func() { <-w }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
