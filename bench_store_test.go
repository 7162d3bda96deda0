package gormsched

import (
	"fmt"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// BenchmarkStore measures each operation of the hot path, and a page of the
// history, for batches of 1, 16 and 500; what an operation needs is made while
// the clock stands. GORMSCHED_TEST_POSTGRES_DSN adds PostgreSQL to SQLite.
//
//	make bench-store bench-compare
func BenchmarkStore(b *testing.B) {
	databases := map[string]func(testing.TB) testDatabase{"sqlite": sqliteDatabase}
	if postgresDSN() != "" {
		databases["postgres"] = postgresDatabase
	}
	for _, name := range []string{"sqlite", "postgres"} {
		database, ok := databases[name]
		if !ok {
			continue
		}
		b.Run(name, func(b *testing.B) {
			s := database(b).store(b, Options{})
			for _, op := range operations {
				for _, n := range []int{1, 16, 500} {
					b.Run(fmt.Sprintf("%s/%d", op.name, n), func(b *testing.B) { benchmarkOperation(b, s, op.prepare, n) })
				}
			}
			for _, n := range []int{1, 16, 500} {
				b.Run(fmt.Sprintf("history page/%d", n), func(b *testing.B) {
					w := newWorld(b, s)
					w.jobs(false, "a")
					w.enqueue("a", 500)
					for len(started(w.claim(500).Items)) > 0 {
					}
					b.ReportAllocs()
					for b.Loop() {
						if list, err := s.Runs(w.ctx, provider.RunQuery{Job: "a", Limit: n}); err != nil || len(list) != n {
							b.Fatalf("%d runs, %v; want %d", len(list), err, n)
						}
					}
				})
			}
		})
	}
}

func benchmarkOperation(b *testing.B, s *JobStore, prepare func(*world, int) func() (int, error), n int) {
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		operation := prepare(newWorld(b, s), n)
		b.StartTimer()
		if items, err := operation(); err != nil || items == 0 {
			b.Fatalf("%d items, %v", items, err)
		}
	}
}
