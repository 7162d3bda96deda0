package schedule

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// The oracle knows calendars only as questions to the time package about one
// instant, and walks real time minute by minute. It shares no code with the
// package: no periods of constant offset, no arithmetic on readings.

// oracle pairs a calendar with its meaning.
type oracle struct {
	name   string
	cal    StretchCalendar
	closed func(at time.Time) bool
}

// openFrom finds the first whole minute after at that is open; ok is false
// when there is none within limit.
func (o oracle) openFrom(at time.Time, limit time.Duration) (time.Time, bool) {
	for m := at.Truncate(time.Minute).Add(time.Minute); m.Sub(at) <= limit; m = m.Add(time.Minute) {
		if !o.closed(m) {
			return m, true
		}
	}
	return time.Time{}, false
}

// oracleZones are the targets of the Windows ids and what they leave out:
// changes of half an hour, two and three hours, skipped and repeated days,
// changes at midnight and at 00:01, Ramadan, opposite sides of the date line.
var oracleZones = sync.OnceValue(func() []string {
	zones := slices.Collect(maps.Values(windowsZones))
	zones = append(zones, "Antarctica/Troll", "Antarctica/Casey", "America/Scoresbysund", "Pacific/Kwajalein",
		"Africa/El_Aaiun", "Asia/Gaza", "America/Goose_Bay", "America/Toronto", "Europe/Dublin", "Asia/Manila",
		"Pacific/Norfolk", "America/Caracas", "Asia/Kabul", "Europe/Lisbon", "Pacific/Fakaofo", "Asia/Famagusta")
	slices.Sort(zones)
	return slices.Compact(zones)
})

// changes returns every change of offset of a zone from the beginning of one
// year to the end of another, within 1980 to 2061.
func changes(t testing.TB, zone string, fromYear, toYear int) []time.Time {
	all, ok := allChanges.Load(zone)
	if !ok {
		all, _ = allChanges.LoadOrStore(zone, findChanges(zoneOf(t, zone), 1980, 2062))
	}
	var some []time.Time
	for _, at := range all.([]time.Time) {
		if at.Year() >= fromYear && at.Year() <= toYear {
			some = append(some, at)
		}
	}
	return some
}

var allChanges sync.Map // zone → []time.Time

// findChanges looks at each day and halves where the offset differs.
func findChanges(loc *time.Location, fromYear, toYear int) []time.Time {
	offset := func(unix int64) int { _, o := time.Unix(unix, 0).In(loc).Zone(); return o }
	var found []time.Time
	last := time.Date(toYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	for u := time.Date(fromYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix(); u < last; u += 86_400 {
		lo, hi := u, u+86_400
		if offset(lo) == offset(hi) {
			continue
		}
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; offset(mid) == offset(lo) {
				lo = mid
			} else {
				hi = mid
			}
		}
		found = append(found, time.Unix(hi, 0).UTC())
	}
	return found
}

// randomOracle draws one calendar of any built-in kind around an instant.
func randomOracle(t testing.TB, r *rand.Rand, zone string, around time.Time, depth int) oracle {
	loc := zoneOf(t, zone)
	switch kind := r.IntN(4 + depth); kind {
	case 0: // holidays near the instant, singly and in runs
		dates := make(map[Date]bool)
		var list []Date
		for range 1 + r.IntN(4) {
			d := DateOf(around.In(loc).AddDate(0, 0, r.IntN(7)-3))
			dates[d] = true
			list = append(list, d)
		}
		return oracle{fmt.Sprintf("holiday %v %s", list, zone), MustHolidayCalendar(list, zone), func(at time.Time) bool {
			y, m, d := at.In(loc).Date()
			return dates[Date{y, m, d}]
		}}
	case 1:
		days := make([]time.Weekday, 1+r.IntN(4))
		for i := range days {
			days[i] = time.Weekday(r.IntN(7))
		}
		return oracle{fmt.Sprintf("weekly %v %s", days, zone), MustWeeklyCalendar(days, zone), func(at time.Time) bool {
			return slices.Contains(days, at.In(loc).Weekday())
		}}
	case 2:
		// Most changes fall between 22:00 and 04:00.
		clock := func() int { return (22*60 + r.IntN(6*60)*(1+r.IntN(2))) % (24 * 60) }
		from, to := clock(), clock()
		if from == to {
			to = (to + 1) % (24 * 60)
		}
		text := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60, m%60) }
		return oracle{fmt.Sprintf("daily %s–%s %s", text(from), text(to), zone), MustDailyCalendar(text(from), text(to), zone), func(at time.Time) bool {
			h, m, _ := at.In(loc).Clock()
			now := text(h*60 + m)
			if from < to {
				return text(from) <= now && now < text(to)
			}
			return now >= text(from) || now < text(to)
		}}
	case 3:
		first := r.IntN(24)
		last := first + r.IntN(24-first)
		return oracle{fmt.Sprintf("cron hours %d–%d %s", first, last, zone), MustCronCalendar(fmt.Sprintf("* * %d-%d * * *", first, last), zone), func(at time.Time) bool {
			h := at.In(loc).Hour()
			return first <= h && h <= last
		}}
	}
	a := randomOracle(t, r, zone, around, 0)
	b := randomOracle(t, r, oracleZones()[r.IntN(len(oracleZones()))], around, 0)
	return oracle{a.name + " + " + b.name, MustCompositeCalendar(a.cal, b.cal), func(at time.Time) bool {
		return a.closed(at) || b.closed(at)
	}}
}

