package dialects

import "strings"

// Placer is a dialect that can say in which database, and in which schema of it,
// a connection finds a table. It is asked in transactions of the application, so
// that it locks nothing, needs no privilege and fails on no table that is not
// there.
type Placer interface {
	// Place is a query for one text. Two connections that find the same table
	// get the same; those of two servers may too.
	Place(quotedTable string) string
}

// literal is a text in single quotes, which no name of a table holds.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Place implements [Placer].
func (postgres) Place(quotedTable string) string {
	return "SELECT current_database() || '.' || COALESCE((SELECT s.nspname || ' ' || c.oid FROM pg_catalog.pg_class AS c" +
		" JOIN pg_catalog.pg_namespace AS s ON s.oid = c.relnamespace WHERE c.oid = to_regclass(" + literal(quotedTable) + ")), '')"
}

// Place implements [Placer].
func (mysql) Place(string) string { return "SELECT COALESCE(DATABASE(), '')" }

// Place implements [Placer]; it is the file.
func (sqlite) Place(string) string {
	return "SELECT COALESCE(file, '') FROM pragma_database_list WHERE name = 'main'"
}

// Place implements [Placer].
func (sqlserver) Place(quotedTable string) string {
	return "SELECT DB_NAME() + N'.' + COALESCE(OBJECT_SCHEMA_NAME(OBJECT_ID(N" + literal(quotedTable) + ")), N'')"
}
