package gormsched

import "github.com/gormsched/gormsched/scheduling/provider"

// The hot path has the methods of the contract.
var (
	_ provider.Dispatcher = (*JobStore)(nil)
	_ provider.Claimer    = (*JobStore)(nil)
	_ provider.Enqueuer   = (*JobStore)(nil)
)
