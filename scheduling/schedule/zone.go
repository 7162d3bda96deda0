package schedule

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// zoneLoader finds a zone by its IANA name, as [time.LoadLocation] does.
// Tests put a machine without zone data in its place.
type zoneLoader func(name string) (*time.Location, error)

// loadedZones keeps each zone that was found, so that reading a stored
// schedule touches no file twice. Zone data that changes on disk is seen by
// the next process.
var loadedZones sync.Map // string → *time.Location

// systemZones is the loader of the exported constructors.
func systemZones(name string) (*time.Location, error) {
	if loc, ok := loadedZones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	kept, _ := loadedZones.LoadOrStore(name, loc)
	return kept.(*time.Location), nil
}

// utcName is the canonical name of UTC, the zone that text leaves out.
const utcName = "UTC"

// maxZoneName bounds a zone name in bytes; the longest in use has 32.
const maxZoneName = 64

// windowsFolded finds a Windows id in any case.
var windowsFolded = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, len(windowsZones))
	for id, iana := range windowsZones {
		m[strings.ToLower(id)] = iana
	}
	return m
})

// resolveZone turns an IANA name, a Windows id or "" into the canonical name
// and the location.
func resolveZone(zone string, load zoneLoader) (string, *time.Location, error) {
	fail := func(format string, args ...any) (string, *time.Location, error) {
		return "", nil, fmt.Errorf("time zone %s: %w", quote(zone), fmt.Errorf(format, args...))
	}
	name := zone
	if len(name) <= maxZoneName {
		if iana, ok := windowsFolded()[strings.ToLower(name)]; ok {
			name = iana
		}
	}
	switch {
	case name == "", name == utcName, name == "Etc/UTC":
		return utcName, time.UTC, nil
	case strings.EqualFold(name, "local"), strings.EqualFold(name, "localtime"):
		return fail("it means another zone on each machine; name an IANA zone such as Europe/Berlin, " +
			"and import time/tzdata where the machine has no zone data")
	case len(name) > maxZoneName:
		return fail("%d bytes long, at most %d are possible; write an IANA name such as Europe/Berlin or a Windows id", len(name), maxZoneName)
	}
	// right/ counts leap seconds, which neither Go nor a database does.
	if !zoneCharacters(name) || strings.HasPrefix(name, "right/") {
		return fail("not an IANA name such as Europe/Berlin, nor a Windows id such as \"W. Europe Standard Time\"; " +
			"correct it (if it is right, import time/tzdata)")
	}
	loc, err := load(name)
	if err != nil {
		return fail("this machine has no data for %s; correct the name, or install tzdata or import time/tzdata into the program: %w", name, err)
	}
	return name, loc, nil
}

// zoneCharacters keeps paths, control characters and the like away from the
// file system.
func zoneCharacters(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9') && !strings.ContainsRune("/_+-", rune(c))) {
			return false
		}
	}
	return true
}
