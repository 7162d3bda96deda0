package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling"
)

// work is the data of every job here: how long its handler works.
type work struct {
	Work string `json:"work"`
}

// parseJobs reads the jobs file. Every error names the file, the line and what
// to do.
func parseJobs(source, text string) ([]scheduling.JobDefinition, error) {
	var jobs []scheduling.JobDefinition
	seen := map[string]int{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		job, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", source, i+1, err)
		}
		if first, taken := seen[job.Name]; taken {
			return nil, fmt.Errorf("%s:%d: job %q stands on line %d already: give each job a name of its own", source, i+1, job.Name, first)
		}
		seen[job.Name] = i + 1
		jobs = append(jobs, job)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s: there is no job in it: write lines such as `backup.nightly cron 0 30 2 * * * tz=Europe/Berlin`", source)
	}
	return jobs, nil
}

// parseLine reads "name schedule [! duration]".
func parseLine(line string) (scheduling.JobDefinition, error) {
	var job scheduling.JobDefinition
	name, rest, ok := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	if !ok {
		return job, fmt.Errorf("%q: write a name and a schedule, such as `%s every 00:00:05`", line, name)
	}
	text, busy, long := strings.Cut(rest, "!")
	data := work{}
	if long {
		d, err := time.ParseDuration(strings.TrimSpace(busy))
		if err != nil || d < 0 {
			return job, fmt.Errorf("%q after the exclamation mark: write how long the job works, such as 2.5s", strings.TrimSpace(busy))
		}
		data.Work = d.String()
	}
	if !scheduling.ValidName(name) {
		return job, fmt.Errorf("job name %q: use 1 to 128 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit", name)
	}
	schedule, err := scheduling.ParseSchedule(strings.TrimSpace(text))
	if err != nil {
		return job, err
	}
	job = scheduling.NewJob(name, schedule)
	job.Handler = handlerKey
	job.RequestsRecovery = long // the slow one starts again when its node is lost
	job.Data, err = scheduling.NewData(data)
	return job, err
}
