package scheduling

import (
	"github.com/gormsched/gormsched/scheduling/provider"
)

// DefaultPriority is the priority of a trigger that does not say (R154).
const DefaultPriority = 5

// DefaultTrigger is the name of the trigger that [NewJob] makes (R140).
const DefaultTrigger = "default"

// TriggerKey names a trigger; its text form is "job/trigger".
type TriggerKey = provider.TriggerKey

// TriggerDefinition says when a job is due. A job may have many triggers, each
// on its own (R127).
type TriggerDefinition struct {
	// Name is unlike those of the job's other triggers and follows the
	// grammar of names (R152). The prefixes "manual-", "retry-" and
	// "recovery-" are reserved (D10).
	Name string
	// Schedule is any but the manual one (R156).
	Schedule Schedule
	// Description is for people, at most [MaxDescription] bytes.
	Description string
	// Data overrides the job's data, key by key (R137).
	Data Data
	// Priority orders triggers that are due while slots are short: larger
	// first. 0 means [DefaultPriority]; to go behind all others use a
	// negative one. -1,000,000 to 1,000,000.
	Priority int
	// Misfire says what becomes of a late occurrence; default [RunOnce].
	Misfire MisfirePolicy
}
