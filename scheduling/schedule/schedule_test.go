package schedule

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// R158: four kinds; the zero value is manual.
func TestKinds(t *testing.T) {
	at := utc(t, "2026-11-01T00:00:00Z")
	for want, s := range map[Kind]Schedule{
		Manual:   NewManual(),
		Interval: MustEvery(time.Minute),
		Cron:     MustCron("0 9 * * *", ""),
		Once:     MustOnce(at),
	} {
		if s.Kind() != want {
			t.Errorf("kind %v, want %v", s.Kind(), want)
		}
		if s.Location() == nil {
			t.Errorf("%v: nil location", want)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%v: %v", want, err)
		}
		for other, o := range map[Kind]Schedule{Manual: {}, Interval: MustEvery(time.Minute), Cron: MustCron("0 0 9 * * ?", "UTC"), Once: MustOnce(at)} {
			if s.Equal(o) != (other == want) {
				t.Errorf("%v.Equal(%v) = %v", want, other, s.Equal(o))
			}
		}
	}
	for want, k := range map[string]Kind{"manual": Manual, "interval": Interval, "cron": Cron, "once": Once, "kind(9)": 9} {
		if k.String() != want {
			t.Errorf("Kind(%d).String() = %q", uint8(k), k.String())
		}
	}
}

func TestAccessors(t *testing.T) {
	at := time.Date(2026, 11, 1, 8, 0, 0, 1_999, time.FixedZone("", 8*3600))
	cut := utc(t, "2026-11-01T00:00:00.000001Z")
	e := MustEveryTimes(90*time.Minute, 7)
	if e.Interval() != 90*time.Minute || e.Repeat() != 7 || e.Expression() != nil || e.Zone() != "" || e.Location() != time.UTC || !e.At().IsZero() {
		t.Errorf("interval: %+v", e)
	}
	c := MustCron("0 9 * * MON-FRI", "Asia/Shanghai")
	if c.Expression().String() != "0 0 9 * * MON-FRI" || c.Zone() != "Asia/Shanghai" || c.Location().String() != "Asia/Shanghai" || c.Interval() != 0 || c.Repeat() != 0 {
		t.Errorf("cron: %+v", c)
	}
	if u := MustCron("0 9 * * *", ""); u.Zone() != "UTC" || u.Location() != time.UTC {
		t.Errorf("cron in UTC: zone %q, location %v", u.Zone(), u.Location())
	}
	o := MustOnce(at)
	if !o.At().Equal(cut) || o.At().Location() != time.UTC {
		t.Errorf("once: %v, want %v", o.At(), cut)
	}
	// The With methods cut, and change a copy only.
	w := e.WithStart(at).WithEnd(at.Add(time.Hour)).WithCalendar("holidays")
	if !w.Start().Equal(cut) || !w.End().Equal(cut.Add(time.Hour)) || w.Calendar() != "holidays" {
		t.Errorf("window: %v %v %q", w.Start(), w.End(), w.Calendar())
	}
	if !e.Start().IsZero() || !e.End().IsZero() || e.Calendar() != "" {
		t.Error("With changed its receiver")
	}
	if back := w.WithStart(time.Time{}).WithEnd(time.Time{}).WithCalendar(""); !back.Equal(e) {
		t.Errorf("removing the window: %v, want %v", back, e)
	}
	if e.Equal(MustEveryTimes(90*time.Minute, 8)) || e.Equal(MustEveryTimes(91*time.Minute, 7)) || c.Equal(MustCron("0 9 * * MON-FRI", "Asia/Hong_Kong")) || c.Equal(MustCron("1 9 * * MON-FRI", "Asia/Shanghai")) || o.Equal(MustOnce(at.Add(time.Microsecond))) {
		t.Error("different schedules are equal")
	}
	for _, changed := range []Schedule{w.WithStart(time.Time{}), w.WithEnd(time.Time{}), w.WithCalendar(""), e} {
		if changed.Equal(w) {
			t.Errorf("%v equals %v", changed, w)
		}
	}
}

// R159, R160, G4: bounds are named, with the value.
func TestEveryBounds(t *testing.T) {
	for _, d := range []time.Duration{time.Microsecond, 1_999 * time.Nanosecond, time.Second, MaxInterval, MaxInterval + 999} {
		s, err := NewEvery(d)
		if err != nil {
			t.Errorf("%v: %v", d, err)
		}
		if s.Interval() != d.Truncate(time.Microsecond) {
			t.Errorf("%v: interval %v", d, s.Interval())
		}
	}
	for _, d := range []time.Duration{0, 1, 999, -1, -time.Hour, math.MinInt64} {
		_, err := NewEvery(d)
		wantError(t, err, "interval", d.String(), "at least 1µs")
	}
	for _, d := range []time.Duration{MaxInterval + time.Microsecond, math.MaxInt64} {
		_, err := NewEvery(d)
		wantError(t, err, "interval", d.String(), "36525 days")
	}
	for _, n := range []int64{0, -1, math.MinInt64} {
		_, err := NewEveryTimes(time.Second, n)
		wantError(t, err, "repeat count", "at least 1")
	}
	if _, err := NewEveryTimes(0, 1); err == nil {
		t.Error("NewEveryTimes took interval 0")
	}
	if s := MustEveryTimes(time.Second, math.MaxInt64); s.Repeat() != math.MaxInt64 {
		t.Errorf("repeat %d", s.Repeat())
	}
}

