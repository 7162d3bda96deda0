package schedule

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

// R166, R167, D37: canonical text both ways.
func TestText(t *testing.T) {
	at := utc(t, "2026-11-01T00:00:00Z")
	for want, s := range map[string]Schedule{
		"manual":                                 NewManual(),
		"every 00:10:00":                         MustEvery(10 * time.Minute),
		"every 00:10:00 x5":                      MustEveryTimes(10*time.Minute, 5),
		"every 1.12:00:00":                       MustEvery(36 * time.Hour),
		"every 23:59:59":                         MustEvery(day - time.Second),
		"every 1.00:00:00":                       MustEvery(day),
		"every 00:00:00.0000010":                 MustEvery(time.Microsecond),
		"every 00:00:01.5000000":                 MustEvery(1500 * time.Millisecond),
		"every 36525.00:00:00":                   MustEvery(MaxInterval),
		"every 00:00:01 x9223372036854775807":    MustEveryTimes(time.Second, math.MaxInt64),
		"cron 0 0 9 * * MON-FRI":                 MustCron("0 0 9 * * MON-FRI", ""),
		"cron 0 0 9 * * MON-FRI tz=Asia/Tokyo":   MustCron("0 9 ? * 1-5", "Tokyo Standard Time"),
		"cron 0 0 12 1 1 * 2040":                 MustCron("0 0 12 1 1 ? 2040", "Etc/UTC"),
		"cron 0 0 9 * * MON-FRI tz=Etc/GMT+12":   MustCron("0 0 9 * * MON-FRI", "Dateline Standard Time"),
		"once 2026-11-01T00:00:00.0000000+00:00": MustOnce(at),
		"once 2026-11-01T00:00:00.1234560+00:00": MustOnce(at.Add(123456789)),
		"every 00:10:00 x5 start=2026-11-01T00:00:00.0000000+00:00 end=2026-11-01T00:00:00.0000010+00:00 calendar=public.holidays": MustEveryTimes(10*time.Minute, 5).
			WithStart(at).WithEnd(at.Add(time.Microsecond)).WithCalendar("public.holidays"),
		"cron 0 0 9 * * MON-FRI tz=Asia/Shanghai end=2026-11-01T00:00:00.0000000+00:00": MustCron("0 0 9 * * MON-FRI", "Asia/Shanghai").WithEnd(at),
		"once 2026-11-01T00:00:00.0000000+00:00 calendar=a":                             MustOnce(at).WithCalendar("a"),
	} {
		if got := s.String(); got != want {
			t.Errorf("wrote %q, want %q", got, want)
		}
		back, err := Parse(want)
		if err != nil {
			t.Errorf("%q: %v", want, err)
			continue
		}
		if !back.Equal(s) || back.String() != want {
			t.Errorf("%q read back as %q", want, back)
		}
	}
}

