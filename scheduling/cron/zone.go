package cron

import "time"

// reach bounds how far apart two instants with the same reading can be: offsets
// stay within a day of UTC, so they differ by less than two.
const reach = 2 * secondsPerDay

// stretch is a span of instants with one offset, in seconds east of UTC. It
// holds the instant that it was asked for and ends, exclusively, at or before
// the next change; neighbouring stretches may have the same offset.
type stretch struct {
	end, offset int64
}

// stretchAt finds the stretch around an instant. It makes no use of where the
// time package says that a stretch starts: for years that follow a zone's rule
// text that may be the start of the year, and earlier than the last change.
func stretchAt(at int64, loc *time.Location) stretch {
	t := time.Unix(at, 0).In(loc)
	_, offset := t.Zone()
	s := stretch{end: none, offset: int64(offset)}
	if _, end := t.ZoneBounds(); !end.IsZero() {
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

// stretchFrom finds the stretch around an instant. steady says that the offset
// was the same for all the time before it in which a repeat can have its first
// pass: no reading of the stretch from there on was shown before.
func stretchFrom(at int64, loc *time.Location) (s stretch, steady bool) {
	s, steady = stretchAt(at-reach, loc), true
	for s.end <= at {
		s, steady = s.following(steady, loc)
	}
	return s, steady
}

// following finds the next stretch and takes steady on to it.
func (s stretch) following(steady bool, loc *time.Location) (stretch, bool) {
	n := stretchAt(s.end, loc)
	return n, steady && n.offset == s.offset
}

// shownBefore reports whether the clock showed the reading at some instant
// before at, and if so the last of that stretch's readings plus one: the first
// that is no such repeat.
func shownBefore(reading, at int64, loc *time.Location) (resume int64, repeated bool) {
	for from := at - reach; ; {
		s := stretchAt(from, loc)
		if s.end > at {
			return 0, false
		}
		if shown := reading - s.offset; from <= shown && shown < s.end {
			return s.end + s.offset, true
		}
		from = s.end
	}
}
