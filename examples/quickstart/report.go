package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// picture is what the database says at one moment.
type picture struct {
	jobs []scheduling.JobStatus
	runs []scheduling.RunRecord
}

// look reads all jobs and all runs that the file keeps.
func (c *cluster) look(ctx context.Context) (picture, error) {
	var p picture
	s := c.schedulers[0]
	jobs, err := s.Statuses(ctx)
	if err != nil {
		return p, c.explain(err)
	}
	p.jobs = jobs
	for {
		page, err := s.Runs(ctx, scheduling.RunQuery{Skip: len(p.runs), Limit: provider.MaxRunPage})
		if err != nil {
			return p, c.explain(err)
		}
		p.runs = append(p.runs, page...)
		if len(page) < provider.MaxRunPage {
			return p, nil
		}
	}
}

func (p picture) running() []scheduling.RunRecord {
	return slices.DeleteFunc(slices.Clone(p.runs), func(r scheduling.RunRecord) bool { return r.State != provider.RunRunning })
}

// printLeftBehind says what an earlier process did not finish.
func (p picture) printLeftBehind(out io.Writer) {
	if len(p.runs) > 0 {
		fmt.Fprintf(out, "the file holds %d runs of earlier starts\n", len(p.runs))
	}
	for _, r := range p.running() {
		fmt.Fprintf(out, "left behind: run %s of %s, Running on %s since %s\n", r.ID, r.Job, r.Node, clock(r.StartedAt))
	}
}

// printTable prints a line per job: how often it ran, where, and when it runs
// next.
func (p picture) printTable(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "JOB\tSCHEDULE\tOK\tFAILED\tCANCELED\tLOST\tRUNNING\t%s\tLAST\tNEXT\n", strings.Join(nodes, "\t"))
	for _, job := range p.jobs {
		states := map[provider.RunState]int{}
		where := map[string]int{}
		for _, r := range p.runs {
			if r.Job == job.Job.Name {
				states[r.State]++
				where[r.Node]++
			}
		}
		text, last, next := "manual", "-", "-"
		for _, t := range job.Triggers {
			if t.Trigger.Schedule == "" {
				continue // a one-shot
			}
			text = t.Trigger.Schedule
			zone := time.UTC
			if s, err := scheduling.ParseSchedule(text); err == nil {
				zone = s.Location()
			}
			last, next = when(t.Trigger.PrevFireAt, zone), when(t.Trigger.NextFireAt, zone)
			if t.Trigger.NextFireAt.IsZero() {
				next = strings.ToLower(t.Condition.String())
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d", job.Job.Name, text, states[provider.RunSucceeded], states[provider.RunFailed],
			states[provider.RunCanceled], states[provider.RunLost], states[provider.RunRunning])
		for _, id := range nodes {
			fmt.Fprintf(w, "\t%d", where[id])
		}
		fmt.Fprintf(w, "\t%s\t%s\n", last, next)
	}
	_ = w.Flush()
}

// printRecovery says what became of what was left behind, what was missed, and
// whether any occurrence was begun twice.
func (p picture) printRecovery(out io.Writer, before picture, started time.Time) {
	fmt.Fprintln(out)
	for _, old := range before.running() {
		for _, r := range slices.Backward(p.runs) { // oldest first
			switch {
			case r.ID == old.ID && r.State == provider.RunLost:
				fmt.Fprintf(out, "lost: run %s of %s, declared %.1fs after the start\n", r.ID, r.Job, r.CompletedAt.Sub(started).Seconds())
			case r.TriggerName == provider.PrefixRecovery+old.ID:
				fmt.Fprintf(out, "recovered: %s runs again as %s on %s, begun %.1fs after the start\n", r.Job, r.ID, r.Node, r.StartedAt.Sub(started).Seconds())
			}
		}
	}
	for _, r := range p.missed(before, started) {
		fmt.Fprintf(out, "missed: %s was due at %s, its policy RunOnce made one run at %s\n", r.job, clock(r.due), clock(r.run))
	}
	fmt.Fprintf(out, "runs in the file: %d, occurrences begun twice: %d\n", len(p.runs), p.doubles())
}

type miss struct {
	job      string
	due, run time.Time
}

// missed finds jobs whose occurrence passed while nothing was running: what was
// due before the start by more than the threshold, and the first run since.
func (p picture) missed(before picture, started time.Time) []miss {
	var all []miss
	threshold := options("", nil).MisfireThreshold
	for _, job := range before.jobs {
		for _, t := range job.Triggers {
			due := t.Trigger.NextFireAt
			if due.IsZero() || started.Sub(due) <= threshold || t.Trigger.Schedule == "" {
				continue
			}
			for _, r := range slices.Backward(p.runs) { // oldest first
				if r.Job == job.Job.Name && r.TriggerName == t.Trigger.Trigger && r.StartedAt.After(started) {
					all = append(all, miss{r.Job, due, r.ScheduledAt})
					break
				}
			}
		}
	}
	return all
}

// doubles counts the occurrences that were begun more than once.
func (p picture) doubles() int {
	begun := map[string]int{}
	doubles := 0
	for _, r := range p.runs {
		if r.Kind != provider.KindSchedule {
			continue
		}
		key := fmt.Sprintf("%s/%s@%d", r.Job, r.TriggerName, r.ScheduledAt.UnixMicro())
		if begun[key]++; begun[key] == 2 {
			doubles++
		}
	}
	return doubles
}

func clock(at time.Time) string { return at.Format("15:04:05.000Z07:00") }

func when(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return "-"
	}
	return at.In(zone).Format("2006-01-02 15:04:05 MST")
}
