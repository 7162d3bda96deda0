// Package cron reads cron expressions with a precision of one second and finds
// the instants at which they run, on the wall clock of any time zone. It
// depends on the standard library only.
//
//	e, err := cron.Parse("0 30 9 ? * MON-FRI")
//	next, ok := e.Next(time.Now(), loc)
//
// # Grammar
//
// An expression has five, six or seven fields, separated by blanks or tabs:
//
//	five          minute hour day month weekday         (the second is 0)
//	six    second minute hour day month weekday
//	seven  second minute hour day month weekday year
//
// Fields, their values and what they take beside the common items:
//
//	field     values                       also
//	second    0-59
//	minute    0-59
//	hour      0-23
//	day       1-31                         ?  L  L-n  nW  LW
//	month     1-12 or JAN-DEC
//	weekday   0-7 or SUN-SAT               ?  nL  n#k
//	year      1970-2099
//
// Names have three letters in either case. 0 and 7 are both Sunday, 1 is
// Monday, 6 is Saturday. A field is a list of items with commas between them:
//
//	item      means
//	*         every value; 1970 to 2099 in a list of years, 0 to 6 for weekdays
//	a         one value
//	a-b       a to b, where b is not less than a; for weekdays b may be 7
//	*/n       every n-th value from the lowest
//	a/n       every n-th value from a to the highest (6 for weekdays)
//	a-b/n     every n-th value from a to b
//	?         the same as *, in the two day fields, alone
//	L         the last day of the month
//	L-n       the n-th day before the last, n from 1 to 30
//	nW        the day from Monday to Friday that is nearest to day n and in the
//	          same month; none in a month without a day n
//	LW        the last day from Monday to Friday of the month
//	nL        the last weekday n of the month: 5L, FRIL
//	n#k       the k-th weekday n of the month, k from 1 to 5: 5#2, FRI#2
//
// A step is at most the largest value of the field (6 for weekdays), and begins
// anew each time: "*/7" in the minutes is 0, 7, … 56 and then 0 again.
//
// Day and weekday: exactly "*" or "?" leaves a field out of account; any other
// text restricts, "*/2", "1-31" and "0-6" included. If both fields restrict, a
// day needs to match one of them only:
//
//	0 0 13 * FRI      each 13th and each Friday, not only Friday the 13th
//
// Ranges do not run over the end of a field: "22-2" and "FRI-MON" are errors,
// to be written "22-23,0-2" and "FRI-SAT,SUN-MON". SUN is 0, so "FRI-SUN" is
// such a range as well; "FRI-7" is the one that was meant. A bare L as weekday
// is an error too. A text is limited to 4096 bytes of printable ASCII.
//
// # Changes of the clock
//
// Expressions are matched against the wall clock of the zone. The rule is: a
// reading that the clock skips does not run, and a reading that it shows twice
// runs the first time only. Both hold for every expression, "*" and "*/n"
// included.
//
// Clocks go forward, New York, 8 March 2026. 02:00 to 02:59 do not exist:
//
//	UTC         06:30      07:00      07:30      08:00
//	clock       01:30    | 03:00      03:30      04:00
//	30 * * * *  runs     |            runs
//	30 2 * * *           | does not run that day
//	0 3 * * *            | runs
//
// Clocks go back, New York, 1 November 2026. 01:00 to 01:59 come twice:
//
//	UTC           05:00   05:30   06:00   06:30   07:00   07:30
//	clock         01:00   01:30 | 01:00   01:30   02:00   02:30
//	*/30 * * * *  runs    runs  |                 runs    runs
//	30 1 * * *            runs  |
//	0 * * * *     runs          |                 runs
//
// A day without midnight, Cairo, 24 April 2026. Nothing is shifted to 01:00,
// and nothing else of that day is lost:
//
//	UTC          21:00      21:30      22:00      23:00
//	clock        23:00      23:30    | 01:00      02:00
//	0 0 * * *                        | does not run on the 24th
//	0 */2 * * *                      |            runs
//
// A skipped day, Apia, 30 December 2011. The 29th is followed by the 31st:
//
//	UTC          29th 22:00      30th 09:59      30th 10:00     30th 22:00
//	clock        29th 12:00      29th 23:59    | 31st 00:00     31st 12:00
//	0 12 * * *   runs                          |                runs
//	0 0 * * FRI                                | does not run on the 30th
//
// The rule looks at readings alone, whatever the change: half an hour, three
// hours, several changes in a day, offsets with seconds. A reading that is
// skipped and then shown by a later change back was not shown before, so it
// runs. Offsets are taken to lie within a day of UTC.
//
// # The end of the search
//
// Next looks five calendar years ahead, inclusive, on the calendar of the zone;
// where the year field is restricted, through the years that it names. It then
// says that there is none, as for "0 0 30 2 *". No expression makes it search
// for long.
//
// # Differences from Quartz
//
//   - Weekdays count from 0 = Sunday. Quartz counts from 1 = Sunday, so a numeric
//     weekday copied from Quartz runs one day late; names mean the same in both.
//   - Five fields are allowed, and neither day field has to be "?".
//   - Two restricted day fields are united; Quartz refuses them.
//   - A bare L as weekday is an error; in Quartz it is Saturday.
//   - L-nW is not supported, nor are ranges over the end of a field.
//   - Readings that the clock skips do not run; Quartz moves some of them.
//
// # Differences from Vixie cron
//
//   - Seconds, years, ?, L, W and # are known.
//   - "*/2" and "1-31" restrict a day field. In Vixie cron a field that begins
//     with "*" does not, and then both day fields have to match.
//   - Neither macros such as @daily nor CRON_TZ prefixes nor random values are
//     part of an expression; errors name the equivalent.
//   - Skipped readings are not caught up on, repeated ones never run twice.
//   - A step larger than the field's largest value is an error.
package cron
