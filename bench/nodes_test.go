package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The workloads that start processes start this program again.
func TestMain(m *testing.M) {
	if os.Getenv(nodeEnvironment) != "" {
		if err := run(os.Args[1:], os.Stdout); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Each workload runs to its end on SQLite, small; what must hold whatever the
// machine does is in its table.
func TestNodeWorkloads(t *testing.T) {
	for name, c := range map[string]struct {
		args string
		want []string // patterns
	}{
		"recurring":   {"-triggers 5 -for 2s -rounds 1 -nodes 1", []string{`(?m)spread +1 +\d+ +0 `, `(?m)on the second +1 +10 +0 `}},
		"punctuality": {"-rate 20 -for 1s -rounds 1", []string{`gormsched +0 `, `hand-written +0 `, `none early: met`}},
		"herd":        {"-triggers 150 -nodes 1,2 -rounds 1", []string{`(?m)^ +1 .* 0$`, `(?m)^ +2 .* 0$`}},
		"history":     {"-small 300 -runs 900 -jobs 3 -page 10 -deep 5 -rounds 3", []string{`first page of a job`, `purge of half`}},
		"memory":      {"-triggers 10,200 -handlers 20 -rounds 1 -for 1s", []string{`200 triggers wait +\d`, `20 running handlers +\d`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := run(append([]string{name, "-postgres", "none"}, strings.Fields(c.args)...), &out); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			for _, want := range c.want {
				if !regexp.MustCompile(want).MatchString(out.String()) {
					t.Errorf("nothing like %q in\n%s", want, out.String())
				}
			}
		})
	}
}

// Flags that mean nothing are errors, before anything is started.
func TestBadNodeFlags(t *testing.T) {
	for _, args := range []string{
		"recurring -nodes x", "recurring -for 1s", "punctuality -rate 0", "herd -nodes 0", "herd -triggers 0", "failover -only nobody",
		"failover -rounds 0", "history -runs 0", "memory -triggers 1", "memory -handlers 0", "node",
	} {
		if err := run(strings.Fields(args), &strings.Builder{}); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestQuantile(t *testing.T) {
	list := []time.Duration{1, 2, 3, 4}
	if quantile(nil, 0.5) != 0 || quantile(list, 0.5) != 3 || quantile(list, 1) != 4 {
		t.Error("a quantile is wrong")
	}
}