// chain is the longest closed stretch that the oracle walks.
const chain = 12 * day

// R184–R193, B86: each calendar against the oracle, at instants around changes
// of offset from 1980 to 2060: excluded or not, and until when.
func TestCalendarsAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	perZone := 15
	if testing.Short() {
		perZone = 5
	}
	compared, closed := 0, 0
	for _, zone := range oracleZones() {
		around := changes(t, zone, 1980, 2059)
		around = append(around, time.Date(2028, 12, 31, 12, 0, 0, 0, time.UTC), time.Date(2044, 12, 31, 23, 0, 0, 0, time.UTC))
		for range perZone {
			change := around[r.IntN(len(around))]
			o := randomOracle(t, r, zone, change, 2)
			at := change.Add(time.Duration(r.Int64N(int64(4*day))) - 2*day).Truncate(time.Microsecond)
			for range 4 {
				want := o.closed(at)
				compared++
				if got := o.cal.IsExcluded(at); got != want {
					t.Fatalf("%s at %v: excluded %v, want %v", o.name, at, got, want)
				}
				end, excluded := o.cal.ExcludedUntil(at)
				if excluded != want {
					t.Fatalf("%s at %v: ExcludedUntil says %v, want %v", o.name, at, excluded, want)
				}
				if !want {
					at = at.Add(time.Duration(r.Int64N(int64(day)))).Truncate(time.Microsecond)
					continue
				}
				closed++
				open, ok := o.openFrom(at, chain)
				if !ok { // by turns for ever: the end may be early, not wrong
					if !end.IsZero() && !o.closed(end.Add(-1)) {
						t.Fatalf("%s at %v: excluded until %v, inside an open stretch", o.name, at, end)
					}
					break
				}
				if _, composite := o.cal.(CompositeCalendar); composite {
					for hops := 0; hops < 8 && excluded && !end.Equal(open); hops++ {
						end, excluded = o.cal.ExcludedUntil(end) // a stretch of many parts
					}
				}
				if !end.Equal(open) {
					t.Fatalf("%s at %v: excluded until %v, want %v", o.name, at, end, open)
				}
				at = open.Add(-1) // the stretch's last nanosecond, then its end
				if end, excluded := o.cal.ExcludedUntil(at); !excluded || !end.Equal(open) {
					t.Fatalf("%s at %v: last nanosecond excluded %v until %v", o.name, at, excluded, end)
				}
				at = open
			}
		}
	}
	t.Logf("%d zones, %d instants compared, %d stretches walked", len(oracleZones()), compared, closed)
	if closed < compared/10 {
		t.Errorf("only %d of %d instants were excluded: the test proves little", closed, compared)
	}
}

// R159, R184, R185: Next of cron and interval schedules with calendars against
// the oracle. The cron oracle asks the expression alone and drops what is
// closed.
func TestNextAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	expressions := []string{"*/20 * * * *", "0 * * * *", "30 1,2,3 * * *", "0 0 * * *", "15 23 * * SUN", "0 */2 1-15 * *"}
	compared := 0
	for _, zone := range oracleZones() {
		around := changes(t, zone, 2010, 2040)
		around = append(around, time.Date(2028, 12, 31, 12, 0, 0, 0, time.UTC))
		for range 8 {
			change := around[r.IntN(len(around))]
			o := randomOracle(t, r, zone, change, 2)
			after := change.Add(time.Duration(r.Int64N(int64(3*day))) - 36*time.Hour).Truncate(time.Microsecond)

			interval := time.Duration(1+r.Int64N(int64(36*time.Hour/time.Microsecond))) * time.Microsecond
			due, ok := after.Add(interval), true
			want := due
			if o.closed(want) {
				want, ok = o.openFrom(want, chain)
			}
			if ok {
				compared++
				if got, _ := MustEvery(interval).Next(after, 1, o.cal); !got.Equal(want) {
					t.Fatalf("every %v after %v, %s: got %v, want %v", interval, after, o.name, got, want)
				}
				// The same calendar without ends: same answer, unless the
				// opening was shorter than the step at that distance.
				step := time.Minute
				if want.Sub(due) > minuteSteps*time.Minute {
					step = time.Hour
				}
				if got, _ := MustEvery(interval).Next(after, 1, plain(o.cal)); !got.Equal(want) && openFor(o, want) > step {
					t.Fatalf("every %v after %v, %s as yes/no: got %v, want %v", interval, after, o.name, got, want)
				}
			}

			s := MustCron(expressions[r.IntN(len(expressions))], zone)
			want, ok = after, true
			for steps := 0; ok && (steps == 0 || o.closed(want)); steps++ {
				want, ok = s.Expression().Next(want, s.Location())
				ok = ok && want.Before(after.AddDate(horizonYears, 0, 0)) && steps < MaxExcluded
			}
			if !ok {
				continue
			}
			compared++
			for _, cal := range []Calendar{o.cal, plain(o.cal)} {
				if got, _ := s.Next(after, 1, cal); !got.Equal(want) {
					t.Fatalf("%v after %v, %s (%T): got %v, want %v", s, after, o.name, cal, got, want)
				}
			}
		}
	}
	t.Logf("%d answers compared", compared)
	if compared < 2000 {
		t.Errorf("only %d answers compared", compared)
	}
}

// openFor is how long the calendar stays open from at.
func openFor(o oracle, at time.Time) time.Duration {
	for d := time.Minute; ; d += time.Minute {
		if o.closed(at.Add(d)) || d > time.Hour {
			return d
		}
	}
}
