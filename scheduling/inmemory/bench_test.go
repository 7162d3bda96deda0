package inmemory

import (
	"testing"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// BenchmarkClaimAmong100000 claims 16 due one-shots and completes them, among
// 100,000 that wait for a later day and behind an occupied job's backlog.
func BenchmarkClaimAmong100000(b *testing.B) {
	f := newFixture(b, Options{})
	f.save(concurrentJob("later"))
	shots := make([]provider.TriggerRecord, 100_000)
	for i, name := range numbered(len(shots)) {
		shots[i] = provider.TriggerRecord{TriggerKey: key("later", provider.PrefixManual+name),
			NextFireAt: start.Add(24*time.Hour + time.Duration(i)*time.Second)}
	}
	_, err := f.Enqueue(f.ctx, shots)
	f.ok(err)
	f.save(exclusiveJob("busy"))
	f.occupy("busy", 2000)
	f.save(concurrentJob("now"))
	names := numbered(16)
	b.ReportAllocs()
	for b.Loop() {
		f.enqueue("now", names...)
		items := f.claim(16, startOrBlock).Items
		if len(items) != 16 {
			b.Fatalf("claimed %d, want 16", len(items))
		}
		for _, item := range items {
			f.finish(item.Run)
		}
	}
}
