package plan

import (
	"strings"
	"sync"

	"github.com/gormsched/gormsched/scheduling/schedule"
)

// maxParsed is how many schedules one generation of the cache holds; two are
// kept, so that what is in use survives while the rest is forgotten.
const maxParsed = 2048

// texts remembers what schedule texts mean. The meaning of a text never
// changes within a process, so the cache is only about time.
type texts struct {
	mu         sync.Mutex
	young, old map[string]schedule.Schedule
}

var parsed texts

// parse reads a schedule text, from memory where it can. Errors are not
// remembered.
func (c *texts) parse(text string) (schedule.Schedule, error) {
	c.mu.Lock()
	s, ok := c.young[text]
	if !ok {
		if s, ok = c.old[text]; ok {
			c.keep(text, s)
		}
	}
	c.mu.Unlock()
	if ok {
		return s, nil
	}
	s, err := schedule.Parse(text)
	if err != nil {
		return s, err
	}
	c.mu.Lock()
	c.keep(text, s)
	c.mu.Unlock()
	return s, nil
}

// keep needs the lock.
func (c *texts) keep(text string, s schedule.Schedule) {
	if c.young == nil || len(c.young) >= maxParsed {
		c.old, c.young = c.young, make(map[string]schedule.Schedule)
	}
	c.young[text] = s
}

// size is the number of schedules remembered.
func (c *texts) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.young) + len(c.old)
}

// zoneOf returns the zone of a text that does not parse, if it is the zone
// alone that stands in the way: the rest parses without it (D14).
func zoneOf(text string) (zone string, ok bool) {
	var kept, of []string
	inZone := false
	for _, word := range strings.Fields(text) {
		key, value, tail := strings.Cut(strings.ToLower(word), "=")
		switch {
		case tail && key == "tz":
			inZone = true
			of = append(of, word[len(word)-len(value):])
			continue
		case tail && (key == "start" || key == "end" || key == "calendar"):
			inZone = false
		case inZone:
			of = append(of, word)
			continue
		}
		kept = append(kept, word)
	}
	if len(of) == 0 {
		return "", false
	}
	_, err := parsed.parse(strings.Join(kept, " "))
	return strings.Join(of, " "), err == nil
}
