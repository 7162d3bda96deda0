package dialects

// Pager pages through an ordered SELECT that stands for itself.
type Pager interface {
	// Page gives what follows ORDER BY to leave out skip rows and take limit
	// of the rest. Both are bound, so that all pages share one text; unlike in
	// a joined subselect (see Dialect.Limit) the order alone decides the plan.
	Page(skip, limit int) Statement
}

func (postgres) Page(skip, limit int) Statement { return limitOffset(skip, limit) }
func (sqlite) Page(skip, limit int) Statement   { return limitOffset(skip, limit) }

func limitOffset(skip, limit int) Statement {
	return Statement{SQL: " LIMIT ? OFFSET ?", Args: []any{int64(limit), int64(skip)}}
}
