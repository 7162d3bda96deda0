package scheduling_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// G8: one error per failing item, with index and key; errors.Is and errors.As
// look into each.
func TestBatchError(t *testing.T) {
	batch := &scheduling.BatchError{Total: 5, Items: []*scheduling.ItemError{
		{Index: 1, Key: "a", Err: provider.NotFound(provider.CodeJobNotFound, "a")},
		{Index: 3, Key: "b/t", Err: fmt.Errorf("wrapped: %w", scheduling.ErrTriggerNotFound)},
	}}
	err := fmt.Errorf("pausing: %w", batch)
	for _, want := range []error{scheduling.ErrJobNotFound, scheduling.ErrTriggerNotFound} {
		if !errors.Is(err, want) {
			t.Errorf("not %v", want)
		}
	}
	if errors.Is(err, scheduling.ErrRunNotFound) {
		t.Error("it is an ErrRunNotFound")
	}
	var item *scheduling.ItemError
	if !errors.As(err, &item) || item.Index != 1 {
		t.Errorf("item %+v", item)
	}
	failed := scheduling.ItemErrors(err)
	if len(failed) != 2 || !errors.Is(failed[3], scheduling.ErrTriggerNotFound) {
		t.Errorf("by index: %v", failed)
	}
	for _, want := range []string{"2 of 5 items failed", `item 1 ("a")`, "SCHEDULING_NOTFOUND_001", `item 3 ("b/t")`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("text %q lacks %q", err, want)
		}
	}
	if scheduling.ItemErrors(errors.New("x")) != nil || scheduling.ItemErrors(nil) != nil {
		t.Error("items of an error that is no batch's")
	}
}

// A long batch's text stays short; a single item's is its own.
func TestBatchErrorText(t *testing.T) {
	batch := &scheduling.BatchError{Total: 1000}
	for i := range 1000 {
		batch.Items = append(batch.Items, &scheduling.ItemError{Index: i, Key: "j", Err: scheduling.ErrJobNotFound})
	}
	if text := batch.Error(); len(text) > 2000 || !strings.Contains(text, "and 990 more") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
	single := &scheduling.BatchError{Total: 1, Items: []*scheduling.ItemError{{Key: "j", Err: scheduling.ErrJobNotFound}}}
	equal(t, "single", single.Error(), scheduling.ErrJobNotFound.Error())
}

// R289–R305: each sentinel has its code, and no two are the same.
func TestSentinels(t *testing.T) {
	sentinels := []error{
		scheduling.ErrJobNotFound, scheduling.ErrHandlerNotFound, scheduling.ErrTriggerNotFound, scheduling.ErrRunNotFound,
		scheduling.ErrNoCodeDefinition, scheduling.ErrInvalidDefinition, scheduling.ErrInvalidPage, scheduling.ErrJobRunning,
		scheduling.ErrLeaseHeld, scheduling.ErrRunCanceled, scheduling.ErrNotServing, scheduling.ErrElectionUnavailable,
		scheduling.ErrStoreUnavailable, scheduling.ErrStoreFull, scheduling.ErrRunTimeout, scheduling.ErrRunPanicked,
		scheduling.ErrLeaderUnreachable,
	}
	for i, a := range sentinels {
		for j, b := range sentinels {
			if errors.Is(a, b) != (i == j) {
				t.Errorf("errors.Is(%v, %v)", a, b)
			}
		}
	}
}
