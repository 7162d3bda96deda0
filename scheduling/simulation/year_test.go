package simulation

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// zones have their clock changes in different weeks, by an hour or by half of
// one, in both directions; one has none.
var zones = []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Tokyo"}

// sparse are the schedules of the year: those at 01:30, 01:45 and 02:30 meet
// the clock changes.
var sparse = []struct {
	name, cron   string
	hour, minute int
	on           func(day time.Time) bool
	misfire      scheduling.MisfirePolicy
}{
	{"early", "0 30 1 * * *", 1, 30, nil, scheduling.RunOnce},
	{"gap", "0 30 2 * * *", 2, 30, nil, scheduling.RunAll},
	{"half", "0 45 1 * * *", 1, 45, nil, scheduling.Skip},
	{"midnight", "0 0 0 * * *", 0, 0, nil, scheduling.Skip},
	{"weekly", "0 15 2 * * SUN", 2, 15, sundays, scheduling.RunOnce},
	{"sunday", "0 30 1 * * SUN", 1, 30, sundays, scheduling.RunAll},
	{"first", "0 30 1 1 * *", 1, 30, firstDay, scheduling.RunAll},
	{"last", "0 30 2 L * *", 2, 30, lastDay, scheduling.RunOnce},
	{"payday", "0 0 8 LW * *", 8, 0, lastWeekday, scheduling.RunOnce},
	{"business", "0 30 9 * * * calendar", 9, 30, business, scheduling.Skip},
}

// yearJobs are a job for each zone, and the plans of their schedules.
func yearJobs() (defs []scheduling.JobDefinition, known map[string]plan, calendars map[string]scheduling.Calendar) {
	known, calendars = map[string]plan{}, map[string]scheduling.Calendar{}
	for i, zone := range zones {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			panic(err)
		}
		name := fmt.Sprintf("days-%d", i)
		var dates []schedule.Date
		for year := 2028; year <= 2029; year++ {
			for _, h := range holidays {
				dates = append(dates, schedule.Date{Year: year, Month: time.Month(h[0]), Day: h[1]})
			}
		}
		calendars[name] = schedule.MustCompositeCalendar(must(schedule.NewWeeklyCalendar(nil, zone)), must(schedule.NewHolidayCalendar(dates, zone)))
		def := scheduling.JobDefinition{Name: fmt.Sprintf("zone-%d", i), RequestsRecovery: true, AllowConcurrent: i%2 == 0}
		for _, s := range sparse {
			expr := s.cron
			if s.name == "business" {
				expr = "0 30 9 * * *"
			}
			text := scheduling.MustCron(expr, zone)
			if s.name == "business" {
				text = text.WithCalendar(name)
			}
			def.Triggers = append(def.Triggers, scheduling.TriggerDefinition{Name: s.name, Schedule: text, Misfire: s.misfire})
			known[text.String()] = plan{wall: &wallPlan{zone: loc, hour: s.hour, minute: s.minute, on: s.on}}
		}
		defs = append(defs, def)
	}
	return defs, known, calendars
}

// stretch is a part of the simulated year.
type stretch struct{ from, to time.Time }

