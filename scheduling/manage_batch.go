package scheduling

import (
	"cmp"
	"slices"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Management calls take many items and answer per item (R227, G8). Items that
// are not legal are found before anything is written, each with all its faults;
// they write nothing, and the other items are done. A call without items does
// nothing.

// batch collects the failed items of one call.
type batch struct {
	total  int
	failed []*ItemError
	// replaced leads from items that a later one of the same name replaces to
	// that one, whose fate they share (R107).
	replaced map[int]int
}

func (b *batch) fail(index int, key string, err error) {
	b.failed = append(b.failed, &ItemError{Index: index, Key: shownKey(key), Err: err})
}

// err is nil, or a [*BatchError] with the failed items in order.
func (b *batch) err() error {
	if len(b.failed) == 0 {
		return nil
	}
	for _, it := range b.failed {
		for earlier, later := range b.replaced {
			if later == it.Index {
				b.fail(earlier, it.Key, it.Err)
			}
		}
	}
	slices.SortStableFunc(b.failed, func(x, y *ItemError) int { return cmp.Compare(x.Index, y.Index) })
	return &BatchError{Items: b.failed, Total: b.total}
}

// item is one item of a call that goes to the store.
type item[T any] struct {
	index int
	key   string
	value T
}

// failAll reports that the store has refused all of the given items together.
// Where they are the whole call, the store's error is the answer as it is.
func failAll[T any](b *batch, items []item[T], err error) error {
	if len(items)+len(b.replaced) == b.total {
		return err
	}
	for _, it := range items {
		b.fail(it.index, it.key, err)
	}
	return b.err()
}

// each checks every value, gives the legal ones to do, and returns those that
// it has done.
func each[T any](values []T, key func(T) string, check func(T) error, do func([]T) ([]error, error)) ([]T, error) {
	b := &batch{total: len(values)}
	var legal []item[T]
	for i, v := range values {
		if err := check(v); err != nil {
			b.fail(i, key(v), err)
			continue
		}
		legal = append(legal, item[T]{i, key(v), v})
	}
	if len(legal) == 0 {
		return nil, b.err()
	}
	send := make([]T, len(legal))
	for i, it := range legal {
		send[i] = it.value
	}
	answers, err := do(send)
	if err == nil && len(answers) != len(send) {
		err = shortAnswer("management call", len(answers), len(send))
	}
	if err != nil {
		return nil, failAll(b, legal, err)
	}
	var done []T
	for i, it := range legal {
		if answers[i] != nil {
			b.fail(it.index, it.key, answers[i])
			continue
		}
		done = append(done, it.value)
	}
	return done, b.err()
}

func nameKey(name string) string { return name }

func triggerKey(k TriggerKey) string { return k.String() }

// checkJobName refuses a name that no job can have, without asking the store:
// there is no such job (R229, R230).
func checkJobName(name string) error {
	return absent(provider.CodeJobNotFound, name, provider.CheckName("job", name))
}

// checkTriggerKey refuses a key that no trigger can have.
func checkTriggerKey(k TriggerKey) error {
	err := provider.CheckName("job", k.Job)
	if err == nil {
		err = provider.CheckName("trigger", k.Trigger)
	}
	return absent(provider.CodeTriggerNotFound, k.String(), err)
}

// checkRunID refuses an id that no run can have.
func checkRunID(id string) error {
	return absent(provider.CodeRunNotFound, id, provider.CheckPrintable("run id", id))
}

// absent turns an illegal key into a not-found error that says why.
func absent(code provider.Code, key string, fault error) error {
	if fault == nil {
		return nil
	}
	return &provider.Error{Code: code, Key: shownKey(key), Reason: plainText(fault)}
}
