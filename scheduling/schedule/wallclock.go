package schedule

import "time"

const secondsPerDay = 86_400

// zonePeriod returns the offset of loc at an instant, in seconds east of UTC,
// and an instant up to which it certainly stays; zero when it stays for ever.
// Nothing says that it changes there: the time package answers the end of the
// year where a zone's rule text rather than its table decides.
func zonePeriod(at time.Time, loc *time.Location) (offset int, end time.Time) {
	local := at.In(loc)
	_, offset = local.Zone()
	_, end = local.ZoneBounds()
	if end.IsZero() {
		return offset, end
	}
	if !end.After(at) {
		// Where the rule text decides, time.Time.ZoneBounds takes each year
		// for 365 days. No zone changes on the day that this leaves over.
		end = at.UTC().Truncate(day).Add(day)
	}
	return offset, end.UTC()
}

// wall is a reading of a zone's clock: days since 1970-01-01 and the time
// since midnight on the clock, which on a day of change is not the time that
// has passed.
type wall struct {
	day int64
	tod time.Duration
}

func wallAt(at time.Time, offset int) wall {
	seconds := at.Unix() + int64(offset)
	days := seconds / secondsPerDay
	if seconds%secondsPerDay < 0 {
		days--
	}
	tod := time.Duration(seconds-days*secondsPerDay) * time.Second
	return wall{day: days, tod: tod + time.Duration(at.Nanosecond())}
}

// readWall returns the reading of loc's clock at an instant.
func readWall(at time.Time, loc *time.Location) wall {
	_, offset := at.In(loc).Zone()
	return wallAt(at, offset)
}

// weekday follows from 1970-01-01 having been a Thursday.
func (w wall) weekday() time.Weekday {
	return time.Weekday(((w.day+int64(time.Thursday))%7 + 7) % 7)
}

// maxLeaps bounds the changes of offset that one stretch is followed through:
// more than a century of two a year.
const maxLeaps = 1_000

// leaveWall finds the first instant at or after at, at which the clock of loc
// shows a reading that is not excluded. excluded answers how long, on a clock
// that is not changed, a reading stays excluded; 0 = it is not. After maxLeaps
// changes of offset it returns how far it came, which is still a stretch.
func leaveWall(at time.Time, loc *time.Location, excluded func(wall) time.Duration) time.Time {
	for range maxLeaps {
		offset, end := zonePeriod(at, loc)
		stay := excluded(wallAt(at, offset))
		if stay == 0 {
			return at
		}
		at = at.Add(stay)
		if !end.IsZero() && at.After(end) {
			at = end // the clock may be changed here: read it again
		}
	}
	return at
}

// orUTC lets the zero value of a calendar be used.
func orUTC(loc *time.Location) *time.Location {
	if loc == nil {
		return time.UTC
	}
	return loc
}