// D37: what people type.
func TestParseTyped(t *testing.T) {
	for text, want := range map[string]string{
		"Manual":                          "manual",
		"\t manual \t":                    "manual",
		"EVERY  00:10:00\tX5":             "every 00:10:00 x5",
		"every 0:1:2":                     "every 00:01:02",
		"every 0.0:0:1":                   "every 00:00:01",
		"every 00007.00:00:00":            "every 7.00:00:00",
		"every 00:00:00.123456789":        "every 00:00:00.1234560",
		"every 1:00:00.5":                 "every 01:00:00.5000000",
		"every 00:10:00 x005":             "every 00:10:00 x5",
		"cron 0 9 * * mon-fri":            "cron 0 0 9 * * MON-FRI",
		"Cron 0\t9 * * 1-5 TZ=UTC":        "cron 0 0 9 * * MON-FRI",
		"cron 0 9 * * 1-5 tz=utc":         "cron 0 0 9 * * MON-FRI",
		"cron 0 9 * * 1-5 tz=Etc/UTC":     "cron 0 0 9 * * MON-FRI",
		"cron 0 9 * * * tz=Asia/Shanghai": "cron 0 0 9 * * * tz=Asia/Shanghai",
		// tz= runs to the next key; Windows ids have spaces.
		"cron 0 9 * * * tz=China Standard Time":                                            "cron 0 0 9 * * * tz=Asia/Shanghai",
		"cron 0 9 * * * tz=w. europe standard time":                                        "cron 0 0 9 * * * tz=Europe/Berlin",
		"cron 0 9 * * * tz=Pacific Standard Time (Mexico) calendar=h":                      "cron 0 0 9 * * * tz=America/Tijuana calendar=h",
		"cron 0 9 * * * tz=China  Standard\tTime end=2027-01-01T00:00:00Z":                 "cron 0 0 9 * * * tz=Asia/Shanghai end=2027-01-01T00:00:00.0000000+00:00",
		"cron 0 9 * * * calendar=h START=2026-01-01T00:00:00+08:00 tz=Tokyo Standard Time": "cron 0 0 9 * * * tz=Asia/Tokyo start=2025-12-31T16:00:00.0000000+00:00 calendar=h",
		"cron 0 9 * * * tz=UTC-11":                                                         "cron 0 0 9 * * * tz=Etc/GMT+11",
		"once 2026-11-01T08:00:00+08:00":                                                   "once 2026-11-01T00:00:00.0000000+00:00",
		"once 2026-11-01T00:00:00.9999999Z":                                                "once 2026-11-01T00:00:00.9999990+00:00",
		"every 01:00:00 end=1999-01-01T00:00:00Z":                                          "every 01:00:00 end=1999-01-01T00:00:00.0000000+00:00",                           // B79
		"once 2020-01-01T00:00:00Z start=2021-01-01T00:00:00Z":                             "once 2020-01-01T00:00:00.0000000+00:00 start=2021-01-01T00:00:00.0000000+00:00", // never runs, legal
	} {
		s, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if s.String() != want {
			t.Errorf("%q read as %q, want %q", text, s, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const start = " start=2026-11-01T00:00:00Z"
	for text, parts := range map[string][]string{
		"":                                    {"empty", "every 00:10:00"},
		" \t ":                                {"empty"},
		"daily":                               {`kind "daily"`, "manual, every, cron or once"},
		"every":                               {"interval", "every 00:10:00"},
		"every x5":                            {`interval "x5"`, "hh:mm:ss"},
		"every 10m":                           {`interval "10m"`, "perhaps 00:10:00"},
		"every 1h30m":                         {"perhaps 01:30:00"},
		"every 10:00":                         {`interval "10:00"`, "perhaps 10:00:00"},
		"every 600":                           {`interval "600"`, "hh:mm:ss"},
		"every 0:0:0:1":                       {"hh:mm:ss"},
		"every 24:00:00":                      {"hours go to 23", "1.00:00:00"},
		"every 36:30:00":                      {"1.12:30:00"},
		"every 2.36:30:00":                    {"3.12:30:00"},
		"every 00:60:00":                      {"minutes go to 59"},
		"every 00:00:60":                      {"seconds go to 59"},
		"every 000:00:01":                     {`"000"`, "two digits"},
		"every -00:10:00":                     {`"-00"`, "two digits"},
		"every 00:1O:00":                      {`"1O"`},
		"every ::":                            {`""`},
		"every 00:00:01.":                     {"1 to 9 digits"},
		"every 00:00:01.1234567890":           {"1 to 9 digits"},
		"every 00:00:01.5s":                   {"1 to 9 digits"},
		"every 1.5:00:00.x":                   {"1 to 9 digits"},
		"every -1.00:00:00":                   {"days", "not a number"},
		"every .00:00:01":                     {"days", "not a number"},
		"every 00:00:00":                      {"interval 0s", "at least 1µs"},
		"every 00:00:00.000000999":            {"at least 1µs"},
		"every 36525.00:00:00.000001":         {"36525 days"},
		"every 36526.00:00:00":                {"more than 36525 days"},
		"every 99999999999.00:00:00":          {"more than 36525 days"},
		"every 9223372036854775808.00:00:00":  {"more than 36525 days"},
		"every 99999999999999999999.00:00:00": {"more than 36525 days"},
		"every 00:10:00 5":                    {`part "5"`},
		"every 00:10:00 x":                    {`repeat count "x"`},
		"every 00:10:00 x0":                   {`repeat count "x0"`, "leave it out"},
		"every 00:10:00 x-1":                  {"x-1"},
		"every 00:10:00 x+1":                  {"x+1"},
		"every 00:10:00 x1.5":                 {"x1.5"},
		"every 00:10:00 x9223372036854775808": {"x9223372036854775808", "9223372036854775807"},
		"every 00:10:00 x5 x6":                {`part "x6"`},
		"every 00:10:00 tz=Asia/Tokyo":        {`tz "Asia/Tokyo"`, "only a cron"},
		"manual 5":                            {`"5"`, "manual"},
		"manual tz=UTC":                       {"only a cron"},
		"manual" + start:                      {"manual", "remove"},
		"manual calendar=h":                   {"manual", "remove"},
		"cron":                                {"expression", "missing"},
		"cron tz=Asia/Tokyo":                  {"expression", "missing"},
		"cron 0 9 * *":                        {"4 fields"},
		"cron 0 9 * * * zone=Asia/Tokyo":      {`"zone=Asia/Tokyo"`, "not known"},
		"cron 0 9 * * * tz=":                  {"tz= has no value"},
		"cron 0 9 * * * tz= Asia/Tokyo":       {"tz= is followed by a space"},
		"cron 0 9 * * * tz=Local":             {"Local", "time/tzdata"},
		"cron 0 9 * * * tz=Asia/Nowhere":      {"Asia/Nowhere", "time/tzdata"},
		"cron 0 9 * * * tz=Asia/Tokyo tz=UTC": {"tz= stands twice"},
		"cron 0 9 * * * tz=Asia/Tokyo x5":     {"Asia/Tokyo x5"},
		"once":                                {"instant", "missing"},
		"once now":                            {`once "now"`},
		"once 2026-11-01T00:00:00":            {"offset is missing"},
		"once 2026-11-01 00:00:00Z":           {"time of day"},
		"once 2026-11-01T00:00:00Z x2":        {`part "x2"`},
		"every 00:10:00 start=":               {"start= has no value"},
		"every 00:10:00 start= end=":          {"start= has no value"},
		"every 00:10:00 start=soon":           {`start "soon"`},
		"every 00:10:00 calendar=":            {"calendar= has no value"},
		"every 00:10:00 calendar= h":          {"calendar= is followed by a space"},
		"every 00:10:00 calendar=a b":         {`part "b"`},
		"every 00:10:00 calendar=Holidays":    {`calendar "Holidays"`, "a-z"},
		"every 00:10:00 start=a end=b":        {`start "a"`, `end "b"`},
		"every 00:10:00" + start + start:      {"start= stands twice"},
		"every 00:10:00" + start + " x5":      {`part "x5"`},
		"every 00:10:00 = ":                   {`part "="`},
		"every 00:10:00 end=2026-10-01T00:00:00Z" + start: {"is after end", "exchange"},
	} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%q was read", text)
			continue
		}
		wantError(t, err, parts...)
	}
}

// Hostile input: an error that names the byte, never a panic, and short.
func TestParseHostile(t *testing.T) {
	mib := 1 << 20
	for text, part := range map[string]string{
		"every 00:10:00\x00":                                           "byte 15 is 0x00",
		"\x00":                                                         "byte 1 is 0x00",
		"every\n00:10:00":                                              "byte 6 is 0x0a",
		"manual\r\n":                                                   "byte 7 is 0x0d",
		"every 00:10:00\x7f":                                           "byte 15 is 0x7f",
		"every 00:1\xff:00":                                            "byte 11 is 0xff",
		"cron 0 9 * * * tz=Asia/Tōkyō":                                 "printable ASCII",
		"every\u00a000:10:00":                                          "printable ASCII",
		"\ufeffmanual":                                                 "printable ASCII",
		"every ００:10:00":                                               "printable ASCII",
		strings.Repeat("a", mib):                                       "1048576 bytes",
		"every " + strings.Repeat("9", mib):                            "bytes",
		"cron " + strings.Repeat("* ", mib/2):                          "bytes",
		"cron * * * * * tz=" + strings.Repeat("A", mib):                "bytes",
		strings.Repeat(" ", mib):                                       "bytes",
		strings.Repeat("\x00", mib):                                    "bytes",
		"every " + strings.Repeat("9", 4000):                           "hh:mm:ss",
		"every " + strings.Repeat("9", 4000) + ".00:00:00":             "more than",
		"cron " + strings.Repeat("* ", 2000):                           "fields",
		"cron " + strings.Repeat("1,", 2000) + "1 * * * *":             "",
		"cron * * * * * tz=" + strings.Repeat("A", 4000):               "bytes",
		"cron * * * * * tz=" + strings.Repeat("../", 5) + "etc/passwd": "time/tzdata",
		"every 00:10:00 calendar=" + strings.Repeat("a", 4000):         "4000 bytes",
		strings.Repeat("a=", 2000):                                     "kind",
		"every 00:10:00 " + strings.Repeat("end= ", 700):               "end= stands twice",
	} {
		_, err := Parse(text)
		if err == nil {
			if part == "" {
				continue
			}
			t.Errorf("%q was read", text[:min(len(text), 40)])
			continue
		}
		wantError(t, err, part)
	}
	if _, err := NewCron(strings.Repeat("*", mib), ""); err == nil {
		t.Error("a cron expression of 1 MiB was read")
	} else {
		wantError(t, err, "1048576 bytes")
	}
	_, err := NewCron("* * * * *", strings.Repeat("A", mib))
	wantError(t, err, "1048576 bytes")
}

func TestMarshalText(t *testing.T) {
	type config struct{ Plan Schedule }
	in := config{MustCron("0 9 * * *", "Asia/Shanghai").WithCalendar("h")}
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"Plan":"cron 0 0 9 * * * tz=Asia/Shanghai calendar=h"}`; string(b) != want {
		t.Errorf("wrote %s, want %s", b, want)
	}
	var out config
	if err := json.Unmarshal(b, &out); err != nil || !out.Plan.Equal(in.Plan) {
		t.Errorf("read %v, %v", out.Plan, err)
	}
	kept := out.Plan
	if err := json.Unmarshal([]byte(`{"Plan":"every now"}`), &out); err == nil {
		t.Error("bad text was read")
	}
	if !out.Plan.Equal(kept) {
		t.Error("an error changed the schedule")
	}
}
