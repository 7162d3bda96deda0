package gormsched

import "gorm.io/gorm/schema"

// The five models are the rows of schema version 1, for AutoMigrate, Atlas and
// other tools that read GORM models (G10), and for applications that want to
// look into the tables. The store itself reads and writes with explicit column
// lists and never through these types. Writing to the tables through them
// bypasses every guarantee of the scheduler.
//
// Instants are UTC microseconds since the epoch (D31), durations milliseconds;
// the unit is in the column's name. A nil pointer is NULL: absent. Flags are 0
// or 1. Enumerations are the numbers of package provider, fixed for ever.
// Version grows with every change of a row (D22).

// Job is a row of the job table, read and written by its name only (R083,
// R102).
type Job struct {
	Name        Key     `gorm:"column:job_name;primaryKey;size:128;not null"`
	HandlerKey  Key     `gorm:"column:handler_key;size:128;not null"`
	Description *string `gorm:"column:job_description"`
	Data        *string `gorm:"column:job_data"`

	AllowConcurrent  Small `gorm:"column:allow_concurrent;not null"`
	EveryInstance    Small `gorm:"column:every_instance;not null"`
	RequestsRecovery Small `gorm:"column:requests_recovery;not null"`
	Paused           Small `gorm:"column:paused;not null"`

	MaxRetries      *Int   `gorm:"column:max_retries"`
	RetryDelayMS    *int64 `gorm:"column:retry_delay_ms"`
	RetryMaxDelayMS *int64 `gorm:"column:retry_max_delay_ms"`
	RetryBackoff    *Small `gorm:"column:retry_backoff"`
	TimeoutMS       *int64 `gorm:"column:timeout_ms"`

	ActiveRunID *Key  `gorm:"column:active_run_id;size:36"`
	Fence       int64 `gorm:"column:fence;not null"`
	Source      Small `gorm:"column:job_source;not null"`
	Fingerprint *Key  `gorm:"column:fingerprint;size:128"`
	CodeVersion int64 `gorm:"column:code_version;not null"`
	Version     int64 `gorm:"column:version;not null"`
}

// TableName gives the table's name by the naming strategy in use.
func (Job) TableName(n schema.Namer) string { return n.TableName("SchedulerJob") }

// Trigger is a row of the trigger table. Its key is "job/trigger" (R085).
type Trigger struct {
	Key         Key     `gorm:"column:trigger_key;primaryKey;size:257;not null;index:,composite:due,priority:5;index:,composite:handback,priority:5"`
	Job         Key     `gorm:"column:job_name;size:128;not null;uniqueIndex:,composite:name,priority:1;index:,composite:handback,priority:1"`
	Name        Key     `gorm:"column:trigger_name;size:128;not null;uniqueIndex:,composite:name,priority:2"`
	Schedule    string  `gorm:"column:schedule_text;not null"`
	Description *string `gorm:"column:trigger_description"`
	Data        *string `gorm:"column:trigger_data"`

	Priority      Int   `gorm:"column:priority;not null;index:,composite:due,priority:4,sort:desc;index:,composite:handback,priority:4,sort:desc"`
	MisfirePolicy Small `gorm:"column:misfire_policy;not null"`
	State         Small `gorm:"column:trigger_state;not null;index:,composite:due,priority:1;index:,composite:handback,priority:2"`
	Paused        Small `gorm:"column:paused;not null"`
	Local         Small `gorm:"column:is_local;not null;index:,composite:due,priority:2"`
	Exclusive     Small `gorm:"column:is_exclusive;not null"`

	ScheduledUS *int64 `gorm:"column:scheduled_us"`
	NextFireUS  *int64 `gorm:"column:next_fire_us;index:,composite:due,priority:3;index:,composite:handback,priority:3"`
	PrevFireUS  *int64 `gorm:"column:prev_fire_us"`
	FireCount   int64  `gorm:"column:fire_count;not null"`

	ClaimID     *int64 `gorm:"column:claim_id"`
	ClaimedBy   *Key   `gorm:"column:claimed_by;size:128"`
	Incarnation *int64 `gorm:"column:incarnation"`
	ClaimedUS   *int64 `gorm:"column:claimed_us"`

	RunAs     Small   `gorm:"column:run_as;not null"`
	Attempt   *Int    `gorm:"column:attempt"`
	RetryOf   *Key    `gorm:"column:retry_of;size:36"`
	ExpiresUS *int64  `gorm:"column:expires_us"`
	ErrorCode *Key    `gorm:"column:error_code;size:64"`
	ErrorText *string `gorm:"column:error_text"`
	ZoneHash  *Key    `gorm:"column:zone_hash;size:64"`
	Version   int64   `gorm:"column:version;not null"`
}

