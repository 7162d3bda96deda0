//go:build race

package cron_test

const raceDetector = true
