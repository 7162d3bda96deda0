package main

import (
	"regexp"
	"strconv"
	"strings"
)

// part is one write of a statement that writes to several tables.
type part struct {
	target string // its table
	rows   int
}

var firstArgument = regexp.MustCompile(`\$(\d+)(::\w+\[\])?`)

// combined takes a statement apart that the store made of several writes, each
// of rows that are locked: all given are written. ok is false for any other.
func combined(query string, args []any) (list []part, ok bool) {
	if !strings.HasPrefix(query, "WITH w1 AS (") {
		return nil, false
	}
	for _, text := range regexp.MustCompile(`(?:^WITH |\), |\) )(?:w\d+ AS \()?(?:DELETE|UPDATE|INSERT)`).Split(query, -1)[1:] {
		p := part{target: writeTarget(text), rows: 1}
		if m := firstArgument.FindStringSubmatch(text); m != nil && m[2] != "" {
			n, _ := strconv.Atoi(m[1])
			p.rows = elements(args[n-1])
		}
		list = append(list, p)
	}
	return list, true
}

// elements counts those of an array of keys or numbers as PostgreSQL writes it.
func elements(array any) int {
	text, _ := array.(string)
	if len(text) <= 2 {
		return 0
	}
	return 1 + strings.Count(text, ",")
}
