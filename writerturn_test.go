package gormsched

import (
	"context"
	"errors"
	"testing"
	"time"
)

// The writing transactions of a store on SQLite begin in the order in which they
// came; one that waits for its turn holds no connection, ends with its context
// and leaves the turn as it was. Reads wait for nobody (R025).
func TestWritersTakeTurns(t *testing.T) {
	d := sqliteDatabase(t)
	s := d.store(t, Options{})
	pool, err := s.core.db.DB()
	if err != nil {
		t.Fatal(err)
	}
	first, goOn := make(chan struct{}), make(chan struct{})
	var order []int
	done := make(chan error, 4)
	write := func(ctx context.Context, n int, in func()) {
		done <- s.core.inTx(ctx, "writing", txManage, func(*tx) error {
			in()
			order = append(order, n)
			return nil
		}, nil)
	}
	go write(t.Context(), 0, func() { close(first); <-goOn })
	<-first
	for n := 1; n <= 2; n++ {
		go write(t.Context(), n, func() {})
		time.Sleep(20 * time.Millisecond) // the next comes after it
	}
	if n := pool.Stats().InUse; n != 1 {
		t.Errorf("%d connections are in use while one writes, want 1", n)
	}
	if _, err := s.Now(t.Context()); err != nil {
		t.Errorf("a read beside a writer: %v", err)
	}
	ending, cancel := context.WithCancel(t.Context())
	go write(ending, 3, func() {})
	time.Sleep(20 * time.Millisecond)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("who waited and gave up: %v", err)
	}
	close(goOn)
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
		t.Errorf("they wrote in the order %v, want 0, 1, 2", order)
	}
}
