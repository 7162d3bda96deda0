//go:build unix

package main

import (
	"syscall"
	"time"
)

// clock names what used measures.
const clock = "processor time"

// used is the processor time that this process has taken, which, unlike the
// time of day, does not grow while other processes run.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
