package gormsched

import (
	"context"
	"errors"
	"testing"
)

// R094: created once, valid for every mode afterwards.
func TestProvisionCreatesAndValidates(t *testing.T) {
	onEach(t, func(t *testing.T, d testDatabase) {
		ctx := context.Background()
		s := d.bare(t, Options{})
		var differs *SchemaError
		if err := s.Provision(ctx, Validate); !errors.As(err, &differs) || len(differs.Problems) != len(shortNames) {
			t.Fatalf("Validate without tables: got %v, want a SchemaError that names the five tables", err)
		}
		for _, mode := range []ProvisionMode{CreateIfMissing, Validate, CreateIfMissing, AutoMigrate} {
			if err := s.Provision(ctx, mode); err != nil {
				t.Errorf("Provision(%d): %v", mode, err)
			}
		}
	})
}
