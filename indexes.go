package gormsched

// indexSpec is one secondary index: its columns, and the queries that it
// serves. Every index is needed by a query and no hot table carries another
// one; job, node and lease are reached by their keys only (R102).
type indexSpec struct {
	// Table is "triggers" or "runs", Name the composite's name in the tags.
	Table, Name string
	Unique      bool
	Columns     []indexColumn
	// Serves says which query needs it, for the plan tests and the documents.
	Serves string
}

// indexColumn is one column of an index; Desc where it is sorted downwards.
type indexColumn struct {
	Name string
	Desc bool
}

// indexSpecs are the indexes of schema version 1, in the order in which the
// schema creates them. The tags in entities.go say the same; a test compares.
var indexSpecs = []indexSpec{
	{
		Table: "triggers", Name: "due",
		Columns: []indexColumn{{"trigger_state", false}, {"is_local", false}, {"next_fire_us", false}, {"priority", true}, {"trigger_key", false}},
		Serves:  "the candidates of acquire and claim, and the next due instant (R028, R029, D03)",
	},
	{
		Table: "triggers", Name: "name", Unique: true,
		Columns: []indexColumn{{"job_name", false}, {"trigger_name", false}},
		Serves:  "the triggers of a job (R097)",
	},
	{
		Table: "triggers", Name: "handback",
		Columns: []indexColumn{{"job_name", false}, {"trigger_state", false}, {"next_fire_us", false}, {"priority", true}, {"trigger_key", false}},
		Serves:  "blocking and handing back the triggers of an exclusive job (D35)",
	},
	{
		Table: "runs", Name: "running",
		Columns: []indexColumn{{"running_on", false}},
		Serves:  "the running runs of a node, and those that no node runs (R098, D44)",
	},
	{
		Table: "runs", Name: "job_done",
		Columns: []indexColumn{{"job_name", false}, {"completed_us", false}},
		Serves:  "the latest ended run of a job, and its running ones (R099, D12)",
	},
	{
		Table: "runs", Name: "done",
		Columns: []indexColumn{{"completed_us", false}},
		Serves:  "the purge (R100)",
	},
	{
		Table: "runs", Name: "sched",
		Columns: []indexColumn{{"scheduled_us", true}, {"sequence_no", true}},
		Serves:  "pages of the whole history (R101, D02)",
	},
	{
		Table: "runs", Name: "job_sched",
		Columns: []indexColumn{{"job_name", false}, {"scheduled_us", true}, {"sequence_no", true}},
		Serves:  "pages of one job's history (D02)",
	},
}
