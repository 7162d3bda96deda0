package gormsched_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/plugin/dbresolver"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// copyThatLags makes a replica that has the tables and none of what was written
// since.
func (p *testPlot) copyThatLags(t testing.TB) {
	t.Helper()
	switch p.bed.name {
	case "sqlite":
		stores, _ := p.bed.plot("")
		p.replica = stores(p.bed.owner)
	default:
		stores, _ := p.bed.elsewhere(p.bed.owner, "").plot("")
		p.replica = stores(p.bed.owner)
	}
	p.provision(t, p.replica, p.prefix)
}

// withReplica sends the application's reads to the replica.
func (p *testPlot) withReplica(t testing.TB, db *gorm.DB) *gorm.DB {
	t.Helper()
	if err := db.Use(dbresolver.Register(dbresolver.Config{Replicas: []gorm.Dialector{p.bed.dialector(p.replica)}})); err != nil {
		t.Fatalf("installing the resolver: %v", err)
	}
	return db
}

// withTenant refuses whatever names no tenant.
func (p *testPlot) withTenant(t testing.TB, db *gorm.DB) *gorm.DB {
	t.Helper()
	refuse := func(db *gorm.DB) {
		if _, named := db.Statement.Settings.Load("tenant"); !named {
			_ = db.AddError(errors.New("the application's callback: no tenant is named"))
		}
	}
	c := db.Callback()
	if err := errors.Join(c.Create().Before("*").Register("app:tenant", refuse), c.Query().Before("*").Register("app:tenant", refuse),
		c.Update().Before("*").Register("app:tenant", refuse), c.Delete().Before("*").Register("app:tenant", refuse),
		c.Row().Before("*").Register("app:tenant", refuse), c.Raw().Before("*").Register("app:tenant", refuse)); err != nil {
		t.Fatalf("registering the tenant's callback: %v", err)
	}
	return db
}

// readsGoToTheReplica shows that the application's own handle would not see what
// the store has written, and sends nothing that names no tenant.
func readsGoToTheReplica(t testing.TB, p *testPlot) {
	t.Helper()
	store := p.store(t, p.others, nil)
	if _, err := store.SaveJobs(t.Context(), []provider.SaveItem{{Job: provider.JobRecord{Name: "a", Handler: "h", Source: provider.SourceCode}}}); err != nil {
		t.Fatalf("SaveJobs: %v", err)
	}
	db := p.handle(t, p.others)
	count := func(db *gorm.DB) (n int, err error) {
		err = db.Raw("SELECT count(*) FROM " + p.prefix + "scheduler_jobs").Scan(&n).Error
		return n, err
	}
	if _, err := count(db); err == nil {
		t.Error("the application's callback let a statement without a tenant through")
	}
	if n, err := count(db.Set("tenant", 1)); err != nil || n != 0 {
		t.Errorf("the application reads %d jobs, %v; want none, from the replica", n, err)
	}
	if jobs, err := store.Jobs(t.Context(), []string{"a"}); err != nil || len(jobs) != 1 {
		t.Errorf("the store reads %v, %v", jobs, err)
	}
}

// neighbour is another installation in the same database.
type neighbour struct {
	store *gormsched.JobStore
	state string
}

// settleNeighbour puts an installation beside the tables whose prefix begins as
// theirs does, with jobs, due triggers, runs, a node and a lease.
func (p *testPlot) settleNeighbour(t testing.TB) {
	t.Helper()
	store := p.provision(t, p.tools, p.prefix+"b_")
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("settling the neighbour: %v", err)
		}
	}
	var items []provider.SaveItem
	for _, name := range []string{"a", "b", "c"} {
		items = append(items, provider.SaveItem{Job: provider.JobRecord{Name: name, Handler: "h", Source: provider.SourceCode}})
	}
	_, err := store.SaveJobs(ctx, items)
	must(err)
	_, err = store.Enqueue(ctx, []provider.TriggerRecord{
		{TriggerKey: provider.TriggerKey{Job: "a", Trigger: "manual-x"}, RunAs: provider.KindManual},
		{TriggerKey: provider.TriggerKey{Job: "b", Trigger: "manual-y"}, RunAs: provider.KindManual}})
	must(err)
	must(store.Record(ctx, []provider.RunRecord{{ID: "019c0000-0000-7000-8000-000000000001", Job: "a", TriggerName: "t", Node: "n", State: provider.RunSucceeded, CompletedAt: time.Unix(1, 0)}}))
	_, err = store.Register(ctx, provider.RegisterRequest{Node: provider.NodeRecord{NodeRef: provider.NodeRef{ID: "n", Incarnation: 1}}})
	must(err)
	_, err = store.Election().TryAcquire(ctx, provider.LeaseRequest{Resource: "leader", Holder: "n", Token: "t", TTL: time.Hour})
	must(err)
	p.neighbour = &neighbour{store: store}
	p.neighbour.state = p.neighbour.read(t)
}

