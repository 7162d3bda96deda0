package gormsched

import (
	"strings"

	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched/dialects"
)

// force tells an optimizer that needs it (see [dialects.IndexForcer]) by which
// index of ours a table is read: "triggers" and "due", for example. It follows
// the table's alias, and is empty elsewhere.
//
// [JobStore.Provision] accepts an index of another name, which cannot be forced:
// the first statement that the server refuses for it is the last that asks.
func (c *core) force(table, index string) string {
	f, ok := c.d.(dialects.IndexForcer)
	if !ok || c.unforced.Load() {
		return ""
	}
	var namer schema.Namer = schema.NamingStrategy{IdentifierMaxLength: identifierMax}
	if c.db != nil {
		namer = c.db.NamingStrategy
	}
	name := c.t.triggers
	if table == "runs" {
		name = c.t.runs
	}
	return f.ForceIndex(namer.IndexName(strings.Trim(name, "`"), index))
}

// passOver is the hint of a plain read of the hot path where such a read would
// otherwise wait for whoever has changed a row.
func (c *core) passOver() string {
	if d, ok := c.d.(interface{ PassOver() string }); ok {
		return d.PassOver()
	}
	return ""
}

// byKey has a plain read of rows that are named by their keys go by the primary
// key where the optimizer may scan a small table instead: in an application's
// serializable transaction it locks all that it passes.
func (c *core) byKey() string {
	if d, ok := c.d.(interface{ ByKey() string }); ok {
		return d.ByKey()
	}
	return ""
}

// fixedJoin joins what is written first with what follows, in this order where
// the optimizer needs to be told.
func (c *core) fixedJoin() string {
	if d, ok := c.d.(interface{ FixedJoin() string }); ok {
		return d.FixedJoin()
	}
	return " JOIN "
}

// unforce reports whether a statement failed because an index that it forced
// has another name. Then no statement forces one any more, and the operation is
// to be repeated.
func (c *core) unforce(err error) bool {
	f, ok := c.d.(dialects.IndexForcer)
	return ok && f.NoSuchIndex(err) && !c.unforced.Swap(true)
}

// lastInIndex is the direction of the primary key where it ends an order that
// an index of descending columns gives: InnoDB appends it to every index,
// ascending, and would sort the whole table for the other direction.
func (c *core) lastInIndex() string {
	if d, ok := c.d.(interface{ Descending() bool }); ok && d.Descending() {
		return ""
	}
	return " DESC"
}
