package schedule

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // every zone must load, whatever the machine has
)

// noZones is a machine without zone data.
func noZones(name string) (*time.Location, error) {
	return nil, errors.New("unknown time zone " + name)
}

// R161, D37: every Windows id leads to a zone that exists; no id stands for
// another in a different case.
func TestWindowsZones(t *testing.T) {
	if n := len(windowsZones); n != 139 {
		t.Errorf("%d ids, want the 139 of CLDR 48", n)
	}
	if n := len(windowsFolded()); n != len(windowsZones) {
		t.Errorf("%d ids differ only in case", len(windowsZones)-n)
	}
	for id, iana := range windowsZones {
		if _, err := time.LoadLocation(iana); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		for _, typed := range []string{id, strings.ToUpper(id), strings.ToLower(id)} {
			s, err := NewCron("0 9 * * *", typed)
			if err != nil {
				t.Errorf("%s: %v", typed, err)
				continue
			}
			if s.Zone() != iana || s.Location().String() != iana {
				t.Errorf("%s: zone %q, location %v, want %s", typed, s.Zone(), s.Location(), iana)
			}
		}
		if strings.ContainsAny(id, "=\t") || strings.Contains(id, "  ") || strings.TrimSpace(id) != id {
			t.Errorf("%q does not survive the text form", id)
		}
	}
}

// The standard offset of a Windows id is what its name in Windows says; a
// sample of those that are easily mixed up.
func TestWindowsZoneOffsets(t *testing.T) {
	january := utc(t, "2026-01-15T00:00:00Z")
	for id, hours := range map[string]float64{
		"UTC-11": -11, "UTC+12": 12, "UTC+13": 13, "Dateline Standard Time": -12,
		"China Standard Time": 8, "W. Europe Standard Time": 1, "Central Standard Time": -6,
		"Central Standard Time (Mexico)": -6, "India Standard Time": 5.5, "Nepal Standard Time": 5.75,
		"Aus Central W. Standard Time": 8.75, "Chatham Islands Standard Time": 13.75, "Samoa Standard Time": 13,
		"Pacific SA Standard Time": -3, "Newfoundland Standard Time": -3.5, "UTC": 0,
	} {
		_, offset := january.In(MustCron("0 9 * * *", id).Location()).Zone()
		if float64(offset)/3600 != hours {
			t.Errorf("%s: offset %v h, want %v h", id, float64(offset)/3600, hours)
		}
	}
}

// D37: Local and unknown zones are errors that name time/tzdata.
func TestZoneRefused(t *testing.T) {
	for _, zone := range []string{
		"Local", "local", "LOCAL", "localtime", "Asia/Nowhere", "Mars/Base", "Asia/", "/etc/localtime", "../../etc/passwd",
		"Asia/../Asia/Tokyo", "right/Asia/Tokyo", "W. Nowhere Standard Time", "Asia\\Tokyo", "Asia/Tokyo ", " Asia/Tokyo", "+08:00", "8", ".",
		"Asia/Tokyo\x00", "zone.tab", "Azië/Tokyo", "-",
	} {
		_, err := NewCron("0 9 * * *", zone)
		if err == nil {
			t.Errorf("%q was taken", zone)
			continue
		}
		wantError(t, err, "time zone", quote(zone), "time/tzdata")
		_, err = NewWeeklyCalendar(nil, zone)
		wantError(t, err, "weekly calendar", quote(zone), "time/tzdata")
	}
}

// A machine without zone data: an error that names the remedy; UTC works.
func TestNoZoneData(t *testing.T) {
	for _, text := range []string{"cron 0 9 * * * tz=Asia/Shanghai", "cron 0 9 * * * tz=China Standard Time", "cron 0 9 * * * tz=GMT"} {
		_, err := parse(text, noZones)
		if err == nil {
			t.Errorf("%q was read", text)
			continue
		}
		wantError(t, err, "no data", "time/tzdata", "unknown time zone")
	}
	for _, text := range []string{"cron 0 9 * * *", "cron 0 9 * * * tz=UTC", "cron 0 9 * * * tz=Etc/UTC", "cron 0 9 * * * tz=utc", "every 00:10:00", "once 2026-11-01T00:00:00Z"} {
		if _, err := parse(text, noZones); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A zone that was once found is not looked for again; one that was not, is.
func TestZonesAreKept(t *testing.T) {
	a, err := systemZones("Asia/Kathmandu")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if b, err := systemZones("Asia/Kathmandu"); b != a || err != nil {
				t.Errorf("another location %p, %v", b, err)
			}
		})
	}
	group.Wait()
	if _, err := systemZones("Asia/Nowhere"); err == nil {
		t.Error("Asia/Nowhere was found")
	}
	if _, kept := loadedZones.Load("Asia/Nowhere"); kept {
		t.Error("a failure was kept")
	}
}
