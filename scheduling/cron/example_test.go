package cron_test

import (
	"fmt"
	"time"
	_ "time/tzdata"

	"github.com/gormsched/gormsched/scheduling/cron"
)

func ExampleParse() {
	e, err := cron.Parse("30 9 ? * mon-fri")
	fmt.Println(e, err)
	_, err = cron.Parse("0 9 * * FRI-SUN")
	fmt.Println(err)
	// Output:
	// 0 30 9 * * MON-FRI <nil>
	// cron: weekday "FRI-SUN" at position 8: the range ends before it begins (weekday takes 0-7); write "FRI-7": as the end of a range Sunday is 7
}

func ExampleExpression_Next() {
	e := cron.MustParse("0 0 22 L * ?") // 22:00 on the last day of the month
	loc, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Date(2028, 1, 31, 20, 0, 0, 0, time.UTC)
	for range 2 {
		at, _ = e.Next(at, loc)
		fmt.Println(at, "is", at.In(loc))
	}
	// Output:
	// 2028-02-29 14:00:00 +0000 UTC is 2028-02-29 22:00:00 +0800 CST
	// 2028-03-31 14:00:00 +0000 UTC is 2028-03-31 22:00:00 +0800 CST
}

// A skipped reading does not run; a repeated one runs the first time only.
func ExampleExpression_Next_clockChange() {
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		fmt.Println(err)
		return
	}
	half := cron.MustParse("30 2 * * *")
	next, _ := half.Next(time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC), loc)
	fmt.Println(next.In(loc)) // not on the 8th
	each := cron.MustParse("*/30 * * * *")
	at := time.Date(2026, 11, 1, 4, 59, 0, 0, time.UTC)
	for range 3 {
		at, _ = each.Next(at, loc)
		fmt.Println(at.In(loc))
	}
	// Output:
	// 2026-03-09 02:30:00 -0400 EDT
	// 2026-11-01 01:00:00 -0400 EDT
	// 2026-11-01 01:30:00 -0400 EDT
	// 2026-11-01 02:00:00 -0500 EST
}

func ExampleExpression_Next_none() {
	_, ok := cron.MustParse("0 0 30 2 *").Next(time.Now(), nil)
	fmt.Println(ok)
	// Output: false
}

func ExampleExpression_NextMismatch() {
	night := cron.MustParse("* * 0-7 * * *") // every second before 08:00
	end, _ := night.NextMismatch(time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC), nil)
	fmt.Println(end)
	// Output: 2026-05-01 08:00:00 +0000 UTC
}

func ExampleExpression_Describe() {
	for _, text := range []string{"*/5 * * * *", "0 9 ? * MON-FRI", "0 22 L,15W * FRI#2"} {
		fmt.Println(cron.MustParse(text).Describe())
	}
	// Output:
	// Every 5 minutes
	// At 09:00 on Monday to Friday
	// At 22:00 on the weekday nearest to day 15 of the month, the last day of the month or the second Friday of the month
}
