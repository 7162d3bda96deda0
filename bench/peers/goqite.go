package main

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"maragu.dev/goqite"
)

// goqiteSchema is the table, trigger and index that goqite's documentation
// asks for.
var goqiteSchema = []string{
	"DROP TABLE IF EXISTS goqite",
	`CREATE TABLE goqite (id TEXT PRIMARY KEY DEFAULT ('m_' || lower(hex(randomblob(16)))),
		created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), updated TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
		queue TEXT NOT NULL, body BLOB NOT NULL, timeout TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
		received INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0) STRICT`,
	"CREATE TRIGGER goqite_updated_timestamp AFTER UPDATE ON goqite BEGIN UPDATE goqite SET updated = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = old.id; END",
	"CREATE INDEX goqite_queue_priority_created_idx ON goqite (queue, priority DESC, created)",
}

// goqite drains a queue with one loop that receives and deletes, which is the
// fastest way there is: the file has one writer, and no record is kept.
func (t task) goqite(ctx context.Context) (answer, error) {
	pool, err := sql.Open("sqlite", t.dsn)
	if err != nil {
		return answer{}, err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	for _, query := range goqiteSchema {
		if _, err := pool.ExecContext(ctx, query); err != nil {
			return answer{}, err
		}
	}
	queue := goqite.New(goqite.NewOpts{DB: pool, Name: "bench", Timeout: time.Minute})
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return answer{}, err
	}
	defer tx.Rollback()
	for range t.jobs {
		if err := queue.SendTx(ctx, tx, goqite.Message{Body: []byte(t.data)}); err != nil {
			return answer{}, err
		}
	}
	if err := tx.Commit(); err != nil {
		return answer{}, err
	}
	for _, query := range []string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := pool.ExecContext(ctx, query); err != nil {
			return answer{}, err
		}
	}
	start := time.Now()
	for done := 0; done < t.jobs; done++ {
		m, err := queue.Receive(ctx)
		if err != nil {
			return answer{}, err
		}
		if m == nil {
			return answer{}, fmt.Errorf("the queue is empty after %d of %d messages", done, t.jobs)
		}
		if err := queue.Delete(ctx, m.ID); err != nil {
			return answer{}, err
		}
	}
	return answer{Seconds: time.Since(start).Seconds(), Version: version("maragu.dev/goqite"), Settings: "one loop of Receive and Delete; keeps no record"}, nil
}
