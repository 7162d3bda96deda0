package schedule

import (
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"time"
)

// zoneHashSpan is how far ahead of an instant zone data counts (D43).
const zoneHashSpan = 400 * day

// ZoneHash returns a hash of the zone data on which the instants after at
// depend: the offset at at and every change of offset in the 400 days after
// it (D43). Equal hashes for the same instant mean that this machine's tables
// agree with those of the machine that stored the hash; the form of the tables
// (compiled to 2037 or as a rule) makes no difference. It is 16 hexadecimal
// digits; "" when no zone matters: in kinds other than cron, and in UTC.
func (s Schedule) ZoneHash(at time.Time) string {
	if s.kind != Cron || s.zone == utcName {
		return ""
	}
	h := fnv.New64a()
	var b [12]byte
	note := func(at time.Time, offset int) {
		binary.BigEndian.PutUint64(b[:], uint64(at.Unix()))
		binary.BigEndian.PutUint32(b[8:], uint32(int32(offset)))
		_, _ = h.Write(b[:]) // a hash takes everything
	}
	at = cutInstant(at)
	until := at.Add(zoneHashSpan)
	offset, end := zonePeriod(at, s.loc)
	note(at, offset)
	for !end.IsZero() && !end.After(until) {
		next, nextEnd := zonePeriod(end, s.loc)
		if next != offset {
			note(end, next)
		}
		offset, end = next, nextEnd
	}
	sum := strconv.FormatUint(h.Sum64(), 16)
	return "0000000000000000"[len(sum):] + sum
}