func (n *neighbour) read(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	jobs, err1 := n.store.ListJobs(ctx, "", 10)
	triggers, err2 := n.store.ListTriggers(ctx, provider.TriggerQuery{Limit: 10})
	runs, err3 := n.store.Runs(ctx, provider.RunQuery{Limit: 10})
	nodes, err4 := n.store.ListNodes(ctx)
	lease, err5 := n.store.Election().Inspect(ctx, "leader")
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatalf("reading the neighbour: %v", err)
	}
	if len(jobs) != 3 || len(triggers) != 2 || len(runs) != 1 || len(nodes.Nodes) != 1 || !lease.Found {
		t.Errorf("the neighbour has %d jobs, %d triggers, %d runs, %d nodes, a lease %v", len(jobs), len(triggers), len(runs), len(nodes.Nodes), lease.Found)
	}
	return fmt.Sprint(jobs, triggers, runs, nodes.Nodes, lease.Lease)
}

// undisturbed fails unless the neighbour is as it was.
func (n *neighbour) undisturbed(t testing.TB) {
	t.Helper()
	if now := n.read(t); now != n.state {
		t.Errorf("the neighbour has changed:\n%s\nwas\n%s", now, n.state)
	}
}

// answers asks a question on a pool of the stores, by database or for all, and
// expects the one answer.
func answers[Q string | map[string]string](question Q, want string) func(testing.TB, *testPlot) {
	return func(t testing.TB, p *testPlot) {
		t.Helper()
		text, same := any(question).(string)
		if !same {
			by := any(question).(map[string]string)
			if text = by[p.bed.name]; text == "" {
				text = by[""]
			}
		}
		var got sql.NullString
		if err := p.others.QueryRowContext(t.Context(), text).Scan(&got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got.String == "true" {
			got.String = "1"
		}
		if got.String != want {
			t.Errorf("%s: %q, want %q: the setting is not in force", text, got.String, want)
		}
	}
}

// isolatedBy expects a level of a transaction that names none.
func isolatedBy(level string) func(testing.TB, *testPlot) {
	return answers(map[string]string{
		"postgres": "SELECT current_setting('transaction_isolation') = '" + level + "'",
		"mysql":    "SELECT LOWER(REPLACE(@@transaction_isolation, '-', ' ')) = '" + level + "'",
		"mariadb":  "SELECT LOWER(REPLACE(@@tx_isolation, '-', ' ')) = '" + level + "'",
	}, "1")
}

// affects expects a count for a row that is found and not changed.
func affects(want int64) func(testing.TB, *testPlot) {
	return func(t testing.TB, p *testPlot) {
		t.Helper()
		table := "`" + p.prefix + "scheduler_jobs`"
		p.exec(t, "INSERT INTO "+table+" (job_name, handler_key, allow_concurrent, every_instance, requests_recovery, paused, fence, job_source, code_version, version) VALUES ('a', 'h', 0, 0, 0, 0, 0, 1, 0, 1)")
		result, err := p.others.ExecContext(t.Context(), "UPDATE "+table+" SET version = 1 WHERE job_name = 'a'")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := result.RowsAffected(); err != nil || n != want {
			t.Errorf("%d rows affected, %v; want %d: the setting is not in force", n, err, want)
		}
	}
}
