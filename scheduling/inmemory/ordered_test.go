package inmemory

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The set behaves as a sorted slice does, through chunks that split and empty.
func TestOrderedAgainstSlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	set, model := newOrdered(cmp.Compare[int]), []int{}
	for step := range 20_000 {
		item := random.IntN(2000)
		at, found := slices.BinarySearch(model, item)
		if grow := step < 8000; grow == (random.IntN(4) > 0) {
			set.insert(item)
			if !found {
				model = slices.Insert(model, at, item)
			}
		} else {
			set.remove(item)
			if found {
				model = slices.Delete(model, at, at+1)
			}
		}
		if set.len() != len(model) {
			t.Fatalf("step %d: %d items, want %d", step, set.len(), len(model))
		}
		probe := random.IntN(2002) - 1
		checkAround(t, set, model, probe)
		if step%500 == 0 && !slices.Equal(slices.Collect(set.all()), model) {
			t.Fatalf("step %d: order or items differ", step)
		}
	}
}

func checkAround(t *testing.T, set *ordered[int], model []int, probe int) {
	t.Helper()
	at, found := slices.BinarySearch(model, probe)
	if found {
		at++
	}
	next, ok := set.next(probe)
	if ok != (at < len(model)) || ok && next != model[at] {
		t.Fatalf("next of %d is %d, %v", probe, next, ok)
	}
	first, ok := set.first()
	if ok != (len(model) > 0) || ok && first != model[0] {
		t.Fatalf("first is %d, %v", first, ok)
	}
	tail := 0
	for item := range set.after(probe) {
		if item != model[at+tail] {
			t.Fatalf("item %d after %d is %d, want %d", tail, probe, item, model[at+tail])
		}
		if tail++; tail == 3 {
			break
		}
	}
	if want := min(3, len(model)-at); tail != want {
		t.Fatalf("%d items after %d, want %d", tail, probe, want)
	}
	if head := set.head(2); !slices.Equal(head, model[:min(2, len(model))]) {
		t.Fatalf("head is %v", head)
	}
}
