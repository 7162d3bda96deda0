package schedule

import (
	"fmt"
	"time"
)

// CompositeCalendar excludes what any of its members excludes (R192). Members
// that know the ends of their stretches and members that answer only yes or no
// may be mixed. The zero value excludes nothing.
type CompositeCalendar struct {
	members []Calendar // none nil, none a CompositeCalendar
}

// NewCompositeCalendar returns the calendar of the members; none exclude
// nothing. Composite members are replaced by their own members. A nil member
// is an error that names its index.
func NewCompositeCalendar(members ...Calendar) (CompositeCalendar, error) {
	var c CompositeCalendar
	for i, m := range members {
		switch m := m.(type) {
		case nil:
			return CompositeCalendar{}, fmt.Errorf("schedule: composite calendar: members[%d] is nil; leave it out", i)
		case CompositeCalendar:
			c.members = append(c.members, m.members...)
		default:
			c.members = append(c.members, m)
		}
	}
	return c, nil
}

// MustCompositeCalendar is [NewCompositeCalendar] for literals; it panics on
// an error.
func MustCompositeCalendar(members ...Calendar) CompositeCalendar {
	return must(NewCompositeCalendar(members...))
}

// IsExcluded reports whether any member excludes at.
func (c CompositeCalendar) IsExcluded(at time.Time) bool {
	for _, m := range c.members {
		if m.IsExcluded(at) {
			return true
		}
	}
	return false
}

// maxHops bounds the stretches of members that one stretch of a composite is
// put together from. A longer one is answered in parts.
const maxHops = 16

// ExcludedUntil returns the first instant after at that no member excludes.
// Where only a member that answers yes or no excludes an instant, the stretch
// is known up to that instant; and an end may come early when a stretch is put
// together from more than 16 of the members' own, as where two of them exclude
// by turns for ever.
func (c CompositeCalendar) ExcludedUntil(at time.Time) (end time.Time, excluded bool) {
	end = at.UTC()
	for range maxHops {
		a := c.ask(end)
		switch {
		case a.never:
			return time.Time{}, true
		case a.known:
			end, excluded = a.end, true
		case excluded || a.excluded:
			return end, true
		default:
			return time.Time{}, false
		}
	}
	return end, true
}

// ask returns the farthest answer that any member gives for one instant.
func (c CompositeCalendar) ask(at time.Time) (farthest answer) {
	for _, m := range c.members {
		a := ask(m, at)
		switch {
		case a.never:
			return a
		case a.known && (!farthest.known || a.end.After(farthest.end)):
			farthest = a
		case a.excluded && !farthest.excluded:
			farthest = a
		}
	}
	return farthest
}
