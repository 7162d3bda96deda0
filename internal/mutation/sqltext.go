package mutation

import (
	"regexp"
	"slices"
)

// sqlChanges are what can become of a piece of a statement's text.
var sqlChanges = []struct {
	find *regexp.Regexp
	to   []string
}{
	// A comparison: another one, and none.
	{regexp.MustCompile(` = \?`), []string{" <> ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` <> \?`), []string{" = ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` < \?`), []string{" <= ?", " >= ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` <= \?`), []string{" < ?", " > ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` > \?`), []string{" >= ?", " <= ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` >= \?`), []string{" > ?", " < ?", " IS NOT NULL AND ? IS NOT NULL"}},
	{regexp.MustCompile(` = (\d+)`), []string{" <> $1", " IS NOT NULL"}},
	{regexp.MustCompile(` <> (\d+)`), []string{" = $1", " IS NOT NULL"}},
	{regexp.MustCompile(` = $`), []string{" <> "}},
	{regexp.MustCompile(` <> $`), []string{" = "}},
	{regexp.MustCompile(` < $`), []string{" <= ", " > "}},
	{regexp.MustCompile(` <= $`), []string{" < ", " > "}},
	{regexp.MustCompile(` > $`), []string{" >= ", " < "}},
	{regexp.MustCompile(` >= $`), []string{" > ", " < "}},
	{regexp.MustCompile(` IS NULL`), []string{" IS NOT NULL"}},
	{regexp.MustCompile(` IS NOT NULL`), []string{" IS NULL"}},
	{regexp.MustCompile(`NOT (EXISTS|IN|LIKE)\b`), []string{"$1"}},
	// Two terms, an order, a bound.
	{regexp.MustCompile(` AND `), []string{" OR "}},
	{regexp.MustCompile(` OR `), []string{" AND "}},
	{regexp.MustCompile(` DESC\b`), []string{" ASC"}},
	{regexp.MustCompile(`\bMIN\(`), []string{"MAX("}},
	{regexp.MustCompile(`\bMAX\(`), []string{"MIN("}},
	{regexp.MustCompile(` LIMIT (\d+)`), []string{" LIMIT 1+$1"}},
	{regexp.MustCompile(` \+ 1\b`), []string{" + 0"}},
	// Locks, and what keeps rows from coming twice.
	{regexp.MustCompile(` FOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)`), []string{""}},
	{regexp.MustCompile(` SKIP LOCKED`), []string{""}},
	{regexp.MustCompile(` NOWAIT`), []string{""}},
	{regexp.MustCompile(` ON CONFLICT DO NOTHING`), []string{""}},
	{regexp.MustCompile(`\bIGNORE `), []string{""}},
	{regexp.MustCompile(`DISTINCT `), []string{""}},
}

// changesOf lists what can become of a text, each with one thing changed.
func changesOf(text string) []string {
	var list []string
	for _, c := range sqlChanges {
		for _, at := range c.find.FindAllStringSubmatchIndex(text, -1) {
			for _, to := range c.to {
				changed := text[:at[0]] + string(c.find.ExpandString(nil, to, text, at)) + text[at[1]:]
				if !slices.Contains(list, changed) {
					list = append(list, changed)
				}
			}
		}
	}
	return list
}
