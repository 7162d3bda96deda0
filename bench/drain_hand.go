package main

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// handDrain drains the same tables with a program written by hand over
// database/sql: the statements that the store sends for a claim and for a
// completion, with their texts made once; no GORM, no engine, no decisions.
// Loops claim batches while there are free slots, others finish whatever has
// ended meanwhile, as many of each as the engine has under way. The handler is a
// goroutine that does nothing, as the engine's.
func handDrain(ctx context.Context, d *database, w work) (time.Duration, error) {
	pool, err := d.pool(w.connections)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	if err := prepare(ctx, d, pool, w); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	text, err := handTexts(d.kind)
	if err != nil {
		return 0, err
	}
	h := &hand{pool: pool, w: w, text: text, free: make(chan struct{}, w.workers), ended: make(chan handRun, w.jobs)}
	start := time.Now()
	if err := h.drain(ctx); err != nil {
		return 0, err
	}
	took := time.Since(start)
	return took, drained(ctx, pool, w.jobs)
}

const (
	handLanes    = 4
	handClaims   = 3 // loops that claim, as many as the engine has under way
	handNode     = "bench-node"
	handComplete = 500 // most runs of one completion
)

type hand struct {
	pool  *sql.DB
	w     work
	text  handText
	free  chan struct{} // one for each slot in use
	ended chan handRun
}

// handRun is what the program remembers of a run.
type handRun struct{ id, job string }

func (h *hand) drain(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var lanes, handlers sync.WaitGroup
	for range min(handLanes, max(1, h.w.connections-1)) {
		lanes.Go(func() {
			if err := h.lane(ctx); err != nil {
				cancel(err)
			}
		})
	}
	var claimed atomic.Int64
	var loops sync.WaitGroup
	for range handClaims {
		loops.Go(func() {
			if err := h.claims(ctx, &claimed, &handlers); err != nil {
				cancel(err)
			}
		})
	}
	loops.Wait()
	handlers.Wait()
	close(h.ended)
	lanes.Wait()
	return context.Cause(ctx)
}

