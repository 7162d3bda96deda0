package scheduling

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
	"github.com/gormsched/gormsched/scheduling/schedule"
)

// priorityLimit bounds priorities both ways, so that every database's integer
// holds them.
const priorityLimit = 1_000_000

// ValidName reports whether name is a legal job, trigger, calendar or lease
// name: ^[a-z0-9][a-z0-9._-]{0,127}$ (R152, R153).
func ValidName(name string) bool { return provider.CheckName("name", name) == nil }

// faults collects everything that is wrong with one item.
type faults []error

func (f *faults) add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

func (f *faults) addf(format string, args ...any) { f.add(fmt.Errorf(format, args...)) }

// err is one error of code SCHEDULING_VALIDATION_001 that holds all faults.
func (f faults) err(key string) error {
	if len(f) == 0 {
		return nil
	}
	return &provider.Error{Code: provider.CodeInvalidDefinition, Key: key, Err: joined(f)}
}

// joined is several errors on one line.
type joined []error

func (j joined) Error() string {
	parts := make([]string, len(j))
	for i, err := range j {
		parts[i] = plainText(err)
	}
	return strings.Join(parts, "; ")
}

func (j joined) Unwrap() []error { return j }

// plainText is a fault without the code that its list carries already, on one
// line.
func plainText(err error) string {
	text := err.Error()
	var e *provider.Error
	if errors.As(err, &e) && e.Error() == text && e.Code == provider.CodeInvalidDefinition && e.Key == "" && e.Err == nil {
		text = e.Reason
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// Validate returns one error that names all faults of the definition, each with
// field, value and remedy; nil when there is none. It matches
// [ErrInvalidDefinition]. Whether handler and calendars are known is checked
// where the definition is used.
func (d JobDefinition) Validate() error {
	var f faults
	f.add(provider.CheckName("JobDefinition.Name", d.Name))
	if d.Handler != "" {
		f.add(provider.CheckPrintable("Handler", d.Handler))
	}
	f.add(checkDescription("Description", d.Description))
	f.add(d.Retry.Validate())
	if cut := d.Timeout.Truncate(time.Millisecond); d.Timeout != 0 && (cut <= 0 || cut > TimeoutLimit) {
		f.addf("Timeout %v: use 1ms to 720h, or 0 for no limit", d.Timeout)
	}
	if d.RequestsRecovery && d.RunOnEveryInstance {
		f.addf("RequestsRecovery true together with RunOnEveryInstance true: " +
			"a run that every node has needs no recovery: set one of them to false (D04)")
	}
	names := make(map[string]int, len(d.Triggers))
	for i, t := range d.Triggers {
		field := fmt.Sprintf("Triggers[%d]", i)
		if first, taken := names[t.Name]; taken {
			f.addf("%s.Name %s is the name of Triggers[%d] too: give each trigger its own name", field, provider.Quote(t.Name), first)
		} else {
			names[t.Name] = i
		}
		t.check(field+".", &f)
	}
	return f.err(shownKey(d.Name))
}

// check adds the faults of one trigger; prefix stands before its fields' names.
func (t TriggerDefinition) check(prefix string, f *faults) {
	f.add(provider.CheckName(prefix+"Name", t.Name))
	if provider.IsOneShot(t.Name) {
		f.addf("%sName %s begins with a prefix that is reserved for one-shots (%s, %s, %s): choose another name (D10)",
			prefix, provider.Quote(t.Name), provider.PrefixManual, provider.PrefixRetry, provider.PrefixRecovery)
	}
	if t.Schedule.Kind() == schedule.Manual {
		f.addf("%sSchedule is manual, which is never due: leave the trigger out, or give it an interval, cron or once schedule (R156)", prefix)
	} else if err := t.Schedule.Validate(); err != nil {
		f.addf("%sSchedule %s: %s", prefix, provider.Quote(t.Schedule.String()), plainText(err))
	}
	f.add(checkDescription(prefix+"Description", t.Description))
	f.add(checkPriority(prefix+"Priority", t.Priority))
	if !t.Misfire.Valid() {
		f.addf("%sMisfire %d: use RunOnce, Skip or RunAll", prefix, t.Misfire)
	}
}

func checkPriority(field string, priority int) error {
	if priority < -priorityLimit || priority > priorityLimit {
		return fmt.Errorf("%s %d: use -%d to %d; 0 means %d", field, priority, priorityLimit, priorityLimit, DefaultPriority)
	}
	return nil
}

func checkDescription(field, text string) error {
	switch {
	case len(text) > MaxDescription:
		return fmt.Errorf("%s %s: use at most %d bytes", field, provider.Quote(text), MaxDescription)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s %s is not valid UTF-8: encode it as UTF-8", field, provider.Quote(text))
	case strings.Contains(text, "\x00"):
		return fmt.Errorf("%s %s holds a NUL character: remove it", field, provider.Quote(text))
	}
	return nil
}

// shownKey is a key as errors show it: as it is where it is short and
// printable, else quoted.
func shownKey(key string) string {
	if len(key) > 2*provider.MaxName+1 {
		return provider.Quote(key)
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return provider.Quote(key)
		}
	}
	return key
}

// known adds what this node lacks for the definition: its handler (R241) and
// its calendars (R194). Errors keep their own codes.
func (d JobDefinition) known(rules *plan.Rules) []error {
	var lacking []error
	if key := d.handlerKey(); !rules.KnowsHandler(key) {
		lacking = append(lacking, &provider.Error{Code: provider.CodeHandlerNotFound, Key: shownKey(d.Name),
			Reason: "Handler " + provider.Quote(key) + ": register it with Handle before Run, or name one that is registered"})
	}
	for i, t := range d.Triggers {
		if err := t.known(fmt.Sprintf("Triggers[%d].", i), rules); err != nil {
			lacking = append(lacking, err)
		}
	}
	return lacking
}

func (t TriggerDefinition) known(prefix string, rules *plan.Rules) error {
	name := t.Schedule.Calendar()
	if name == "" {
		return nil
	}
	if _, known, _ := rules.Calendar(name); !known {
		return provider.Invalidf("%sSchedule names calendar %s, which is not registered: register it with AddCalendar before Run, or remove it (R194)",
			prefix, provider.Quote(name))
	}
	return nil
}

func (d JobDefinition) handlerKey() string {
	if d.Handler != "" {
		return d.Handler
	}
	return d.Name
}
