// Package schedule says when a trigger is due: a manual schedule never by
// itself, an interval after each completion, a cron expression at the instants
// that it names on a zone's clock, a once schedule at one instant; each with an
// optional window and exclusion calendar. The package is pure: it reads no
// clock and writes nothing, and every function may be called by any number of
// goroutines. Only zone data is read, once per zone and process.
//
// # Text
//
// [Schedule.String] writes, and [Parse] reads, one line (R166, D37):
//
//	text      = body { tail }
//	body      = "manual"
//	          | "every" interval [ "x" total ]
//	          | "cron" expression [ "tz=" zone ]
//	          | "once" instant
//	tail      = "start=" instant | "end=" instant | "calendar=" name
//	interval  = [ days "." ] hh ":" mm ":" ss [ "." fraction ]
//	instant   = yyyy "-" mm "-" dd "T" hh ":" mm ":" ss [ "." fraction ] ( "Z" | ( "+" | "-" ) hh ":" mm )
//	fraction  = 1 to 9 digits, cut to microseconds
//	total     = the number of all runs, 1 or more; left out = unlimited
//	expression= 5, 6 or 7 fields, see package cron
//	zone      = an IANA name or a Windows id; up to the next tail, so ids may have spaces
//	name      = [a-z0-9][a-z0-9._-]{0,127}
//
// Written text is canonical: one space between parts; tails in the order tz,
// start, end, calendar; instants in UTC with seven fraction digits; interval
// fractions with seven digits, or none when zero; zones by IANA name and UTC
// left out. Read text may have words and keys in any case, spaces and tabs
// around and between parts, tails in any order, any offset, and one digit
// where an interval has two. Anything else is an error: other characters than
// printable ASCII, more than [MaxText] bytes, a part that stands twice or is
// not known.
//
//	every 00:10:00 x5
//	cron 0 0 9 * * MON-FRI tz=Asia/Shanghai calendar=holidays
//	once 2026-11-01T00:00:00.0000000+00:00
//
// # Windows
//
// No run before the start, none after the end; both instants themselves are
// allowed (R163, R164, B78). An interval's first run is one interval after the
// start, never at the start itself, and when that instant has passed before
// the trigger is stored, one interval after it was stored (B74). All instants
// are whole microseconds; what is finer is cut, so nothing becomes later by
// being stored (B170).
//
// # Calendars
//
// A calendar excludes instants (R184). A cron schedule passes over excluded
// candidates; an interval is put off to the first instant that is not excluded
// (R185); a once schedule whose instant is excluded never runs (R186). After
// [MaxExcluded] excluded candidates in a row there is no next (R187).
//
// The calendars of this package know where an excluded stretch ends, so a
// stretch counts as one candidate and is left in one step (D18). They exclude
// by what the clock of their zone shows, at exact instants: a holiday whose
// midnight is skipped begins at the first instant of that date, a date that
// falls back into itself is 25 hours long, one that a zone leaves out is empty
// (B86).
//
// An application's own calendar needs one method ([Calendar]). Such a calendar
// is asked candidate by candidate. For a cron schedule the candidates are the
// instants of the expression, so that a schedule for every second ends for
// ever in an exclusion of three hours; [Warn] finds this when the schedule is
// registered. For an interval the candidates are one second apart for the
// first 4,000, then one minute for 4,000, then one hour for 2,000, about 86
// days in all, and the end of the stretch is then narrowed down to the
// microsecond; an opening shorter than the step can be passed over. An
// application that knows better implements [StretchCalendar].
//
// # Zones
//
// Zone data comes from the machine, or from the program when it imports
// time/tzdata; without either every zone but UTC is an error that says so.
// "Local" is always an error, because it means another zone on each node.
// Windows ids are translated when a schedule is made. [Schedule.ZoneHash] tells
// whether two machines have the same data for a schedule (D43).
package schedule
