package cron

import "time"

// reach bounds how far apart two instants with the same reading can be: offsets
// stay within a day of UTC, so they differ by less than two.
const reach = 2 * secondsPerDay

// stretch is a span of instants, end excluded, with one offset in seconds east
// of UTC. Neighbouring stretches may have the same offset.
type stretch struct {
	start, end, offset int64
}

// stretchAt finds the stretch around an instant. Its end is never before the
// next change and never beyond it; its start may be too early, because the
// time package answers the start of the year where a zone's rule text rather
// than its table decides.
func stretchAt(at int64, loc *time.Location) stretch {
	t := time.Unix(at, 0).In(loc)
	_, offset := t.Zone()
	s := stretch{start: -none, end: none, offset: int64(offset)}
	start, end := t.ZoneBounds()
	if !start.IsZero() {
		s.start = start.Unix()
	}
	if !end.IsZero() {
		s.end = end.Unix()
		if s.end <= at {
			s.end += secondsPerDay // a year by rule text is taken for 365 days
			if s.end <= at {
				s.end = at + 1
			}
		}
	}
	return s
}

// shownBefore reports whether the reading that the clock shows at instant at,
// inside stretch s, was shown earlier as well, and if so the first instant
// after at that has a chance not to be such a repeat.
func shownBefore(at int64, s stretch, loc *time.Location) (resume int64, repeated bool) {
	if at-s.start >= reach && s.start%secondsPerDay != 0 {
		return 0, false
	}
	if s.start == -none {
		return 0, false
	}
	reading := at + s.offset
	for from := at - reach; ; {
		p := stretchAt(from, loc)
		if p.end > at {
			return 0, false
		}
		if shown := reading - p.offset; from <= shown && shown < p.end {
			return p.end + p.offset - s.offset, true
		}
		from = p.end
	}
}
