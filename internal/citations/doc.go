// Package citations holds no code, only a test over the whole module: every rule or
// decision number that a comment, a test or a document cites must be defined in
// docs/rules.md or docs/decisions.md, and these two must define each of their numbers
// exactly once.
package citations
