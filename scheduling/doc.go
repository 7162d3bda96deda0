// Package scheduling runs jobs at their time on any number of nodes that share
// one store: each due trigger is run by exactly one of them, and everything
// that was declared, waits, runs or has run is kept in the store.
package scheduling
