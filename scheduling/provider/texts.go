package provider

import (
	"strings"
	"unicode/utf8"
)

// The checks below are what every store makes before it writes anything, so that
// what one database would refuse, another cut and a third change is refused on
// all, in the same words. They match [ErrInvalidDefinition].

// The longest ids and codes, in bytes: the widths of their columns.
const (
	maxRunID = 36
	maxCode  = 64
)

// CheckText returns nil if value is a text that comes back from every database as
// it went in: UTF-8 without NUL characters, of any length. Otherwise the error
// names the field, the byte and the remedy, and nothing else of the text, which
// may be payload.
func CheckText(field, value string) error {
	if at := strings.IndexByte(value, 0); at >= 0 {
		return Invalidf("%s holds a NUL character at byte %d: remove it", field, at)
	}
	if utf8.ValidString(value) {
		return nil
	}
	for at := 0; ; {
		c, size := utf8.DecodeRuneInString(value[at:])
		if c == utf8.RuneError && size <= 1 {
			return Invalidf("%s is not valid UTF-8, it has byte 0x%02x at %d: encode it as UTF-8", field, value[at], at)
		}
		at += size
	}
}

// checkShort returns nil if value fits a key column: ASCII without NUL, of at
// most so many bytes. Empty is legal.
func checkShort(field, value string, most int) error {
	if len(value) > most {
		return Invalidf("%s %s is %d bytes long: use at most %d", field, Quote(value), len(value), most)
	}
	for i := range len(value) {
		if value[i] == 0 || value[i] >= utf8.RuneSelf {
			return Invalidf("%s %s has byte 0x%02x at %d: use ASCII", field, Quote(value), value[i], i)
		}
	}
	return nil
}

// first is the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckSave returns nil if the item can be saved: its names are legal (R152) and
// unique, no one-shot is among its triggers (D10), each of them can start as it
// is ([CheckNewTrigger]) and each text can be stored ([CheckText]).
func CheckSave(item SaveItem) error {
	j := item.Job
	of := " of job " + Quote(j.Name)
	if err := first(CheckName("Job.Name", j.Name), checkShort("Handler"+of, j.Handler, MaxName), checkShort("Fingerprint"+of, j.Fingerprint, MaxName),
		CheckText("Description"+of, j.Description), CheckText("Data"+of, j.Data)); err != nil {
		return err
	}
	names := make(map[string]bool, len(item.Triggers))
	for _, t := range item.Triggers {
		switch name := Quote(t.Trigger); {
		case names[t.Trigger]:
			return Invalidf("job %s has two triggers named %s: give each a name of its own", j.Name, name)
		case t.Job != "" && t.Job != j.Name:
			return Invalidf("trigger %s of job %s stands under job %s: put it under its own", name, Quote(t.Job), j.Name)
		case IsOneShot(t.Trigger):
			return Invalidf("trigger name %s begins like a one-shot's, which is reserved: choose another", name)
		}
		names[t.Trigger] = true
		t.Job = j.Name
		if err := CheckNewTrigger(t); err != nil {
			return err
		}
	}
	return nil
}

// CheckNewTrigger returns nil if a trigger of a definition can start in its
// state, so that something leads on from there, and its texts can be stored.
func CheckNewTrigger(t TriggerRecord) error {
	key := Quote(t.TriggerKey.String())
	switch t.State {
	case TriggerWaiting, TriggerPaused:
		if t.NextFireAt.IsZero() && !t.Local {
			return Invalidf("trigger %s is %v and has no NextFireAt: set it, or make the trigger Complete", key, t.State)
		}
	case TriggerComplete, TriggerError:
	default:
		return Invalidf("trigger %s cannot start as %v: make it Waiting, Complete or Error", key, t.State)
	}
	return t.checkTexts(key)
}

// CheckOneShot returns nil if a one-shot may be enqueued: its name says that it
// is one (D10), and its texts can be stored. Its job need not exist.
func CheckOneShot(t TriggerRecord) error {
	key := Quote(t.TriggerKey.String())
	if !IsOneShot(t.Trigger) {
		return Invalidf("trigger %s is not named as a one-shot: begin its name with %s, %s or %s", key, PrefixManual, PrefixRetry, PrefixRecovery)
	}
	return t.checkTexts(key)
}

func (t TriggerRecord) checkTexts(key string) error {
	of := " of trigger " + key
	return first(CheckName("Job"+of, t.Job), CheckName("Trigger"+of, t.Trigger), CheckText("Schedule"+of, t.Schedule),
		CheckText("Description"+of, t.Description), CheckText("Data"+of, t.Data), checkShort("RetryOf"+of, t.RetryOf, maxRunID),
		checkShort("ErrorCode"+of, t.ErrorCode, maxCode), CheckText("ErrorText"+of, t.ErrorText), checkShort("ZoneHash"+of, t.ZoneHash, maxCode))
}

// CheckRun returns nil if the run has an id and each of its texts can be stored.
func CheckRun(r RunRecord) error {
	of := " of run " + Quote(r.ID)
	if r.ID == "" {
		return Invalidf("ID%s of job %s is empty: give it a UUID", of, Quote(r.Job))
	}
	return first(checkShort("ID", r.ID, maxRunID), checkShort("Job"+of, r.Job, MaxName), checkShort("TriggerName"+of, r.TriggerName, MaxName),
		checkShort("Node"+of, r.Node, MaxName), checkShort("RetryOf"+of, r.RetryOf, maxRunID), CheckText("Data"+of, r.Data),
		CheckText("Result"+of, r.Result), checkShort("ErrorCode"+of, r.ErrorCode, maxCode), CheckText("ErrorText"+of, r.ErrorText))
}

// CheckCompletion returns nil if the completion ends its run and each of its
// texts can be stored.
func CheckCompletion(c Completion) error {
	of := " of run " + Quote(c.RunID)
	if !c.State.Final() {
		return Invalidf("State %v%s does not end it: use one of the final states", c.State, of)
	}
	return first(checkShort("ErrorCode"+of, c.ErrorCode, maxCode), CheckText("ErrorText"+of, c.ErrorText), CheckText("Result"+of, c.Result))
}