func TestOnceBounds(t *testing.T) {
	for _, at := range []time.Time{minInstant, maxInstant, maxInstant.Add(999)} {
		if _, err := NewOnce(at); err != nil {
			t.Errorf("%v: %v", at, err)
		}
	}
	for _, at := range []time.Time{{}, minInstant.Add(-1), maxInstant.Add(time.Microsecond), time.Unix(math.MaxInt64/2, 0), time.Unix(math.MinInt64/2, 0)} {
		_, err := NewOnce(at)
		wantError(t, err, "once", "1970 to 9999")
	}
}

// The error of the cron parser stays reachable.
func TestCronError(t *testing.T) {
	_, err := NewCron("0 0 25 * * *", "Asia/Shanghai")
	wantError(t, err, "schedule", "25")
	var parse *cron.ParseError
	if !errors.As(err, &parse) {
		t.Errorf("no *cron.ParseError in %v", err)
	}
	// G4: the faults of both, together.
	_, err = NewCron("0 0 25 * * *", "Nowhere/Land")
	wantError(t, err, "25", "Nowhere/Land", "time/tzdata")
	_, err = NewCronCalendar("0 0 25 * * *", "Nowhere/Land")
	wantError(t, err, "25", "Nowhere/Land", "time/tzdata")
	_, err = NewDailyCalendar("1", "2", "Nowhere/Land")
	wantError(t, err, `from "1"`, `to "2"`, "Nowhere/Land", "time/tzdata")
	_, err = Parse("cron 0 0 25 * * * tz=Nowhere/Land start=soon end=later")
	wantError(t, err, "25", "Nowhere/Land", `start "soon"`, `end "later"`)
}

func TestMustPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"MustEvery":             func() { MustEvery(0) },
		"MustEveryTimes":        func() { MustEveryTimes(time.Second, 0) },
		"MustCron":              func() { MustCron("x", "") },
		"MustOnce":              func() { MustOnce(time.Time{}) },
		"MustParse":             func() { MustParse("x") },
		"MustDate":              func() { MustDate("2026-02-30") },
		"MustHolidayCalendar":   func() { MustHolidayCalendar([]Date{{}}, "") },
		"MustWeeklyCalendar":    func() { MustWeeklyCalendar([]time.Weekday{7}, "") },
		"MustDailyCalendar":     func() { MustDailyCalendar("1", "2", "") },
		"MustCronCalendar":      func() { MustCronCalendar("x", "") },
		"MustCompositeCalendar": func() { MustCompositeCalendar(nil) },
	} {
		func() {
			defer func() {
				if _, isErr := recover().(error); !isErr {
					t.Errorf("%s did not panic with an error", name)
				}
			}()
			f()
		}()
	}
}

// Validate reports all faults together (G4) and never looks at a clock (B79).
func TestValidate(t *testing.T) {
	early, late := utc(t, "2001-01-01T00:00:00Z"), utc(t, "2002-01-01T00:00:00Z")
	every := MustEvery(time.Hour)
	for _, s := range []Schedule{
		{},
		every.WithStart(early).WithEnd(early), // B79: stored window in the past, start = end
		every.WithStart(early).WithEnd(late),
		every.WithCalendar("h"),
		every.WithCalendar("0.a_b-c"),
		every.WithCalendar(string(make128('z'))),
		MustOnce(late).WithEnd(early),   // never runs, legal
		MustOnce(early).WithStart(late), // never runs, legal
	} {
		if err := s.Validate(); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
	for _, c := range []struct {
		s     Schedule
		parts []string
	}{
		{every.WithStart(late).WithEnd(early), []string{"start 2002", "end 2001", "exchange"}},
		{every.WithStart(early.Add(time.Microsecond)).WithEnd(early), []string{"start", "is after end"}},
		{every.WithStart(minInstant.Add(-time.Hour)), []string{"start 1969", "1970 to 9999"}},
		{every.WithEnd(maxInstant.Add(time.Hour)), []string{"end 10000", "1970 to 9999"}},
		{NewManual().WithStart(early), []string{"manual", "remove"}},
		{NewManual().WithEnd(early), []string{"manual", "remove"}},
		{NewManual().WithCalendar("holidays"), []string{"manual", "holidays", "remove"}},
		{every.WithCalendar("Holidays"), []string{"calendar", `"Holidays"`, "byte 1", "a-z"}},
		{every.WithCalendar("-a"), []string{"calendar", "byte 1"}},
		{every.WithCalendar("a b"), []string{"calendar", "byte 2"}},
		{every.WithCalendar("a\x00"), []string{"calendar", "byte 2"}},
		{every.WithCalendar("é"), []string{"calendar", "byte 1"}},
		{every.WithCalendar(string(make128('z')) + "z"), []string{"calendar", "129 bytes"}},
		{every.WithStart(late).WithEnd(early).WithCalendar("A"), []string{"is after end", "byte 1"}},
		{NewManual().WithStart(late).WithEnd(early).WithCalendar("A"), []string{"start and end on a manual", "calendar \"A\" on a manual", "is after end", "byte 1"}},
	} {
		wantError(t, c.s.Validate(), c.parts...)
		if _, err := c.s.MarshalText(); err == nil {
			t.Errorf("%v: MarshalText wrote a faulty schedule", c.s)
		}
	}
}

func make128(c byte) []byte {
	b := make([]byte, 128)
	for i := range b {
		b[i] = c
	}
	return b
}
