package scheduling

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// maxErrorText is how much of a run's error is kept (D39).
const maxErrorText = 4 << 10

// NoRetry marks err so that the run fails without retries, whatever the job's
// policy says (D39). A nil err stays nil. The mark is found by [errors.As]
// through wrapping; the error's text does not change.
func NoRetry(err error) error {
	if err == nil {
		return nil
	}
	return &retryMark{err: err, never: true}
}

// RetryAfter marks err so that the next retry waits d in place of what the
// job's policy says, once (D39). The policy still decides whether there is a
// next retry. d is cut to 0 … 30 days. A nil err stays nil.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &retryMark{err: err, wait: min(max(d, 0), RetryDelayLimit)}
}

type retryMark struct {
	err   error
	never bool
	wait  time.Duration
}

func (m *retryMark) Error() string { return m.err.Error() }

func (m *retryMark) Unwrap() error { return m.err }

// crash is a panic or Goexit of a handler.
type crash struct {
	what  string
	stack []byte
}

func (c *crash) Error() string { return c.what + "\n" + string(c.stack) }

// verdict is how a run ends.
type verdict struct {
	state provider.RunState
	code  provider.Code
	text  string
	// never and wait are what the handler said about retries; chosen tells a
	// wait of zero from none.
	never  bool
	chosen bool
	wait   time.Duration
}

// judge says how a run ends: by the first cause that ended its context, else
// by what the handler returned (D20, R224, R226).
func judge(cause, err error) verdict {
	switch {
	case errors.Is(cause, ErrTimeout):
		v := verdict{state: provider.RunFailed, code: provider.CodeRunTimeout, text: because(cause, err)}
		v.mark(err)
		return v
	case errors.Is(cause, ErrCanceled), errors.Is(cause, ErrStopping):
		return verdict{state: provider.RunCanceled, code: provider.CodeRunCanceled, text: because(cause, err)}
	case errors.Is(cause, ErrIsolated), errors.Is(cause, ErrLost):
		return verdict{state: provider.RunLost, text: because(cause, err)}
	}
	if err == nil {
		return verdict{state: provider.RunSucceeded}
	}
	v := verdict{state: provider.RunFailed, code: provider.CodeRunPanicked, text: clip(errorText(err))}
	var coded *provider.Error
	if errors.As(err, &coded) && coded.Code != "" {
		v.code = coded.Code
	}
	v.mark(err)
	return v
}

func (v *verdict) mark(err error) {
	var m *retryMark
	if errors.As(err, &m) {
		v.never, v.chosen, v.wait = m.never, !m.never, m.wait
	}
}

func because(cause, err error) string {
	if err == nil || errors.Is(err, cause) {
		return clip(cause.Error())
	}
	return clip(cause.Error() + "; the handler returned: " + errorText(err))
}

// errorText survives an Error method that panics.
func errorText(err error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("error of type %T, whose Error method panicked", err)
		}
	}()
	return err.Error()
}

// clip makes a text fit to be stored: at most 4 KiB of valid UTF-8 without
// NUL (D39).
func clip(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= maxErrorText {
		return text
	}
	const more = "…"
	cut := maxErrorText - len(more)
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + more
}
