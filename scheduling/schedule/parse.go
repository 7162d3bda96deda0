package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse reads a schedule from text: what [Schedule.String] writes, and what
// people type. Keywords and keys may be in any case, parts may be separated by
// several spaces or tabs, and the tails may stand in any order (D37; grammar
// in the package documentation). The result is valid in the sense of
// [Schedule.Validate]. An error names the part, its text and the remedy.
func Parse(text string) (Schedule, error) { return parse(text, systemZones) }

// MustParse is [Parse] for literals; it panics on an error.
func MustParse(text string) Schedule { return must(Parse(text)) }

func parse(text string, load zoneLoader) (Schedule, error) {
	if err := checkText(text); err != nil {
		return Schedule{}, fmt.Errorf("schedule: %w", err)
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return Schedule{}, errors.New("schedule: the text is empty; " + firstWords)
	}
	body, tails, err := splitTails(words[1:])
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule: %w", err)
	}
	s, bodyErr := parseBody(words[0], body, tails, load)
	s, tailErr := s.withTails(tails)
	if err := errors.Join(bodyErr, tailErr); err != nil {
		return Schedule{}, err
	}
	if err := s.Validate(); err != nil {
		return Schedule{}, err
	}
	return s, nil
}

// checkText refuses what no part may hold, before anything is looked at.
func checkText(text string) error {
	if len(text) > MaxText {
		return fmt.Errorf("text %s: %d bytes long, at most %d are read; shorten it", quote(text), len(text), MaxText)
	}
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\t') || c > '~' {
			return fmt.Errorf("text %s: byte %d is %#02x; write printable ASCII only", quote(text), i+1, c)
		}
	}
	return nil
}

const firstWords = "begin with manual, every, cron or once, as in: every 00:10:00"

func parseBody(kind string, body []string, tails map[string]string, load zoneLoader) (Schedule, error) {
	zone, hasZone := tails[keyZone]
	kind = strings.ToLower(kind)
	if hasZone && kind != "cron" {
		return Schedule{}, fmt.Errorf("schedule: tz %s: only a cron schedule has a zone; write an offset in the instants and remove tz=", quote(zone))
	}
	switch kind {
	case "manual":
		if len(body) > 0 {
			return Schedule{}, fmt.Errorf("schedule: %s after manual is not known; remove it", quote(body[0]))
		}
		return Schedule{}, nil
	case "every":
		return parseEvery(body)
	case "cron":
		if len(body) == 0 {
			return Schedule{}, errors.New("schedule: the expression after cron is missing; write 5, 6 or 7 fields, as in: cron 0 9 * * MON-FRI")
		}
		for _, word := range body {
			if strings.Contains(word, "=") {
				return Schedule{}, unknownPart(word)
			}
		}
		return newCron(strings.Join(body, " "), zone, load)
	case "once":
		if len(body) == 0 {
			return Schedule{}, errors.New("schedule: the instant after once is missing; write once 2026-11-01T09:00:00+08:00")
		}
		at, err := parseInstant("once", body[0])
		if err != nil {
			return Schedule{}, fmt.Errorf("schedule: %w", err)
		}
		if len(body) > 1 {
			return Schedule{}, unknownPart(body[1])
		}
		return NewOnce(at)
	}
	return Schedule{}, fmt.Errorf("schedule: kind %s is not known; %s", quote(kind), firstWords)
}

func parseEvery(body []string) (Schedule, error) {
	if len(body) == 0 {
		return Schedule{}, errors.New("schedule: the interval after every is missing; write every 00:10:00")
	}
	d, err := parseInterval(body[0])
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule: %w", err)
	}
	switch {
	case len(body) == 1:
		return NewEvery(d)
	case len(body) > 2:
		return Schedule{}, unknownPart(body[2])
	case body[1][0] != 'x' && body[1][0] != 'X':
		return Schedule{}, unknownPart(body[1])
	}
	total, err := strconv.ParseUint(body[1][1:], 10, 63)
	if err != nil || total == 0 {
		return Schedule{}, fmt.Errorf("schedule: repeat count %s: write x and a number from 1 to %d, or leave it out for no limit", quote(body[1]), int64(1<<63-1))
	}
	return NewEveryTimes(d, int64(total))
}

func unknownPart(word string) error {
	return fmt.Errorf("schedule: part %s is not known; after the schedule come only tz= (cron), start=, end= and calendar=", quote(word))
}

// The keys of the tails, as they are written.
const (
	keyZone     = "tz"
	keyStart    = "start"
	keyEnd      = "end"
	keyCalendar = "calendar"
)

// tailKey splits a word such as start=2026-… ; ok is false when it does not
// begin with a key.
func tailKey(word string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(word, "=")
	key = strings.ToLower(key)
	ok = ok && (key == keyZone || key == keyStart || key == keyEnd || key == keyCalendar)
	return key, value, ok
}

// splitTails separates the words before the first tail from the tails. The
// zone takes every word up to the next key, because Windows ids have spaces;
// the other values are one word.
func splitTails(words []string) (body []string, tails map[string]string, err error) {
	tails = make(map[string]string)
	key := ""
	for _, word := range words {
		k, value, ok := tailKey(word)
		switch {
		case ok:
			if _, twice := tails[k]; twice {
				return nil, nil, fmt.Errorf("%s= stands twice, again as %s; remove one", k, quote(word))
			}
			key, tails[k] = k, value
		case key == "":
			body = append(body, word)
		case key == keyZone && tails[key] != "":
			tails[key] += " " + word
		case tails[key] == "":
			return nil, nil, fmt.Errorf("%s= is followed by a space before %s; write the value right after the sign", key, quote(word))
		default:
			return nil, nil, fmt.Errorf("part %s is not known; after %s= come only tz= (cron), start=, end= and calendar=", quote(word), key)
		}
	}
	for _, k := range []string{keyZone, keyStart, keyEnd, keyCalendar} {
		if value, given := tails[k]; given && value == "" {
			return nil, nil, fmt.Errorf("%s= has no value; write one or leave it out", k)
		}
	}
	return body, tails, nil
}

// withTails applies the window; every fault of it is reported.
func (s Schedule) withTails(tails map[string]string) (Schedule, error) {
	var faults []error
	instant := func(key string) (t time.Time) {
		text, given := tails[key]
		if !given {
			return t
		}
		t, err := parseInstant(key, text)
		if err != nil {
			faults = append(faults, fmt.Errorf("schedule: %w", err))
		}
		return t
	}
	s = s.WithStart(instant(keyStart)).WithEnd(instant(keyEnd)).WithCalendar(tails[keyCalendar])
	return s, errors.Join(faults...)
}
