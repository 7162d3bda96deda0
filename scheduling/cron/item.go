package cron

// fault says why an item was refused; explain turns it into words.
type fault uint8

const (
	faultNone      fault = iota
	faultEmpty           // nothing between two commas
	faultValue           // neither a number nor a name of the field
	faultBounds          // a value outside the field's bounds
	faultReversed        // a range that ends before it begins
	faultStep            // no number after the slash
	faultZeroStep        // a step of zero
	faultLargeStep       // a step beyond the field's largest value
	faultTrailing        // something after a complete item
	faultToken           // L, W or # where or how it cannot stand
	faultOffset          // n of L-n outside 1–30
	faultOrdinal         // k of n#k outside 1–5

	faultLength // the text is too long
	faultByte   // a byte that no expression holds
	faultCount  // too few or too many fields
)

// tooLarge stands for every number beyond what any field allows.
const tooLarge = 1 << 20

// readRange reads *, a, a-b, */n, a/n or a-b/n.
func (r *rule) readRange(item string) (low, high, step int, f fault) {
	var i int
	single := false
	if item[0] == '*' {
		low, high, i = r.min, r.last, 1
	} else {
		if low, i = r.readValue(item); i == 0 {
			return 0, 0, 0, faultValue
		}
		high, single = low, true
		if i < len(item) && item[i] == '-' {
			var n int
			if high, n = r.readValue(item[i+1:]); n == 0 {
				return 0, 0, 0, faultValue
			}
			i += 1 + n
			single = false
		}
	}
	step = 1
	if i < len(item) && item[i] == '/' {
		var n int
		if step, n = readNumber(item[i+1:]); n == 0 {
			return 0, 0, 0, faultStep
		}
		i += 1 + n
		if single {
			if low == r.max {
				low %= r.last + 1 // 7 as a first weekday is Sunday
			}
			high = max(low, r.last)
		}
	}
	switch {
	case i < len(item):
		return 0, 0, 0, faultTrailing
	case low < r.min || low > r.max || high > r.max:
		return 0, 0, 0, faultBounds
	case high < low:
		return 0, 0, 0, faultReversed
	case step == 0:
		return 0, 0, 0, faultZeroStep
	case step > r.last:
		return 0, 0, 0, faultLargeStep
	}
	return low, high, step, faultNone
}

// readValue reads a number or a name at the start of s and tells its length; 0
// when there is neither.
func (r *rule) readValue(s string) (value, n int) {
	if value, n = readNumber(s); n > 0 || len(s) < 3 {
		return value, n
	}
	for i := 0; i < len(r.names); i += 3 {
		if s[0]&^0x20 == r.names[i] && s[1]&^0x20 == r.names[i+1] && s[2]&^0x20 == r.names[i+2] {
			return r.min + i/3, 3
		}
	}
	return 0, 0
}

// readNumber reads decimal digits at the start of s.
func readNumber(s string) (value, n int) {
	for n < len(s) && s[n]-'0' <= 9 {
		if value < tooLarge {
			value = value*10 + int(s[n]-'0')
		}
		n++
	}
	return min(value, tooLarge), n
}
