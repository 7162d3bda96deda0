package cron_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gormsched/gormsched/scheduling/cron"
)

// change is one line of an invented zone: from an instant on, an offset.
type change struct {
	at     int64
	offset int
}

// inventZone builds a zone from its first offset, its changes and, for the time
// after the last one, a rule text, in the format of RFC 8536.
func inventZone(t failer, first int, changes []change, ruleText string) zoneData {
	t.Helper()
	header := func(version byte, times, kinds int) []byte {
		b := append([]byte("TZif"), version)
		b = append(b, make([]byte, 15)...)
		for _, n := range []int{0, 0, 0, times, kinds, 2} { // the last: bytes of names
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	kind := func(b []byte, offset int) []byte {
		return append(binary.BigEndian.AppendUint32(b, uint32(int32(offset))), 0, 0)
	}
	data := append(kind(header('2', 0, 1), 0), "X\x00"...)
	data = append(data, header('2', len(changes), len(changes)+1)...)
	z := zoneData{name: fmt.Sprintf("invented %d %v %q", first, changes, ruleText), offsets: []int{first}}
	for _, c := range changes {
		data = binary.BigEndian.AppendUint64(data, uint64(c.at))
		z.changes = append(z.changes, c.at)
		z.offsets = append(z.offsets, c.offset)
	}
	for i := range changes {
		data = append(data, byte(i+1))
	}
	data = kind(data, first)
	for _, c := range changes {
		data = kind(data, c.offset)
	}
	data = append(data, "X\x00\n"+ruleText+"\n"...)
	loc, err := time.LoadLocationFromTZData(z.name, data)
	if err != nil {
		t.Fatalf("%s: %v", z.name, err)
	}
	z.loc = loc
	return z
}

// R181 holds for any order of changes: gaps that a fold shows later after all,
// readings shown three times, changes minutes apart, offsets with seconds.
func TestNextInInventedZones(t *testing.T) {
	setChecks(t, 120*effort(t))
	rapid.Check(t, func(t *rapid.T) {
		draw := pick(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		base := time.Date(2026, 5, 30, 0, 0, 0, 0, time.UTC).Unix() + int64(draw(86400))
		offset := (draw(29) - 14) * 3600
		first := offset
		at := base
		var changes []change
		for range draw(6) + 1 {
			switch draw(5) {
			case 0:
				offset += 3600 * draw.sign()
			case 1:
				offset += 1800 * draw.sign() * draw.between(1, 4)
			case 2:
				offset = (draw(29) - 14) * 3600
			case 3:
				offset += draw(7200) - 3600
			case 4:
				offset += 86400 * draw.sign()
			}
			offset = min(max(offset, -86399), 86399)
			changes = append(changes, change{at, offset})
			at += int64(draw.between(1, 12)) * int64(draw.between(60, 7200))
		}
		z := inventZone(t, first, changes, "")
		after := base - int64(draw(90_000)) + int64(draw(90_000))
		near := time.Unix(base+int64(draw(200_000))-20_000, 0).In(z.loc)
		text := anyExpression(draw, near)
		if draw(2) == 0 { // often enough a plain time of day
			text = fmt.Sprintf("%d %d * * *", near.Minute(), near.Hour())
		}
		checkNext(t, text, z, time.Unix(after, 0), 4, true)
	})
}

func (p pick) sign() int { return 2*p(2) - 1 }

// A reading that is skipped first and shown by a later fold did not run before:
// it runs then, even though a later reading ran meanwhile.
func TestSkippedReadingShownAfterwards(t *testing.T) {
	at := time.Date(2026, 6, 1, 2, 0, 0, 0, time.UTC).Unix()
	z := inventZone(t, 0, []change{{at, 3600}, {at + 1800, 0}}, "") // 02:00 → 03:00, 03:30 → 02:30
	e := cron.MustParse("15,45 2-3 * * *")
	want := []string{"2026-06-01T02:15:00Z", "2026-06-01T02:45:00Z", "2026-06-01T03:45:00Z", "2026-06-02T02:15:00Z"}
	next := time.Unix(at-60, 0)
	for _, w := range want { // shown as 03:15, 02:45, 03:45 and 02:15
		var ok bool
		if next, ok = e.Next(next, z.loc); !ok || next.Format(time.RFC3339) != w {
			t.Fatalf("got %v %t, want %s", next, ok, w)
		}
	}
	// The same where the next other match is a year away.
	yearly := cron.MustParse("45 2 1 6 *")
	for _, after := range []int64{at - 60, at, at + 1799} {
		if next, ok := yearly.Next(time.Unix(after, 0), z.loc); !ok || next.Unix() != at+2700 {
			t.Errorf("after %d: got %v %t, want 02:45", after, next, ok)
		}
	}
}

// Zones that live by rule text alone, with changes near the ends of the year,
// where the time package cuts its bounds. (A change that local time puts into
// another year than UTC is beyond the time package: its offsets and its bounds
// then contradict each other. No zone has one.)
func TestNextInZonesOfRuleText(t *testing.T) {
	for _, rule := range []string{
		"AAA3BBB,J1/0,J365/20",
		"AAA-3BBB,J364/22,J60/1",
		"AAA0BBB-2,M1.1.0/0,M12.5.0/3",
		"AAA-13BBB-14,M12.5.6/23,M1.1.1/0",
		"AAA5BBB,0/0,364/12",
		"AAA3BBB,M3.2.0/26,M10.5.0/-1",
	} {
		first := 0
		z := inventZone(t, first, []change{{from1970 - 86400, first}}, rule)
		known := examine(z.loc)
		known.name = rule
		for i, at := range known.changes {
			if i%48 > 1 || at < from1970+366*86400 {
				continue // before 1970 the time package misreads rule text
			}
			for _, shift := range []int64{-90_000, -3601, -1, 0, 1800, 3600, 86_400} {
				near := time.Unix(at+shift+3600, 0).In(z.loc)
				for _, text := range []string{
					fmt.Sprintf("%d %d * * *", near.Minute(), near.Hour()), "0 0 1 1 *", "30 */3 * * *", "*/7 * * * * *",
				} {
					checkNext(t, text, known, time.Unix(at+shift, 0), 400, false)
				}
			}
		}
		if len(known.changes) < 100 {
			t.Errorf("%s: only %d changes", rule, len(known.changes))
		}
	}
}
