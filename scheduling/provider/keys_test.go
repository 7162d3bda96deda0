package provider

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// R152: ^[a-z0-9][a-z0-9._-]{0,127}$, and errors that name field, value and
// remedy.
func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "0", "reports.nightly", "a_b-c.d", strings.Repeat("x", 128)} {
		if err := CheckName("Name", name); err != nil {
			t.Errorf("CheckName(%q) = %v, want nil", name, err)
		}
	}
	for name, remedy := range map[string]string{
		"": "1 to 128", strings.Repeat("x", 129): "at most 128", "Upper": "lower case", ".dot": "begin with", "-x": "begin with",
		"a b": "use only", "a/b": "use only", "ä": "begin with", "aä": "use only", "a\x00": "use only", "a\n": "use only",
	} {
		err := CheckName("Job", name)
		if !errors.Is(err, ErrInvalidDefinition) {
			t.Errorf("CheckName(%q) = %v, want ErrInvalidDefinition", name, err)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, "Job ") || !strings.Contains(text, remedy) || !strings.Contains(text, Quote(name)) {
			t.Errorf("CheckName(%q): %q does not name field, value and remedy %q", name, text, remedy)
		}
		if strings.ContainsAny(text, "\x00\n") || len(text) > 400 {
			t.Errorf("CheckName(%q): the message carries raw bytes or is %d long", name, len(text))
		}
	}
}

// D06: node ids are 1 to 128 printable ASCII characters.
func TestCheckPrintable(t *testing.T) {
	for value, legal := range map[string]bool{
		"a": true, "Orders-A:17:x7": true, "~!": true, strings.Repeat("x", 128): true,
		"": false, " ": false, "a b": false, "ä": false, "a\x7f": false, strings.Repeat("x", 129): false,
	} {
		if err := CheckPrintable("NodeID", value); (err == nil) != legal {
			t.Errorf("CheckPrintable(%q) = %v, want legal %v", value, err, legal)
		}
	}
}

// D32: keys are ordered by the bytes of "job/trigger", where '/' comes after
// '.' and '-' and before every letter and digit.
func TestTriggerKeys(t *testing.T) {
	keys := []TriggerKey{{"a", "t"}, {"a.b", "t"}, {"a-b", "t"}, {"a0", "t"}, {"a", "s"}}
	slices.SortFunc(keys, TriggerKey.Compare)
	if got, want := fmt.Sprint(keys), "[a-b/t a.b/t a/s a/t a0/t]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, err := ParseTriggerKey("a.b/t"); err != nil || got != (TriggerKey{"a.b", "t"}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []string{"", "a", "/t", "a/"} {
		if _, err := ParseTriggerKey(bad); err == nil {
			t.Errorf("ParseTriggerKey(%q) gave no error", bad)
		}
	}
	for name, want := range map[string]bool{"manual-x": true, "retry-1-2": true, "recovery-y": true, "manual": false, "x-manual-": false} {
		if IsOneShot(name) != want {
			t.Errorf("IsOneShot(%q) = %v, want %v", name, !want, want)
		}
	}
}

// G3: codes are matched by errors.Is, causes stay reachable by errors.As.
func TestErrors(t *testing.T) {
	err := fmt.Errorf("outer: %w", Unavailable("claiming", io.ErrUnexpectedEOF))
	if !errors.Is(err, ErrStoreUnavailable) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrJobNotFound) {
		t.Errorf("%v does not match its code and its cause alone", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeStoreUnavailable || e.Reason != "claiming" {
		t.Errorf("got %+v", e)
	}
	if Unavailable("x", nil) != nil {
		t.Error("a nil cause gives an error")
	}
	if same := NotFound(CodeJobNotFound, "a"); Unavailable("x", same) != same { // R024
		t.Error("an error with a meaning is wrapped")
	}
	if got := Contended("save").Error(); !strings.Contains(got, ReasonContention) {
		t.Errorf("%q does not say %q", got, ReasonContention)
	}
}

// R289–R305: every code has a message and a sentinel that matches it.
func TestCodes(t *testing.T) {
	sentinels := []*Error{
		ErrJobNotFound, ErrHandlerNotFound, ErrTriggerNotFound, ErrRunNotFound, ErrNoCodeDefinition, ErrInvalidDefinition,
		ErrInvalidPage, ErrJobRunning, ErrLeaseHeld, ErrRunCanceled, ErrNotServing, ErrElectionUnavailable, ErrStoreUnavailable,
		ErrStoreFull, ErrRunTimeout, ErrRunPanicked, ErrLeaderUnreachable,
	}
	seen := map[Code]bool{}
	for _, s := range sentinels {
		if seen[s.Code] || Message(s.Code) == string(s.Code) {
			t.Errorf("%s: twice, or without a message", s.Code)
		}
		seen[s.Code] = true
	}
	if len(seen) != len(messages) {
		t.Errorf("%d sentinels, %d messages", len(seen), len(messages))
	}
	if got := Message("X"); got != "X" {
		t.Errorf("the message of an unknown code is %q", got)
	}
}

// D14: values that this version does not know are not valid, and have a text.
func TestEnumsTellUnknownValues(t *testing.T) {
	for _, v := range []interface {
		Valid() bool
		String() string
	}{
		TriggerState(0), TriggerState(7), RunState(0), RunState(6), RunKind(0), RunKind(5), MisfirePolicy(-1), MisfirePolicy(3),
		Source(0), Source(4), Backoff(-1), Backoff(2),
	} {
		if v.Valid() || !strings.Contains(v.String(), "(") {
			t.Errorf("%T %v: valid %v", v, v, v.Valid())
		}
	}
	if TriggerError.String() != "Error" || RunLost.String() != "Lost" || KindRecovery.String() != "Recovery" || !RunLost.Final() || RunRunning.Final() {
		t.Error("names or finality are wrong")
	}
}