// TableName gives the table's name by the naming strategy in use.
func (Trigger) TableName(n schema.Namer) string { return n.TableName("SchedulerTrigger") }

// JobRun is a row of the run table: one execution, running or ended.
type JobRun struct {
	ID          Key   `gorm:"column:run_id;primaryKey;size:36;not null"`
	Job         Key   `gorm:"column:job_name;size:128;not null;index:,composite:job_done,priority:1;index:,composite:job_sched,priority:1"`
	TriggerName Key   `gorm:"column:trigger_name;size:128;not null"`
	Kind        Small `gorm:"column:run_kind;not null"`
	State       Small `gorm:"column:run_state;not null"`
	// RunningOn is the node's id while the run is Running, NULL afterwards (D44).
	RunningOn   *Key  `gorm:"column:running_on;size:128;index:,composite:running,priority:1"`
	NodeID      Key   `gorm:"column:node_id;size:128;not null"`
	Incarnation int64 `gorm:"column:incarnation;not null"`

	ScheduledUS int64  `gorm:"column:scheduled_us;not null;index:,composite:sched,priority:1,sort:desc;index:,composite:job_sched,priority:2,sort:desc"`
	StartedUS   int64  `gorm:"column:started_us;not null"`
	CompletedUS *int64 `gorm:"column:completed_us;index:,composite:job_done,priority:2;index:,composite:done,priority:1"`

	Attempt           *Int   `gorm:"column:attempt"`
	RetryOf           *Key   `gorm:"column:retry_of;size:36"`
	CancelRequestedUS *int64 `gorm:"column:cancel_requested_us"`
	Fence             int64  `gorm:"column:fence;not null"`
	Sequence          int64  `gorm:"column:sequence_no;not null;index:,composite:sched,priority:2,sort:desc;index:,composite:job_sched,priority:3,sort:desc"`

	Data      *string `gorm:"column:run_data"`
	Result    *string `gorm:"column:run_result"`
	ErrorCode *Key    `gorm:"column:error_code;size:64"`
	ErrorText *string `gorm:"column:error_text"`
	Version   int64   `gorm:"column:version;not null"`
}

// TableName gives the table's name by the naming strategy in use.
func (JobRun) TableName(n schema.Namer) string { return n.TableName("SchedulerRun") }

// SchedulerNode is a row of the node table: one process that serves (R079, D06).
type SchedulerNode struct {
	ID           Key    `gorm:"column:node_id;primaryKey;size:128;not null"`
	Incarnation  int64  `gorm:"column:incarnation;not null"`
	HeartbeatUS  int64  `gorm:"column:heartbeat_us;not null"`
	StartedUS    int64  `gorm:"column:started_us;not null"`
	TimeoutMS    int64  `gorm:"column:timeout_ms;not null"`
	HeartbeatMS  int64  `gorm:"column:heartbeat_ms;not null"`
	Host         *Key   `gorm:"column:host;size:255"`
	BootID       *Key   `gorm:"column:boot_id;size:64"`
	PIDNamespace *Key   `gorm:"column:pid_namespace;size:64"`
	ProcessID    *int64 `gorm:"column:process_id"`
	Version      int64  `gorm:"column:version;not null"`
}

// TableName gives the table's name by the naming strategy in use.
func (SchedulerNode) TableName(n schema.Namer) string { return n.TableName("SchedulerNode") }

// SchedulerLease is a row of the lease table: one resource that is held (R056).
type SchedulerLease struct {
	Resource  Key   `gorm:"column:lease_name;primaryKey;size:128;not null"`
	Holder    Key   `gorm:"column:holder;size:128;not null"`
	Token     Key   `gorm:"column:token;size:64;not null"`
	TTLMS     int64 `gorm:"column:ttl_ms;not null"`
	ExpiresUS int64 `gorm:"column:expires_us;not null"`
	Fence     int64 `gorm:"column:fence;not null"`
	Version   int64 `gorm:"column:version;not null"`
}

// TableName gives the table's name by the naming strategy in use.
func (SchedulerLease) TableName(n schema.Namer) string { return n.TableName("SchedulerLease") }

// Models returns one value of each of the five models, in the order in which
// the store locks their tables (D23), for the application's own AutoMigrate or
// for a migration tool (G10). Each call returns new values.
func Models() []any {
	return []any{&Job{}, &Trigger{}, &JobRun{}, &SchedulerNode{}, &SchedulerLease{}}
}
