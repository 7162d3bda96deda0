package gormsched

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// A connection that the network loses at a commit, before the server has it or
// before its answer comes, leaves what was written whole and once: the store looks
// up what became of it, and begins anew where nothing did (R022, D07).
func TestConnectionLostAtCommit(t *testing.T) {
	onServers(t, func(t *testing.T, d testDatabase) {
		owner := d.store(t, Options{})
		through, r := d.relayed(t)
		s := through.bare(t, Options{})
		w := newWorld(t, owner)
		w.jobs(true, "a")
		for i, before := range []bool{true, false, true, false} {
			r.loseAtCommit(before)
			shot := provider.TriggerRecord{TriggerKey: provider.TriggerKey{Job: "a", Trigger: fmt.Sprintf("manual-%d", i)}, RunAs: provider.KindManual}
			answers, err := s.Enqueue(w.ctx, []provider.TriggerRecord{shot})
			if err != nil || answers[0].Err != nil || answers[0].Existed {
				t.Errorf("before %v: got %+v, %v; want it enqueued", before, answers, err)
			}
			if r.lost != i+1 {
				t.Fatalf("%d connections were lost at a commit, want %d", r.lost, i+1)
			}
			if n := w.count("SELECT COUNT(*) FROM {{triggers}}"); n != i+1 {
				t.Errorf("before %v: %d one-shots, want %d", before, n, i+1)
			}
		}
		for i, before := range []bool{true, false} {
			r.loseAtCommit(before)
			claim, err := s.Claim(w.ctx, w.claimRequest(1))
			w.must(err)
			if began := started(claim.Items); len(began) != 1 || w.count("SELECT COUNT(*) FROM {{runs}}") != i+1 {
				t.Fatalf("before %v: %d runs began, want one", before, len(began))
			}
			r.loseAtCommit(before)
			done, err := s.Complete(w.ctx, provider.CompleteRequest{Node: w.node, Items: []provider.Completion{
				{RunID: started(claim.Items)[0].Run.ID, Job: "a", State: provider.RunSucceeded}}})
			if err != nil || done.Items[0].Outcome != provider.OutcomeDone {
				t.Errorf("before %v: completing answers %+v, %v", before, done.Items, err)
			}
		}
		w.invariants("after lost commits")
	})
}

// While the database is away every call answers the code with its cause, and the
// engine lives on; when it is back the engine works within seconds, has run no
// occurrence twice and left nothing Running (R022, R250, D41). On SQLite another
// process has locked the file.
func TestEngineGoesOnWhenTheDatabaseIsBack(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		owner := d.store(t, Options{})
		through, leave := d.awayOnDemand(t, owner)
		s := through.bare(t, Options{})
		engine, err := scheduling.New(s, scheduling.Options{NodeID: "n", PollInterval: 100 * time.Millisecond,
			ShutdownTimeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		var handled atomic.Int64
		engine.Handle("h", func(context.Context, *scheduling.Run) error { handled.Add(1); return nil })
		if err := engine.AddJob(scheduling.JobDefinition{Name: "a", Handler: "h", Triggers: []scheduling.TriggerDefinition{
			{Name: "t", Schedule: scheduling.MustCron("* * * * * *", "UTC"), Misfire: scheduling.RunOnce}}}); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- engine.Run(ctx) }()
		reaches := func(n int64, what string) {
			t.Helper()
			for end := time.Now().Add(20 * time.Second); handled.Load() < n; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%s: %d runs, want %d", what, handled.Load(), n)
				}
			}
		}
		reaches(2, "at first")
		comeBack := leave()
		short, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err = engine.Enqueue(short, scheduling.EnqueueRequest{Job: "a"})
		if !errors.Is(err, provider.ErrStoreUnavailable) || !strings.Contains(err.Error(), "SCHEDULING_UNAVAILABLE_003") {
			t.Errorf("enqueueing while the database is away: got %v, want the code", err)
		}
		if e := (*provider.Error)(nil); !errors.As(err, &e) || e.Err == nil {
			t.Errorf("enqueueing while the database is away: got %v, want its cause", err)
		}
		before := handled.Load()
		comeBack()
		reaches(before+2, "after the database is back")
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run ends with %v", err)
		}
		w := &world{TB: t, s: owner, ctx: context.Background()}
		if n := w.count("SELECT COUNT(*) FROM {{runs}} WHERE run_state = 1"); n != 0 {
			t.Errorf("%d runs are left Running", n)
		}
		if all, occurrences := w.count("SELECT COUNT(*) FROM {{runs}}"), w.count("SELECT COUNT(DISTINCT scheduled_us) FROM {{runs}}"); all != occurrences || int64(all) != handled.Load() {
			t.Errorf("%d runs of %d occurrences, %d handled; want each once", all, occurrences, handled.Load())
		}
		w.invariants("when the database was back")
	})
}

// awayOnDemand is the database as the engine reaches it, and what takes it away
// until it comes back.
func (d testDatabase) awayOnDemand(t *testing.T, owner *JobStore) (testDatabase, func() (comeBack func())) {
	t.Helper()
	if d.name != "sqlite" {
		through, r := d.relayed(t)
		return through, func() func() {
			r.setAway(true)
			return func() { r.setAway(false) }
		}
	}
	return d, func() func() {
		other := d.open(t, nil).Begin()
		if err := other.Exec(owner.named("DELETE FROM {{leases}} WHERE 1 = 0")).Error; err != nil {
			t.Errorf("locking the file: %v", err)
		}
		return func() { other.Rollback() }
	}
}
