// Package plan holds the scheduling rules as pure functions on the records of
// package provider: what becomes of a due trigger, what follows from the end of
// a run, when a trigger is first due, how data is merged and retries wait.
//
// Nothing here reads a clock, starts a goroutine, logs or does I/O. Every
// function may be called by any number of goroutines, and those that a store
// calls inside a transaction ([Rules.Decide], [Rules.Settle], [Recover]) may be
// called again for the same row.
//
// # Application calendars
//
// A calendar of the application's own is code that may be slow or panic, and
// therefore never runs inside a transaction. In a claim a trigger that needs
// one is held for the long way; [Rules.Prepare] then asks the calendar outside,
// with panics caught, and the decision of begin uses what it answered, or gives
// the claim back where the trigger has changed in between. When an interval
// run ends, the next instant is stored as if there were no such calendar; at
// that instant the long way asks it and moves the trigger on (R185).
package plan
