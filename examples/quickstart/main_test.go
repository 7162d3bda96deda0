package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// build makes the program once, so that the test kills the program itself and
// not the go command around it.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "quickstart")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the quickstart: %v\n%s", err, out)
	}
	return program
}

// TestKilledAndStartedAgain kills the program while the exclusive job runs, and
// starts it again: the interrupted run is Lost (D04, D06), the job runs again,
// and nothing has run twice.
func TestKilledAndStartedAgain(t *testing.T) {
	program, file := build(t), filepath.Join(t.TempDir(), "app.db")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	first := exec.CommandContext(ctx, program, "-db", file, "-for", "50s")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	lost := awaitRunning(ctx, t, file, "orders.import")
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()

	var out, errOut bytes.Buffer
	second := exec.CommandContext(ctx, program, "-db", file, "-for", "6s")
	second.Stdout, second.Stderr = &out, &errOut
	if err := second.Run(); err != nil {
		t.Fatalf("the second start: %v\n%s%s", err, out.String(), errOut.String())
	}
	for _, want := range []string{
		"left behind: run " + lost + " of orders.import",
		"lost: run " + lost + " of orders.import",
		"recovered: orders.import runs again",
		"occurrences begun twice: 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the second start does not say %q:\n%s%s", want, out.String(), errOut.String())
		}
	}
	db := openFile(t, file)
	var states []int
	db.Raw("SELECT run_state FROM scheduler_runs WHERE run_id = ?", lost).Scan(&states)
	if len(states) != 1 || states[0] != 5 {
		t.Errorf("states of the interrupted run: got %v, want [5] (Lost)", states)
	}
	var running int
	db.Raw("SELECT COUNT(*) FROM scheduler_runs WHERE running_on IS NOT NULL").Scan(&running)
	if running != 0 {
		t.Errorf("%d runs are Running after a clean stop, want 0", running)
	}
}

func openFile(t *testing.T, file string) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(sqlite.Open("file:"+file+"?_pragma=busy_timeout(2000)"), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return db
}

// awaitRunning waits until the file shows a run of the job that is Running.
func awaitRunning(ctx context.Context, t *testing.T, file, job string) string {
	t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			t.Fatalf("no run of %s within a minute", job)
		case <-look.C:
		}
		if _, err := os.Stat(file); err != nil {
			continue
		}
		var ids []string
		openFile(t, file).Raw("SELECT run_id FROM scheduler_runs WHERE job_name = ? AND running_on IS NOT NULL", job).Scan(&ids)
		if len(ids) > 0 {
			return ids[0]
		}
	}
}

// TestBadInput: one line that names the file and what to do, and an error.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fine := filepath.Join(dir, "fine.db")
	locked := filepath.Join(dir, "locked.db")
	holder, err := gorm.Open(sqlite.Open("file:"+locked+"?_pragma=journal_mode(WAL)&_txlock=immediate"), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	tx := holder.Begin()
	if tx.Error != nil {
		t.Fatal(tx.Error)
	}
	t.Cleanup(func() { tx.Rollback(); pool, _ := holder.DB(); _ = pool.Close() })

	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"broken file", []string{"-db", write("bad.db", strings.Repeat("no database ", 500))}, []string{"bad.db", "another with -db"}},
		{"locked file", []string{"-db", locked}, []string{"locked.db", "another program holds the file"}},
		{"no such folder", []string{"-db", filepath.Join(dir, "no", "x.db")}, []string{"x.db", "does its folder exist"}},
		{"a folder", []string{"-db", dir}, []string{dir, "-db"}},
		{"bad expression", []string{"-db", fine, "-jobs", write("a.txt", "ok every 00:00:01\nbad cron 61 * * * * *\n")}, []string{"a.txt:2", "second", "61", "0-59"}},
		{"bad name", []string{"-db", fine, "-jobs", write("b.txt", "Bad every 00:00:01\n")}, []string{"b.txt:1", `"Bad"`, "a-z"}},
		{"name only", []string{"-db", fine, "-jobs", write("c.txt", "lonely\n")}, []string{"c.txt:1", "a name and a schedule"}},
		{"twice", []string{"-db", fine, "-jobs", write("d.txt", "a every 00:00:01\n\na every 00:00:01\n")}, []string{"d.txt:3", "line 1"}},
		{"bad duration", []string{"-db", fine, "-jobs", write("e.txt", "a every 00:00:01 ! soon\n")}, []string{"e.txt:1", "soon", "2.5s"}},
		{"no job", []string{"-db", fine, "-jobs", write("f.txt", "# nothing\n")}, []string{"f.txt", "no job"}},
		{"no jobs file", []string{"-db", fine, "-jobs", filepath.Join(dir, "none.txt")}, []string{"none.txt", "readable"}},
		{"unknown zone", []string{"-db", fine, "-jobs", write("g.txt", "a cron 0 0 * * * tz=Mars/Olympus\n")}, []string{"g.txt:1", "Mars/Olympus"}},
		{"bad time", []string{"-db", fine, "-for", "-1s"}, []string{"-for", "above zero"}},
		{"argument", []string{"stray"}, []string{"stray", "options only"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			err := run(c.args, &out, &errOut)
			if err == nil {
				t.Fatalf("no error; output:\n%s", out.String())
			}
			line := err.Error()
			if strings.Contains(line, "\n") {
				t.Errorf("more than one line: %q", line)
			}
			for _, want := range c.want {
				if !strings.Contains(line, want) {
					t.Errorf("got %q, which does not name %q", line, want)
				}
			}
		})
	}
	if _, err := os.Stat(fine); err == nil {
		t.Error("the database was made although its jobs were refused")
	}
}

// TestBuiltInJobs: the jobs beside the program can all be read.
func TestBuiltInJobs(t *testing.T) {
	jobs, err := parseJobs("jobs.txt", builtInJobs)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(len(jobs)); got != "13" {
		t.Errorf("got %s jobs, want 13", got)
	}
}
