package simulation

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// plan is a schedule as the model knows it: the seconds of the minute, an
// interval with its runs in all (0 = without end), or one instant.
type plan struct {
	seconds []int
	every   time.Duration
	times   int64
	once    time.Time
	except  func(at time.Time) bool // nil = nothing
	wall    *wallPlan
}

func (p plan) cron() bool     { return p.seconds != nil || p.wall != nil }
func (p plan) interval() bool { return p.every > 0 }

// next is the first second after an instant that the plan names: it looks at
// one second after the other.
func (p plan) next(after time.Time) time.Time {
	if p.wall != nil {
		return p.wall.next(after)
	}
	for t := after.Truncate(time.Second).Add(time.Second); ; t = t.Add(time.Second) {
		for _, s := range p.seconds {
			if t.Second() == s && (p.except == nil || !p.except(t)) {
				return t
			}
		}
	}
}

// missed counts the seconds after from, up to and including to.
func (p plan) missed(from, to time.Time) int {
	n := 0
	for t := p.next(from); !t.After(to); t = p.next(t) {
		n++
	}
	return n
}

// oddHalf is what the calendar of the simulation excludes: every other half
// minute.
func oddHalf(at time.Time) bool { return at.Unix()/30%2 == 1 }

// everySecond lists the seconds of */n.
func everySecond(n int) []int {
	var list []int
	for s := 0; s < 60; s += n {
		list = append(list, s)
	}
	return list
}

// waitBefore is the wait before a job's n-th retry, by repeated doubling
// (R213, R214).
func waitBefore(p provider.RetryPolicy, n int) time.Duration {
	wait := p.Delay
	if p.Backoff == provider.BackoffFixed {
		return wait
	}
	for range n - 1 {
		wait += wait
	}
	if p.MaxDelay > 0 && wait > p.MaxDelay {
		wait = p.MaxDelay
	}
	return wait
}

// sameData compares JSON objects by value; "" is an object of its own.
func sameData(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	return reflect.DeepEqual(object(a), object(b))
}

// overlaid lays JSON objects over one another, key by key (R137).
func overlaid(layers ...string) string {
	merged := map[string]any{}
	any := false
	for _, layer := range layers {
		if layer == "" {
			continue
		}
		any = true
		for k, v := range object(layer) {
			merged[k] = v
		}
	}
	if !any {
		return ""
	}
	text, _ := json.Marshal(merged)
	return string(text)
}

func object(text string) map[string]any {
	var v map[string]any
	if json.Unmarshal([]byte(text), &v) != nil {
		return map[string]any{"not an object": text}
	}
	return v
}
