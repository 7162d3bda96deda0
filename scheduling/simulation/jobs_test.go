package simulation

import (
	"math/rand/v2"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// The settings that the model must know too.
const (
	pollInterval = time.Second
	threshold    = 5 * time.Second
	nodeTimeout  = 9 * time.Second
	leaseTTL     = 6 * time.Second
	retention    = 4 * time.Minute
	purgeEvery   = 10 * time.Second
)

// pace is how fast a cluster goes.
type pace struct {
	poll, threshold, nodeTimeout, leaseTTL, retention, purgeEvery time.Duration
}

// bySecond is the pace of schedules of seconds; byMinute that of sparse ones.
var (
	bySecond = pace{pollInterval, threshold, nodeTimeout, leaseTTL, retention, purgeEvery}
	byMinute = pace{
		poll: time.Minute, threshold: 5 * time.Minute, nodeTimeout: 9 * time.Minute, leaseTTL: 6 * time.Minute,
		retention: 40 * 24 * time.Hour, purgeEvery: time.Hour,
	}
)

// jobNames are the jobs of every cluster. "guest" comes and goes at run time,
// "local" runs on every instance, "dated" asks a calendar of the application.
var jobNames = []string{"alone", "dated", "guest", "hand", "local", "many", "patient", "safe"}

// deletable are the jobs that are deleted and come back.
var deletable = []string{"guest", "guest", "many", "patient", "dated"}

// guests are the triggers that "guest" may have, by name.
func guests() []scheduling.TriggerDefinition {
	return []scheduling.TriggerDefinition{
		{Name: "g1", Schedule: scheduling.MustCron("*/6 * * * * *", "")},
		{Name: "g1", Schedule: scheduling.MustCron("*/12 * * * * *", ""), Misfire: scheduling.Skip},
		{Name: "g2", Schedule: scheduling.MustEvery(5 * time.Second)},
		{Name: "g3", Schedule: scheduling.MustEveryTimes(4*time.Second, 12), Misfire: scheduling.RunAll},
		{Name: "g4", Schedule: scheduling.MustEvery(10 * time.Second), Misfire: scheduling.Skip},
		{Name: "g5", Schedule: scheduling.MustCron("*/12 * * * * *", "").WithCalendar(oddCalendar)},
	}
}

// guest is a definition of the job that comes and goes.
func guest(r *rand.Rand) scheduling.JobDefinition {
	def := scheduling.JobDefinition{
		Name: "guest", RequestsRecovery: true, Retry: scheduling.FixedRetry(1, time.Second), Data: scheduling.MustData(map[string]int{"g": r.IntN(3)}),
	}
	taken := map[string]bool{}
	for _, t := range guests() {
		if !taken[t.Name] && r.IntN(2) == 0 {
			taken[t.Name] = true
			def.Triggers = append(def.Triggers, t)
		}
	}
	return def
}

// definitions are the code jobs of a version of the program: each version has
// another schedule for one trigger.
func definitions(version int64, began time.Time) []scheduling.JobDefinition {
	data := scheduling.MustData
	turning := []string{"*/6 * * * * *", "*/10 * * * * *", "*/20 * * * * *"}[version%3]
	return []scheduling.JobDefinition{
		{
			Name: "alone", RequestsRecovery: true, Retry: scheduling.FixedRetry(2, time.Second), Data: data(map[string]int{"a": 1, "b": 1}),
			Triggers: []scheduling.TriggerDefinition{
				{Name: "cron", Schedule: scheduling.MustCron("*/5 * * * * *", ""), Data: data(map[string]int{"b": 2})},
				{Name: "every", Schedule: scheduling.MustEvery(5 * time.Second)},
				{Name: "all", Schedule: scheduling.MustCron("*/20 * * * * *", ""), Misfire: scheduling.RunAll},
				{Name: "skip", Schedule: scheduling.MustCron("*/12 * * * * *", ""), Misfire: scheduling.Skip},
			},
		},
		{Name: "hand", RequestsRecovery: true, Data: data(map[string]int{"a": 1})},
		{
			Name: "many", AllowConcurrent: true, Retry: scheduling.ExponentialRetry(3, 500*time.Millisecond, 1500*time.Millisecond), Timeout: 2 * time.Second,
			Triggers: []scheduling.TriggerDefinition{
				{Name: "turning", Schedule: scheduling.MustCron(turning, ""), Data: data(map[string]int{"v": int(version)})},
				{Name: "all", Schedule: scheduling.MustCron("*/15 * * * * *", ""), Misfire: scheduling.RunAll},
				{Name: "once", Schedule: scheduling.MustOnce(began.Add(40 * time.Second))},
				{Name: "late", Schedule: scheduling.MustOnce(began.Add(70 * time.Second)), Misfire: scheduling.Skip},
			},
		},
		{
			Name: "patient", Timeout: 1500 * time.Millisecond,
			Triggers: []scheduling.TriggerDefinition{
				{Name: "cron", Schedule: scheduling.MustCron("*/15 * * * * *", ""), Misfire: scheduling.Skip},
			},
		},
		{
			Name: "safe", AllowConcurrent: true, RequestsRecovery: true,
			Triggers: []scheduling.TriggerDefinition{
				{Name: "few", Schedule: scheduling.MustEveryTimes(4*time.Second, 12), Misfire: scheduling.RunAll},
				{Name: "skip", Schedule: scheduling.MustEvery(10 * time.Second), Misfire: scheduling.Skip},
			},
		},
		{
			Name: "dated", AllowConcurrent: true,
			Triggers: []scheduling.TriggerDefinition{
				{Name: "odd", Schedule: scheduling.MustCron("*/12 * * * * *", "").WithCalendar(oddCalendar)},
				{Name: "skip", Schedule: scheduling.MustCron("*/20 * * * * *", "").WithCalendar(oddCalendar), Misfire: scheduling.Skip},
			},
		},
		{
			Name: "local", RunOnEveryInstance: true, Retry: scheduling.FixedRetry(1, time.Second), Data: data(map[string]int{"a": 1}),
			Triggers: []scheduling.TriggerDefinition{
				{Name: "cron", Schedule: scheduling.MustCron("*/20 * * * * *", ""), Data: data(map[string]int{"b": 2})},
				{Name: "every", Schedule: scheduling.MustEvery(localEvery)},
			},
		},
	}
}

// localEvery is the interval of the local job.
const localEvery = 29 * time.Second

// plans are the schedules as the model reads them, by their text.
func plans(began time.Time) map[string]plan {
	list := map[string]plan{
		scheduling.MustEvery(10 * time.Second).String():           {every: 10 * time.Second},
		scheduling.MustEvery(5 * time.Second).String():            {every: 5 * time.Second},
		scheduling.MustEveryTimes(4*time.Second, 12).String():     {every: 4 * time.Second, times: 12},
		scheduling.MustOnce(began.Add(40 * time.Second)).String(): {once: began.Add(40 * time.Second)},
		scheduling.MustOnce(began.Add(70 * time.Second)).String(): {once: began.Add(70 * time.Second)},
	}
	for _, n := range []int{12, 20} {
		list[scheduling.MustCron("*/"+number(n)+" * * * * *", "").WithCalendar(oddCalendar).String()] = plan{seconds: everySecond(n), except: oddHalf}
	}
	list[scheduling.MustEvery(localEvery).String()] = plan{every: localEvery}
	for _, n := range []int{5, 6, 10, 12, 15, 20} {
		list[scheduling.MustCron("*/"+number(n)+" * * * * *", "").String()] = plan{seconds: everySecond(n)}
	}
	return list
}
