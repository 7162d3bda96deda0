package schedulingtest

// scenarios says what the B numbers stand for, and where the fault was seen.
var scenarios = map[string]string{
	"B102": "a batch claimed ahead of time runs early, or on two nodes (quartznet/quartznet#378)",
	"B103": "two nodes start two triggers of one exclusive job in the same millisecond (quartz-scheduler/quartz#674)",
	"B104": "a claim whose answer was lost stays claimed for ever (quartznet/quartznet#1726)",
	"B105": "a crash between two writes of a claim leaves a claim without an owner (Oriflame/cosmosdb-quartznet#6)",
	"B109": "deadlocks lose a completion (kagkarlsson/db-scheduler#327)",
	"B114": "a blocked trigger is found much later than its job became free (quartznet/quartznet#130)",
	"B115": "after a crash the waiting siblings block each other for ever (quartznet/quartznet#128)",
	"B117": "exclusivity is given up only after success (go-co-op/gocron#538)",
	"B119": "a trigger is paused and blocked at once, and one of the two is forgotten (quartznet/quartznet#193)",
	"B120": "a manual run ignores exclusivity (NCronJob-Dev/NCronJob#52)",
	"B136": "recovery overwrites a run that completed meanwhile (riverqueue/river#1302)",
	"B137": "a node works on after its row was deleted (rails/solid_queue#778)",
	"B139": "the recovered run differs from the lost one (quartznet/quartznet#2083)",
	"B141": "a Running record whose node has no row is never recovered (hibiken/asynq#1144)",
	"B143": "the leader dies between declaring a run lost and enqueuing its recovery",
	"B145": "a node that is not the leader renews the lease (riverqueue/river#199)",
	"B147": "a late release frees the successor's lease (lukas-krecan/ShedLock#74)",
	"B150": "the purge deletes a running execution (rundeck/rundeck#5683)",
	"B151": "history of paused or deleted jobs is never purged (dnnsoftware/Dnn.Platform#6172)",
	"B160": "pausing a job without triggers does not stick, or sticks for ever (quartz-scheduler/quartz#32)",
	"B161": "a completion wakes a paused trigger (quartznet/quartznet#1511)",
	"B170": "an instant is rounded on its way into the database (go-gorm/gorm#4155)",
	"B171": "after a duplicate key the transaction answers only errors (go-gorm/gorm#4854)",
	"B173": "zero values are dropped on update (go-gorm/gorm#202)",
	"B174": "a save brings a deleted row back (go-gorm/gorm#3332)",
	"B180": "more items than one statement may have parameters (requarks/wiki#1328)",
}

// Scenario says what a B number stands for: a fault that another scheduler
// shipped, and where it was reported. It is empty for an unknown number.
func Scenario(number string) string { return scenarios[number] }
