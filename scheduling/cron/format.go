package cron

// String is the canonical text: six fields, or seven where the year is
// restricted, weekdays by name, everything else by number. Parse reads it back
// to an equal expression. The zero value and nil give the empty string.
func (e *Expression) String() string {
	if e == nil || e.month == 0 {
		return ""
	}
	b := make([]byte, 0, 32)
	for k := range kindYear {
		if k > 0 {
			b = append(b, ' ')
		}
		b = e.appendField(b, k)
	}
	if !e.anyYear {
		b = e.appendField(append(b, ' '), kindYear)
	}
	return string(b)
}
