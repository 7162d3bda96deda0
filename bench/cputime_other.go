//go:build !unix

package main

import "time"

// clock names what used measures.
const clock = "elapsed time"

var started = time.Now()

func used() time.Duration { return time.Since(started) }
