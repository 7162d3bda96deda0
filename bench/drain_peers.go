package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peers is the program that drains the peers' queues: a module of its own, in
// a process of its own, so that their dependencies do not enter this build.
type peers struct {
	program string
	dir     string
}

// buildPeers builds the program. An error says why there is none.
func buildPeers(ctx context.Context) (*peers, error) {
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", "github.com/gormsched/gormsched/bench")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("finding the folder bench: %w: run this command inside the module's tree", err)
	}
	dir, err := os.MkdirTemp("", "gormsched-peers-")
	if err != nil {
		return nil, err
	}
	p := &peers{program: filepath.Join(dir, "peers"), dir: dir}
	build := exec.CommandContext(ctx, "go", "build", "-o", p.program, ".")
	build.Dir = filepath.Join(strings.TrimSpace(string(out)), "peers")
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false")
	if text, err := build.CombinedOutput(); err != nil {
		p.close()
		return nil, fmt.Errorf("building bench/peers: %w: %s", err, strings.Join(strings.Fields(string(text)), " "))
	}
	return p, nil
}

func (p *peers) close() { os.RemoveAll(p.dir) }

// peerAnswer is what the program prints.
type peerAnswer struct {
	Seconds           float64
	Version, Settings string
}

// drain runs the program once.
func (p *peers) drain(ctx context.Context, d *database, w work, system string, defaults bool) (time.Duration, peerAnswer, error) {
	var a peerAnswer
	command := exec.CommandContext(ctx, p.program, "-system", system, "-database", d.kind, "-dsn", d.dsn,
		"-jobs", fmt.Sprint(w.jobs), "-names", fmt.Sprint(w.names), "-workers", fmt.Sprint(w.workers),
		"-connections", fmt.Sprint(w.connections), "-data", w.data, fmt.Sprintf("-defaults=%t", defaults))
	var out, fault bytes.Buffer
	command.Stdout, command.Stderr = &out, &fault
	if err := command.Run(); err != nil {
		return 0, a, errors.New(strings.TrimSpace(err.Error() + ": " + fault.String()))
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		return 0, a, fmt.Errorf("the answer %q of the peers: %w", out.String(), err)
	}
	return time.Duration(a.Seconds * float64(time.Second)), a, nil
}
