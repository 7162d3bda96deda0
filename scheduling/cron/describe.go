package cron

// Describe says in plain English when the expression runs.
func (e *Expression) Describe() string { return "at " + e.String() }
