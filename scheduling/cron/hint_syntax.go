package cron

import (
	"fmt"
	"strings"
)

// hintName answers names: spelled in full, of the other field, or where only
// numbers stand.
func (r *rule) hintName(item string) string {
	word := strings.ToUpper(letters(item))
	if len(word) < 3 {
		return ""
	}
	month, weekday := nameIn(monthNames, word), nameIn(weekdayNames, word)
	switch {
	case r.names == monthNames && month != "" || r.names == weekdayNames && weekday != "":
		if len(word) > 3 && isLongName(word) {
			return fmt.Sprintf("write the three-letter name %s", word[:3])
		}
	case month != "":
		return fmt.Sprintf("%s is a month and belongs into the month field", month)
	case weekday != "":
		return fmt.Sprintf("%s is a weekday and belongs into the weekday field", weekday)
	}
	return ""
}

// letters gives the first run of letters of an item.
func letters(item string) string {
	isLetter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	start := 0
	for start < len(item) && !isLetter(item[start]) {
		start++
	}
	end := start
	for end < len(item) && isLetter(item[end]) {
		end++
	}
	return item[start:end]
}

func nameIn(names, word string) string {
	for i := 0; i < len(names); i += 3 {
		if strings.HasPrefix(word, names[i:i+3]) {
			return names[i : i+3]
		}
	}
	return ""
}

var longNames = []string{
	"JANUARY", "FEBRUARY", "MARCH", "APRIL", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
	"SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY",
}

// isLongName reports whether a word is a name or an abbreviation of it of more
// than three letters.
func isLongName(word string) bool {
	for _, name := range longNames {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// hintToken answers L, W and # in the wrong field or form.
func (r *rule) hintToken(item string) string {
	upper := strings.ToUpper(item)
	switch r.name {
	case "day":
		return hintDayToken(upper)
	case "weekday":
		return hintWeekdayToken(upper)
	}
	if strings.Trim(upper, "0123456789-/LW") == "" && strings.ContainsAny(upper, "LW") {
		return "L and W stand in the day field, nL in the weekday field"
	}
	if strings.Contains(upper, "#") {
		return "n#k stands in the weekday field"
	}
	return ""
}

func hintDayToken(upper string) string {
	switch {
	case strings.Contains(upper, "#"):
		return "n#k belongs into the weekday field"
	case upper == "W":
		return `write "15W" for the weekday nearest to the 15th, "LW" for the last weekday of the month`
	case upper == "WL":
		return `write "LW"`
	case strings.HasPrefix(upper, "L") && strings.HasSuffix(upper, "W") || strings.HasPrefix(upper, "LW"):
		return `L-n and LW cannot be combined; write "LW" for the last weekday of the month`
	case strings.HasSuffix(upper, "W"):
		return "W takes one day; write a list such as 10W,11W"
	case strings.HasSuffix(upper, "L") && len(upper) > 1:
		return "nL, the last weekday n of the month, belongs into the weekday field; the n-th day before the last is L-n"
	case strings.HasPrefix(upper, "L"):
		return `write "L" for the last day, "L-3" for the third before it`
	}
	return ""
}

func hintWeekdayToken(upper string) string {
	r := &rules[kindWeekday]
	switch {
	case upper == "L":
		return "write SATL for the last Saturday of the month, SAT for each Saturday, or L in the day field for the last day"
	case upper == "LW" || strings.HasPrefix(upper, "L-"):
		return fmt.Sprintf("%s belongs into the day field", cut(upper))
	case strings.Contains(upper, "#"):
		return hintOrdinal(upper)
	case strings.HasPrefix(upper, "L"):
		if v, n := r.readValue(upper[1:]); n > 0 && n == len(upper)-1 && v <= r.max {
			return fmt.Sprintf("write %sL for the last such day of the month", upper[1:])
		}
	case strings.HasSuffix(upper, "W"):
		return "nW belongs into the day field"
	case strings.Contains(upper, "L-"):
		return "the last weekday n takes no offset; write as in FRIL"
	case strings.HasSuffix(upper, "L"):
		return "L takes one weekday; write a list such as MONL,TUEL"
	}
	return ""
}

func hintOrdinal(upper string) string {
	day, k, _ := strings.Cut(upper, "#")
	if k == "L" {
		return fmt.Sprintf("write %sL for the last such day of the month", cut(day))
	}
	return "write n#k with one weekday and 1 to 5, as in FRI#2"
}

// hintSyntax answers what is left: slips and other dialects.
func (r *rule) hintSyntax(item string) string {
	switch c := item[0]; {
	case c == '/':
		return fmt.Sprintf("write %q", "*"+cut(item))
	case c == '-' && r.name == "day":
		return `"L" is the last day of the month, "L-1" the one before it`
	case c == '-':
		return "values are not negative"
	case c == '"' || c == '\'' || c == '`':
		return "leave the quotation marks away"
	case c == 'H' || c == 'h':
		return "H is a notation of Jenkins; choose a number"
	case c == '*' && len(item) > 1 && item[1]-'0' <= 9:
		return fmt.Sprintf("write %q", "*/"+cut(item[1:]))
	case strings.HasPrefix(item, "*-"):
		return `"*" is the whole field; write both ends of a range as numbers`
	case strings.Contains(item, "~"):
		return "random values are not supported; choose a number"
	case strings.Contains(item, ";"):
		return "separate values with commas"
	}
	return ""
}
