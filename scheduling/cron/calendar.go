package cron

const (
	secondsPerDay  = 24 * 60 * 60
	daysPerEra     = 146097 // days in 400 Gregorian years
	epochFromMarch = 719468 // days from 0000-03-01 to 1970-01-01
)

// The two conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date
// Algorithms": a year that begins in March puts the leap day last, so that
// months and leap years need neither tables nor branches.

// dayNumber counts days from 1970-01-01 to the given date of the proleptic
// Gregorian calendar.
func dayNumber(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return era*daysPerEra + dayOfEra - epochFromMarch
}

// civilDate is the inverse of dayNumber.
func civilDate(number int64) (year, month, day int64) {
	number += epochFromMarch
	era := floorDiv(number, daysPerEra)
	dayOfEra := uint32(number - era*daysPerEra)
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153 // 0 = March
	day = int64(dayOfYear - (153*shifted+2)/5 + 1)
	month = int64(shifted) + 3
	year = int64(yearOfEra) + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// weekdayOf tells the weekday of a day number, 0 = Sunday.
func weekdayOf(number int64) int64 {
	w := (number + 4) % 7 // 1970-01-01 was a Thursday
	if w < 0 {
		w += 7
	}
	return w
}

func monthLength(year, month int64) int64 {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month+month>>3)&1
}

// floorDiv divides towards minus infinity; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
