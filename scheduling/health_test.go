package scheduling_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/inmemory"
)

// A node that has nothing to do, may not claim, or has no slot left is healthy
// for as long as that lasts; one that sends heartbeats while its claims go
// wrong, or never come back, is not, and is again when they do (D26, D30).
func TestHealth(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := newStore(t, inmemory.Options{})
		n := newNode(t, store, scheduling.Options{NodeID: "a", MaxConcurrentRuns: 1, PollInterval: time.Second})
		release := make(chan struct{})
		n.Handle("x", func(context.Context, *scheduling.Run) error { <-release; return nil })
		n.job(scheduling.JobDefinition{Name: "x"})
		is := func(what string, want error) scheduling.Health {
			t.Helper()
			h := n.Health()
			if !errors.Is(h.Err, want) || want == nil && h.Err != nil {
				t.Errorf("%s: %v, want %v", what, h.Err, want)
			}
			return h
		}
		is("before Run", scheduling.ErrNotServing)
		n.run()
		sleep(10 * time.Minute)
		h := is("with nothing to do", nil)
		if now := time.Now(); !h.Serving || !h.Leader || now.Sub(h.LastPass) > 2*time.Second || now.Sub(h.LastHeartbeat) > 20*time.Second {
			t.Errorf("with nothing to do: %+v at %v", h, now)
		}
		if _, err := n.Enqueue(t.Context(), scheduling.EnqueueRequest{Job: "x"}); err != nil {
			t.Fatal(err)
		}
		sleep(10 * time.Minute)
		if h = is("with all slots in use", nil); h.Running != 1 || h.Slots != 1 {
			t.Errorf("%d of %d slots are in use, want 1 of 1", h.Running, h.Slots)
		}
		close(release)
		sleep(time.Second)
		n.link.setStrike(func(op string) error {
			if op == "Claim" {
				return errAway
			}
			return nil
		})
		sleep(10 * time.Second)
		is("shortly after claims began to fail", nil)
		sleep(2 * time.Minute)
		h = is("with claims that fail", scheduling.ErrStoreUnavailable)
		if time.Since(h.LastHeartbeat) > 20*time.Second {
			t.Errorf("the last heartbeat is of %v at %v", h.LastHeartbeat, time.Now())
		}
		n.link.setStrike(nil)
		sleep(2 * time.Second)
		is("with claims that go well again", nil)
		n.link.setCut(true)
		sleep(2 * time.Minute)
		is("cut off", scheduling.ErrStoreUnavailable)
		n.link.setCut(false)
		sleep(time.Minute)
		is("connected again", nil)
		n.stop()
		is("stopped", scheduling.ErrNotServing)
	})
}

// StartPaused is no fault, however long it lasts (D41).
func TestHealthOfAPausedNode(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newNode(t, newStore(t, inmemory.Options{}), scheduling.Options{NodeID: "a", StartPaused: true}).run()
		sleep(time.Hour)
		if h := n.Health(); h.Err != nil || !h.Paused || !h.LastPass.IsZero() {
			t.Errorf("paused: %+v", h)
		}
		n.Unpause()
		sleep(2 * time.Second)
		if h := n.Health(); h.Err != nil || h.Paused || h.LastPass.IsZero() {
			t.Errorf("unpaused: %+v", h)
		}
		n.stop()
	})
}
