package inmemory

import (
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// filter is what Acquire, Claim and Due pass over.
type filter struct {
	jobs         map[string]struct{}
	oneShotsOnly bool // D42
}

func newFilter(excludeJobs []string, oneShotsOnly bool) filter {
	f := filter{oneShotsOnly: oneShotsOnly}
	if len(excludeJobs) > 0 {
		f.jobs = make(map[string]struct{}, len(excludeJobs))
		for _, job := range excludeJobs {
			f.jobs[job] = struct{}{}
		}
	}
	return f
}

func (f filter) passes(key provider.TriggerKey) bool {
	if _, excluded := f.jobs[key.Job]; excluded {
		return false
	}
	return !f.oneShotsOnly || provider.IsOneShot(key.Trigger)
}

// walk goes through due candidates in R029's order while the transaction
// changes them. It returns each trigger once, also where one is moved to a
// place that is due again.
type walk struct {
	t      *tx
	filter filter
	at     place
	begun  bool
	seen   map[provider.TriggerKey]struct{}
}

func (t *tx) walkDue(f filter) *walk {
	return &walk{t: t, filter: f, seen: map[provider.TriggerKey]struct{}{}}
}

// next returns the next due candidate; ok false at the end.
func (w *walk) next() (row provider.TriggerRecord, ok bool) {
	for {
		if w.begun {
			w.at, ok = w.t.waiting.next(w.at)
		} else {
			w.at, ok = w.t.waiting.first()
			w.begun = true
		}
		if !ok || !w.at.isDue(w.t.now) {
			return row, false
		}
		if _, again := w.seen[w.at.key]; again || !w.filter.passes(w.at.key) {
			continue
		}
		w.seen[w.at.key] = struct{}{}
		return w.t.triggers[w.at.key], true
	}
}

// nextDue returns the earliest due instant of a claimable trigger that passes
// the filter, due or not; zero if there is none.
func (t *tx) nextDue(f filter) time.Time {
	for p := range t.waiting.all() {
		if f.passes(p.key) {
			return t.triggers[p.key].NextFireAt
		}
	}
	return time.Time{}
}

// anyDue reports whether a candidate is left.
func (t *tx) anyDue(f filter) bool {
	next := t.nextDue(f)
	return !next.IsZero() && !next.After(t.now)
}

// readable reports whether this version knows every value of the rows; a newer
// node wrote them where it does not (D14). A zero RunAs is legal in tests that
// do not care for it.
func readable(row provider.TriggerRecord, job provider.JobRecord) bool {
	return row.Misfire.Valid() && (row.RunAs == 0 || row.RunAs.Valid()) &&
		job.Retry.Backoff.Valid() && (job.Source == 0 || job.Source.Valid())
}
