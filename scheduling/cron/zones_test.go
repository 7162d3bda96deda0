package cron_test

import (
	"archive/zip"
	"go/build"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// zoneData is one zone with all its changes of offset from 1970 to 2099.
type zoneData struct {
	name    string
	alias   bool // an earlier zone has the same clocks since 1970
	loc     *time.Location
	changes []int64 // first second of the new offset
	follows []int   // the offset from each change on
	offsets []int   // each once
}

var (
	from1970 = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	to2099   = time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC).Unix()
)

var allZones = sync.OnceValues(func() ([]zoneData, error) {
	archive, err := zip.OpenReader(filepath.Join(build.Default.GOROOT, "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	var zones []zoneData
	known := map[string]zoneData{} // by content: aliases are examined once
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		loc, err := time.LoadLocationFromTZData(f.Name, data)
		if err != nil {
			return nil, err
		}
		z, seen := known[string(data)]
		if !seen {
			z = examine(loc)
			known[string(data)] = z
		}
		z.name, z.loc = f.Name, loc
		z.alias = slices.ContainsFunc(zones, z.sameClocks)
		zones = append(zones, z)
	}
	return zones, nil
})

// examine looks at the zone once a day and halves the day where it changed.
func examine(loc *time.Location) zoneData {
	z := zoneData{loc: loc}
	offsetAt := func(at int64) int {
		_, offset := time.Unix(at, 0).In(loc).Zone()
		return offset
	}
	const day = 86400
	last := offsetAt(from1970 - day)
	z.offsets = append(z.offsets, last)
	for at := from1970; at <= to2099; at += day {
		now := offsetAt(at)
		if now == last {
			continue
		}
		low, high := at-day, at
		for high-low > 1 {
			if mid := (low + high) / 2; offsetAt(mid) == last {
				low = mid
			} else {
				high = mid
			}
		}
		z.changes, z.follows = append(z.changes, high), append(z.follows, now)
		if !slices.Contains(z.offsets, now) {
			z.offsets = append(z.offsets, now)
		}
		last = now
	}
	return z
}

// ianaZones gives every zone of the database that comes with Go.
func ianaZones(t testing.TB) []zoneData {
	t.Helper()
	zones, err := allZones()
	if err != nil {
		t.Fatal(err)
	}
	if len(zones) < 500 {
		t.Fatalf("only %d zones", len(zones))
	}
	return zones
}

func (z zoneData) sameClocks(o zoneData) bool {
	return z.offsets[0] == o.offsets[0] && slices.Equal(z.changes, o.changes) && slices.Equal(z.follows, o.follows)
}

// withoutAliases drops zones with the same clocks as an earlier one.
func withoutAliases(zones []zoneData) []zoneData {
	return slices.DeleteFunc(slices.Clone(zones), func(z zoneData) bool { return z.alias })
}
