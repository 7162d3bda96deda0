// Package dialects holds what differs between databases: quoting, types, the
// clock, locks that do not wait, statements over many rows, and what an error
// of a driver means. It builds text and never sends it, imports no driver, and
// knows nothing of scheduling.
//
// Statements are written with the placeholder ? in the order of their
// arguments. Their text does not depend on the number of rows, except that one
// row takes a plainer form than several, so that a server can keep the plan of
// each and a batch of 500 is one statement like a batch of 2. MySQL and MariaDB
// keep no plans, and there lists are as long as their values.
package dialects
