package inmemory

import (
	"cmp"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// place is where a trigger stands in an index. In those ordered by instant it
// is R029's order: due instant ascending, priority descending, key ascending.
// In those ordered by key the first two are 0.
type place struct {
	due      int64 // epoch microseconds
	priority int
	text     string // the key's text form, by whose bytes keys are ordered
	key      provider.TriggerKey
}

// duePlace is a trigger's place by due instant.
func duePlace(t provider.TriggerRecord) place {
	return place{due: t.NextFireAt.UnixMicro(), priority: t.Priority, text: t.TriggerKey.String(), key: t.TriggerKey}
}

// keyPlace is a trigger's place by key.
func keyPlace(k provider.TriggerKey) place { return place{text: k.String(), key: k} }

func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(b.priority, a.priority), cmp.Compare(a.text, b.text))
}

// isDue reports whether the place's instant has come.
func (p place) isDue(now time.Time) bool { return p.due <= now.UnixMicro() }

// runPlace is where a run stands in an index.
type runPlace struct {
	at       int64 // epoch microseconds of the instant that the index is about
	sequence int64
	id       string
}

// startedPlace orders Running runs by start, then id.
func startedPlace(r provider.RunRecord) runPlace {
	return runPlace{at: r.StartedAt.UnixMicro(), id: r.ID}
}

// completedPlace orders finished runs by completion, ties as D21 says.
func completedPlace(r provider.RunRecord) runPlace {
	return runPlace{at: r.CompletedAt.UnixMicro(), sequence: r.Sequence, id: r.ID}
}

// scheduledPlace orders all runs by occurrence, ties as D21 says.
func scheduledPlace(r provider.RunRecord) runPlace {
	return runPlace{at: r.ScheduledAt.UnixMicro(), sequence: r.Sequence, id: r.ID}
}

func compareRunPlaces(a, b runPlace) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.sequence, b.sequence), cmp.Compare(a.id, b.id))
}

// newestFirst is the order of history pages (R114).
func newestFirst(a, b runPlace) int { return compareRunPlaces(b, a) }