// claims claims batches until all are claimed.
func (h *hand) claims(ctx context.Context, claimed *atomic.Int64, handlers *sync.WaitGroup) error {
	for claimed.Load() < int64(h.w.jobs) && ctx.Err() == nil {
		select { // wait for one slot, then take what else is free
		case h.free <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		slots := 1
	more:
		for slots < h.w.batch {
			select {
			case h.free <- struct{}{}:
				slots++
			default:
				break more
			}
		}
		runs, _, err := h.claim(ctx, slots)
		if err != nil {
			return err
		}
		claimed.Add(int64(len(runs)))
		for range slots - len(runs) {
			<-h.free
		}
		for _, r := range runs {
			handlers.Go(func() { // the handler returns at once
				<-h.free
				h.ended <- r
			})
		}
	}
	return nil
}

// lane finishes runs in natural batches until there will be no more.
func (h *hand) lane(ctx context.Context) error {
	for first := range h.ended {
		batch := []handRun{first}
	more:
		for len(batch) < handComplete {
			select {
			case r, ok := <-h.ended:
				if !ok {
					break more
				}
				batch = append(batch, r)
			default:
				break more
			}
		}
		if err := h.complete(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// inTx is a transaction that begins as the store's do, and knows the
// database's clock.
func (h *hand) inTx(ctx context.Context, f func(tx *sql.Tx, now int64) error) error {
	tx, err := h.pool.BeginTx(ctx, &sql.TxOptions{Isolation: h.text.isolation})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if h.text.open != "" {
		if _, err := tx.ExecContext(ctx, h.text.open); err != nil {
			return err
		}
	}
	var now int64
	if err := tx.QueryRowContext(ctx, h.text.now).Scan(&now); err != nil {
		return err
	}
	if err := f(tx, now); err != nil {
		return err
	}
	return tx.Commit()
}

// due is one claimed one-shot.
type due struct {
	key, job, trigger string
	data              *string
	scheduled         int64
	kind              int64
	attempt           *int64
}

// claim takes due one-shots, reads their jobs, deletes them and inserts their
// runs. Where it takes fewer than it may it reads the next due instant as well.
func (h *hand) claim(ctx context.Context, most int) (runs []handRun, next sql.NullInt64, err error) {
	err = h.inTx(ctx, func(tx *sql.Tx, now int64) error {
		runs = runs[:0]
		list, err := h.candidates(ctx, tx, now, most)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return tx.QueryRowContext(ctx, h.text.nextDue).Scan(&next)
		}
		keys, names := make([]string, len(list)), make([]string, len(list))
		rows := make([][]any, len(list))
		for i, t := range list {
			keys[i], names[i] = t.key, t.job
		}
		jobs, err := h.jobs(ctx, tx, distinct(names))
		if err != nil {
			return err
		}
		for i, t := range list {
			id := uuid.Must(uuid.NewV7()).String()
			data := t.data
			if data == nil {
				data = jobs[t.job]
			}
			rows[i] = []any{
				id, t.job, t.trigger, t.kind, int64(1), handNode, handNode, int64(1),
				t.scheduled, now, nil, orOne(t.attempt), nil, nil, int64(0), now + int64(i), orNil(data), nil, nil, nil, int64(1),
			}
			runs = append(runs, handRun{id: id, job: t.job})
		}
		if err := h.begin(ctx, tx, keys, rows); err != nil || len(list) == most {
			return err // the store looks no further behind a full claim either
		}
		return tx.QueryRowContext(ctx, h.text.nextDue).Scan(&next)
	})
	return runs, next, err
}

// begin deletes the one-shots and inserts their runs: in one statement where the
// store does.
func (h *hand) begin(ctx context.Context, tx *sql.Tx, keys []string, rows [][]any) error {
	remove, removeArgs := h.text.list(h.text.deleteTriggers, keys)
	insert, args, err := h.text.rows(h.text.insertRuns, runColumns, rows)
	if err != nil {
		return err
	}
	if h.text.kind == "postgres" {
		// The insert's arguments come first, so that both keep their numbers.
		remove = strings.Replace(remove, "$1", "$"+strconv.Itoa(len(args)+1), 1)
		insert, args = "WITH w1 AS ("+remove+") "+insert, append(args, removeArgs...)
	} else if _, err := tx.ExecContext(ctx, remove, removeArgs...); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, insert, args...)
	return err
}

func orOne(n *int64) int64 {
	if n == nil {
		return 1
	}
	return *n
}

func orNil(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

func distinct(names []string) []string {
	seen := make(map[string]bool, len(names))
	var list []string
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			list = append(list, n)
		}
	}
	return list
}

// complete locks the jobs that need it and the runs, and finishes the runs.
func (h *hand) complete(ctx context.Context, batch []handRun) error {
	return h.inTx(ctx, func(tx *sql.Tx, now int64) error {
		ids, names := make([]string, len(batch)), make([]string, len(batch))
		for i, r := range batch {
			ids[i], names[i] = r.id, r.job
		}
		names = distinct(names)
		for _, query := range []string{h.text.lockJobs, h.text.readStates} {
			if query == "" {
				continue
			}
			text, args := h.text.list(query, names)
			if err := each(ctx, tx, func(*sql.Rows) error { return nil }, text, args); err != nil {
				return err
			}
		}
		text, args := h.text.list(h.text.lockRuns, ids)
		rows := make([][]any, 0, len(batch))
		err := each(ctx, tx, func(r *sql.Rows) error {
			var id string
			var state int64
			rest := make([]sql.RawBytes, len(runColumns)-2)
			into := []any{&id, &state}
			for i := range rest {
				into = append(into, &rest[i])
			}
			if err := r.Scan(into...); err != nil {
				return err
			}
			rows = append(rows, []any{id, int64(2), now, nil, nil, nil})
			return nil
		}, text, args)
		if err != nil {
			return err
		}
		query, args, err := h.text.rows(h.text.finishRuns, finishColumns, rows)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, query, args...)
		return err
	})
}

// candidates reads due triggers with every column, as the store does.
func (h *hand) candidates(ctx context.Context, tx *sql.Tx, now int64, most int) (list []due, err error) {
	err = each(ctx, tx, func(r *sql.Rows) error {
		var t due
		var rest [21]sql.RawBytes
		into := []any{&t.key, &t.job, &t.trigger, &t.data, &t.scheduled, &t.kind, &t.attempt}
		for i := range rest {
			into = append(into, &rest[i])
		}
		err := r.Scan(into...)
		list = append(list, t)
		return err
	}, h.text.candidates(most), []any{now})
	return list, err
}

// jobs reads jobs and gives the data of each.
func (h *hand) jobs(ctx context.Context, tx *sql.Tx, names []string) (map[string]*string, error) {
	data := make(map[string]*string, len(names))
	query, args := h.text.list(h.text.readJobs, names)
	err := each(ctx, tx, func(r *sql.Rows) error {
		var name string
		var body *string
		rest := make([]sql.RawBytes, strings.Count(jobColumns, ",")-1+h.text.joined)
		into := []any{&name, &body}
		for i := range rest {
			into = append(into, &rest[i])
		}
		err := r.Scan(into...)
		data[name] = body
		return err
	}, query, args)
	return data, err
}

func each(ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) error, query string, args []any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
