package cron

import (
	"fmt"
	"strings"
	"time"
)

const countHint = "write five fields (minute hour day month weekday), six (second first) or seven (year last)"

var macros = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * SUN",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
	"@minutely": "* * * * *",
}

// maxRewritten bounds the texts that hints offer in whole.
const maxRewritten = 200

// hintForCount answers a text that has not five to seven fields.
func hintForCount(text string, count int) string {
	words := words(text)
	if count == 0 || len(text) > maxRewritten {
		return countHint
	}
	if h := hintForPrefix(words); h != "" {
		return h
	}
	if all := strings.Join(words, " ") + " *"; count == 4 && valid(all) {
		return fmt.Sprintf("%s; did you mean %q?", countHint, all)
	}
	if count > int(kindCount) {
		if start := strings.Join(words[:5], " "); valid(start) {
			return fmt.Sprintf("what follows the fields, such as a command, is not part of an expression; did you mean %q?", start)
		}
	}
	return countHint
}

// hintForShift tries whether the text, refused as what its number of fields
// makes it, is an expression with a field fewer or more. It does so where the
// item has no hint of its own or looks as if the fields were counted wrong.
func hintForShift(text, item, hint string, r result) string {
	if len(text) > maxRewritten {
		return ""
	}
	words := words(text)
	if h := hintForPrefix(words); h != "" {
		return h
	}
	switch {
	case misplaced(item, words, r):
	case hint != "", r.field == kindYear, r.fault != faultValue && (r.fault != faultBounds || r.count == 5):
		return ""
	}
	all := strings.Join(words, " ")
	switch {
	case r.count == 5:
		if all += " *"; valid(all) {
			return fmt.Sprintf("with five fields the first is the minute; did you mean %q?", all)
		}
		return ""
	case r.count == 6 && looksLikeYear(words[5]) && valid("0 "+all):
		return fmt.Sprintf("with six fields the first is the second and none is the year; did you mean %q?", "0 "+all)
	}
	if start := strings.Join(words[:5], " "); valid(start) {
		return fmt.Sprintf("with %d fields the first is the second; did you mean %q?", r.count, start)
	}
	return ""
}

func looksLikeYear(word string) bool {
	v, n := readNumber(word)
	return n == 4 && minYear <= v && v <= maxYear
}

// misplaced reports whether an item would be at home in another field.
func misplaced(item string, words []string, r result) bool {
	rule := &rules[r.field]
	switch r.fault {
	case faultBounds:
		// "0 30 14 * *": with seconds, the third would be the hour.
		return r.count == 5 && words[0] == "0" && words[2][0]-'0' <= 9
	case faultValue:
		word := strings.ToUpper(letters(item))
		return item == "?" && r.field != kindYear ||
			rule.names != weekdayNames && nameIn(weekdayNames, word) != "" ||
			rule.names != monthNames && nameIn(monthNames, word) != ""
	}
	return false
}

// hintForPrefix answers zone prefixes and macros.
func hintForPrefix(words []string) string {
	first := words[0]
	if zone, ok := zonePrefix(first); ok {
		rest := strings.Join(words[1:], " ")
		if zone == "" || !valid(rest) {
			return "the time zone is not part of the expression; give it separately"
		}
		return fmt.Sprintf("the time zone is not part of the expression; write %q and give %q separately", rest, cut(zone))
	}
	if first[0] != '@' {
		return ""
	}
	switch name := strings.ToLower(first); name {
	case "@reboot":
		return "no expression stands for a start of the machine"
	case "@every":
		if len(words) == 2 {
			if d, err := time.ParseDuration(words[1]); err == nil && d >= time.Second && d < 1000*24*time.Hour {
				return interval(int(d / time.Second))
			}
		}
		return "for a fixed distance use an interval schedule, as in: every 00:05:00"
	default:
		if same, ok := macros[name]; ok {
			return fmt.Sprintf("write %q", same)
		}
		return "there are no macros; " + countHint
	}
}

func zonePrefix(word string) (zone string, ok bool) {
	upper := strings.ToUpper(word)
	for _, prefix := range []string{"TZ=", "CRON_TZ="} {
		if strings.HasPrefix(upper, prefix) {
			return word[len(prefix):], true
		}
	}
	return "", false
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' })
}
