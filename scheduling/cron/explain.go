package cron

import "strconv"

func tooLong(text string) error {
	return &ParseError{Text: cut(text), Reason: "it is longer than " + strconv.Itoa(maxLength) + " bytes"}
}

func illegalByte(text string, at int) error {
	return &ParseError{Text: cut(text[at:]), Position: at, Reason: "only printable ASCII, blanks and tabs are allowed"}
}

func wrongCount(text string, count int) error {
	return &ParseError{Text: cut(text), Reason: "it has " + strconv.Itoa(count) + " fields"}
}

func explain(text string, count int, k kind, item span, f fault) error {
	r := &rules[k]
	return &ParseError{Field: r.name, Text: cut(text[item.start:item.end]), Position: item.start,
		Min: r.min, Max: r.max, Reason: "bad item " + strconv.Itoa(int(f))}
}