// day is midnight in UTC. The year is a leap year.
func day(month, day int) time.Time {
	return time.Date(2028, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// live lets two nodes live through a stretch. Now and then one of them, or both,
// are away for minutes, hours or days, and always over a change of the clock in
// New York or Berlin when the seed is even.
func (w *world) live(s stretch) {
	for slot := range w.slots {
		w.start(slot)
	}
	month := w.began.AddDate(0, 0, 30)
	for time.Now().Before(s.to) && w.out.sound() {
		pass(between(w.rnd, 6*time.Hour, 4*24*time.Hour))
		if time.Now().After(month) {
			month = month.AddDate(0, 0, 30)
			w.check()
		}
		away := between(w.rnd, 2*time.Minute, 3*time.Hour)
		if w.rnd.IntN(3) == 0 {
			away = between(w.rnd, 3*time.Hour, 100*time.Hour)
		}
		if w.chance.seed%2 == 0 { // until the next change, and over it
			if at, soon := nextChange(time.Now()); soon {
				pass(time.Until(at) - 40*time.Minute)
				away = between(w.rnd, 50*time.Minute, 4*time.Hour)
			}
		}
		both := w.rnd.IntN(3) > 0
		for slot, p := range w.slots {
			if slot > 0 && !both {
				continue
			}
			if w.rnd.IntN(2) == 0 {
				w.kill(p)
			} else {
				w.stop(p)
			}
		}
		w.faults.struck("away")
		pass(away)
		for slot := range w.slots {
			if slot == 0 || both {
				w.start(slot)
			}
		}
	}
	w.faults.calm()
	pass(30 * time.Minute)
	for _, p := range w.slots {
		w.stop(p)
	}
	w.ended.Wait()
	w.handlers.Wait()
	w.check()
	w.finished = w.ledger.present()
	w.out.judge.end(w.finished)
	w.lived = time.Since(w.began)
}

// nextChange is the next change of a clock within a week, two days after the
// last at the earliest.
func nextChange(now time.Time) (at time.Time, soon bool) {
	for _, zone := range zones[:3] {
		_, end := now.Add(2 * time.Hour).In(must(time.LoadLocation(zone))).ZoneBounds()
		if left := end.Sub(now); !end.IsZero() && left > 2*time.Hour && left < 7*24*time.Hour && (!soon || end.Before(at)) {
			at, soon = end, true
		}
	}
	return at, soon
}

// R180, R181, R195–R199, D13, D17: schedules of days, weeks and months at a
// PollInterval of a minute, over the clock changes of three zones in both
// directions, judged by a model that looks at one minute after the other. It
// runs a fortnight around each change, and the whole year where
// GORMSCHED_SIM_YEAR is set.
func TestYear(t *testing.T) {
	stretches := []stretch{{day(3, 5), day(4, 9)}, {day(9, 24), day(11, 13)}}
	if setting(t, "GORMSCHED_SIM_YEAR", 0) != 0 {
		stretches = []stretch{{day(1, 1), day(12, 31)}}
	}
	first, seeds := setting(t, "GORMSCHED_SIM_FIRST", 1), 2
	if shuffled || testing.Short() { // under the race detector an hour takes ten times as long
		first, seeds, stretches = 2, 1, stretches[:1]
	}
	if one := setting(t, "GORMSCHED_SIM_SEED", 0); one != 0 {
		first, seeds = one, 1
	}
	var mu sync.Mutex
	faults, counts := map[string]int{}, map[string]int{}
	t.Run("seeds", func(t *testing.T) {
		for seed := first; seed < first+seeds; seed++ {
			for _, s := range stretches {
				t.Run(fmt.Sprintf("seed=%d/%s", seed, s.from.Format("January")), func(t *testing.T) {
					t.Parallel()
					var w *world
					synctest.Test(t, func(t *testing.T) {
						w = newYear(t, uint64(seed), s)
						w.live(s)
					})
					w.report(t, fmt.Sprintf("GORMSCHED_SIM_SEED=%d", seed))
					mu.Lock()
					defer mu.Unlock()
					add(faults, w.faults.count)
					add(counts, w.out.judge.counts)
					counts["simulated days"] += int(w.lived.Hours() / 24)
				})
			}
		}
	})
	t.Logf("faults: %s", tally(faults))
	t.Logf("seen: %s", tally(counts))
	for _, what := range []string{"runs/Schedule", "misfires run once", "misfires skipped", "misfires made up", "occurrences folded"} {
		if counts[what] == 0 {
			t.Errorf("nothing was seen of %q", what)
		}
	}
}

// newYear is a world of two nodes at the beginning of a stretch.
func newYear(t *testing.T, seed uint64, s stretch) *world {
	pass(time.Until(s.from))
	defs, known, calendars := yearJobs()
	w := newWorldAt(t, seed, byMinute, known)
	w.calendars, w.slots = calendars, make([]*process, 2)
	w.jobs = func(int64) []scheduling.JobDefinition { return defs }
	return w
}

// The model of a zone's clock against instants worked out by hand: what the
// change leaves out does not run, what it repeats runs the first time only.
func TestWallPlan(t *testing.T) {
	york, howe := must(time.LoadLocation("America/New_York")), must(time.LoadLocation("Australia/Lord_Howe"))
	for _, c := range []struct {
		plan        wallPlan
		after, want string
	}{
		{wallPlan{zone: york, hour: 2, minute: 30}, "2028-03-11T12:00:00Z", "2028-03-13T06:30:00Z"}, // no 02:30 on the 12th
		{wallPlan{zone: york, hour: 3, minute: 0}, "2028-03-11T12:00:00Z", "2028-03-12T07:00:00Z"},
		{wallPlan{zone: york, hour: 1, minute: 30}, "2028-11-05T05:00:00Z", "2028-11-05T05:30:00Z"},
		{wallPlan{zone: york, hour: 1, minute: 30}, "2028-11-05T05:30:00Z", "2028-11-06T06:30:00Z"}, // not at 06:30 on the 5th
		{wallPlan{zone: howe, hour: 2, minute: 15}, "2028-09-30T00:00:00Z", "2028-10-01T15:15:00Z"}, // half an hour is left out
		{wallPlan{zone: howe, hour: 1, minute: 45}, "2028-04-01T14:50:00Z", "2028-04-02T15:15:00Z"}, // and comes twice
		{wallPlan{zone: york, hour: 8, minute: 0, on: lastWeekday}, "2028-09-01T00:00:00Z", "2028-09-29T12:00:00Z"},
		{wallPlan{zone: york, hour: 9, minute: 30, on: business}, "2028-12-22T15:00:00Z", "2028-12-27T14:30:00Z"},
		{wallPlan{zone: york, hour: 2, minute: 30, on: lastDay}, "2028-02-01T00:00:00Z", "2028-02-29T07:30:00Z"},
	} {
		after, want := must(time.Parse(time.RFC3339, c.after)), must(time.Parse(time.RFC3339, c.want))
		if got := c.plan.next(after); !got.Equal(want) {
			t.Errorf("%d:%02d in %v after %v: got %v, want %v", c.plan.hour, c.plan.minute, c.plan.zone, after, got, want)
		}
	}
}

// A history of the clock change in New York is rejected when a next instant is
// off by the hour that the clock is changed by.
func TestYearRejectsDoctoredHistories(t *testing.T) {
	for _, s := range []stretch{{day(3, 10), day(3, 14)}, {day(11, 3), day(11, 7)}} {
		var w *world
		synctest.Test(t, func(t *testing.T) {
			w = newYear(t, 1, s)
			w.out.keep = true
			w.faults.calm()
			for slot := range w.slots {
				w.start(slot)
			}
			pass(time.Until(s.to))
			for _, p := range w.slots {
				w.stop(p)
			}
			w.ended.Wait()
			w.handlers.Wait()
			w.finished = time.Now()
		})
		judge := func(h []event) *judge {
			_, known, _ := yearJobs()
			j := newJudge(w.began, w.pace, known)
			for i := range h {
				j.see(&h[i])
			}
			return j
		}
		if j := judge(w.out.all); len(j.violations) > 0 || j.counts["runs"] < 30 {
			t.Fatalf("the true history of %d runs is rejected: %v", j.counts["runs"], j.violations)
		}
		for _, by := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour} {
			h := edit(begins(func(_ *event, c *triggerChange, run *provider.RunRecord) bool {
				c.after.ScheduledAt = c.after.ScheduledAt.Add(by)
				c.after.NextFireAt = c.after.ScheduledAt
				return run.TriggerName == "early" && run.Job == "zone-0"
			}))(w.out.all)
			if j := judge(h); !slices.ContainsFunc(j.violations, func(v violation) bool { return v.rule == ruleNext }) {
				t.Errorf("%v: a next instant that is off by %v is not rejected: %v", s.from, by, j.violations)
			}
		}
	}
}
