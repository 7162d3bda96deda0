package gormsched_test

import (
	"context"
	"database/sql"
	"testing"

	"gorm.io/gorm"
)

// serializablePool is a pool on a database that knows one level only, whatever a
// transaction asks for, as CockroachDB is without READ COMMITTED: any statement
// and any commit may fail with 40001.
type serializablePool struct{ gorm.ConnPool }

func serializable(pool gorm.ConnPool) gorm.ConnPool { return serializablePool{pool} }

// BeginTx implements [gorm.ConnPoolBeginner].
func (p serializablePool) BeginTx(ctx context.Context, _ *sql.TxOptions) (gorm.ConnPool, error) {
	options := &sql.TxOptions{Isolation: sql.LevelSerializable}
	if pool, ok := p.ConnPool.(gorm.TxBeginner); ok {
		return pool.BeginTx(ctx, options)
	}
	return p.ConnPool.(gorm.ConnPoolBeginner).BeginTx(ctx, options)
}

// serializesWhatTheStoreSends shows the level of a transaction that asks for
// READ COMMITTED, as the store's do.
func serializesWhatTheStoreSends(t testing.TB, p *testPlot) {
	t.Helper()
	tx := p.handle(t, serializable(p.others)).Begin(&sql.TxOptions{Isolation: sql.LevelReadCommitted})
	defer tx.Rollback()
	var level string
	if err := tx.Raw("SHOW transaction_isolation").Row().Scan(&level); err != nil || level != "serializable" {
		t.Errorf("the level is %q, %v; want serializable", level, err)
	}
}
