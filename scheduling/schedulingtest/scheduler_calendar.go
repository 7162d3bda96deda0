package schedulingtest

import (
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// excluding makes a case of a job whose schedule names a calendar: for which
// instants it ran, and how its trigger is left. The beginning is a Saturday at
// midnight, UTC.
func excluding(name, rules, explanation, text string, calendar func() (scheduling.Calendar, error), from, lasts time.Duration, due, left string) Case {
	return alone(name, rules, explanation, func(w *World) {
		n := w.engine("a")
		c, err := calendar()
		w.must(err, "the calendar")
		w.must(n.AddCalendar("days", c), "AddCalendar")
		w.must(n.Schedule(w.ctx, does("x", text+" calendar=days", handledBy("nop"))), "Schedule")
		w.sleepTo(from)
		n.run()
		w.sleep(lasts)
		w.same("occurrences", w.due("x"), due)
		w.same("trigger", w.state("x"), left)
	})
}

func daily(from, to, zone string) func() (scheduling.Calendar, error) {
	return func() (scheduling.Calendar, error) { return schedule.NewDailyCalendar(from, to, zone) }
}

func weekends() (scheduling.Calendar, error) { return schedule.NewWeeklyCalendar(nil, "") }

func never() (scheduling.Calendar, error) { return yes{}, nil }

// yes excludes everything, and cannot tell where that ends.
type yes struct{}

func (yes) IsExcluded(time.Time) bool { return true }

// firstHalf excludes the first half of each minute.
type firstHalf struct{}

func (firstHalf) IsExcluded(at time.Time) bool { return at.Second() < 30 }

var calendarCases = []Case{
	excluding("CalendarOfTheApplication", "R184 R143 R165", "instants that a calendar excludes are skipped",
		"cron */10 * * * * *", func() (scheduling.Calendar, error) { return firstHalf{}, nil }, 0, 65*time.Second, "30s 40s 50s", "Waiting 1m30s"),
	excluding("CalendarDefersAnInterval", "R185", "an interval that falls into an exclusion waits for its end",
		"every 00:00:20", daily("00:00:10", "00:00:35", ""), 0, 40*time.Second, "35s", "Waiting 55s"),
	excluding("CalendarExcludesOnce", "R186", "a once schedule whose instant is excluded never runs",
		"once 2000-01-01T00:00:05Z", daily("00:00", "00:01", ""), 0, 10*time.Second, "", "Complete never"),
	excluding("CalendarDailyEnd", "R190", "the beginning of a daily span is excluded, its end is not",
		"cron */10 * * * * *", daily("00:00:10", "00:00:30", ""), 0, 35*time.Second, "30s", "Waiting 40s"),
	excluding("CalendarDailyOverMidnight", "R190", "a span that begins after its end goes over midnight",
		"cron 0 0 * * * *", daily("23:00", "02:00", ""), 2*time.Hour-time.Second, 5*time.Second, "2h0m0s", "Waiting 3h0m0s"),
	excluding("CalendarWeekend", "R189", "a weekly calendar without days excludes Saturday and Sunday",
		"cron 0 0 9 * * *", weekends, 57*time.Hour-time.Second, 5*time.Second, "57h0m0s", "Waiting 81h0m0s"),
	excluding("CalendarZone", "R188 R193", "a calendar's days are those of its zone",
		"cron 0 0 * * * *", func() (scheduling.Calendar, error) {
			return schedule.NewHolidayCalendar([]schedule.Date{{Year: 2000, Month: 1, Day: 1}}, "Asia/Tokyo")
		}, 15*time.Hour-time.Second, 5*time.Second, "15h0m0s", "Waiting 16h0m0s"),
	excluding("CalendarCron", "R191", "a cron calendar excludes the seconds that it matches",
		"cron */10 * * * * *", func() (scheduling.Calendar, error) { return schedule.NewCronCalendar("0-29 * * * * *", "") },
		0, 45*time.Second, "30s 40s", "Waiting 50s"),
	excluding("CalendarComposite", "R192", "a composite calendar excludes what any member does",
		"cron */10 * * * * *", func() (scheduling.Calendar, error) {
			early, err := schedule.NewCronCalendar("0-20 * * * * *", "")
			if err != nil {
				return nil, err
			}
			return schedule.NewCompositeCalendar(early, firstHalf{})
		}, 0, 45*time.Second, "30s 40s", "Waiting 50s"),
	excluding("CalendarExcludesEverything", "R187 R267 D18 B88", "a schedule whose instants are all excluded is Complete",
		"cron * * * * * *", never, 0, 5*time.Second, "", "Complete never"),
	excluding("CalendarLongStretch", "R187 D18 B84", "a stretch whose end a calendar can tell counts as one",
		"cron * * * * * *", daily("00:00", "03:00", ""), 3*time.Hour-time.Second, 2500*time.Millisecond, "3h0m0s 3h0m1s", "Waiting 3h0m2s"),
	alone("CalendarOfMisfires", "R184 R197", "a missed occurrence counts on by the calendar", func(w *World) {
		n := w.engine("a")
		c, err := daily("00:12", "00:20", "")()
		w.must(err, "the calendar")
		w.must(n.AddCalendar("days", c), "AddCalendar")
		w.must(n.Schedule(w.ctx, does("x", "cron 0 * * * * * calendar=days", handledBy("nop"))), "Schedule")
		w.sleepTo(11*time.Minute + 10*time.Second)
		n.run()
		w.sleep(3 * time.Second)
		w.same("occurrences", w.due("x"), "11m10s")
		w.same("trigger", w.state("x"), "Waiting 20m0s")
	}),
}
