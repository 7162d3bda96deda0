package scheduling

// JobDefinition declares a job.
type JobDefinition struct {
	Name string
}
