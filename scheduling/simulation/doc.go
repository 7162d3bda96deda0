// Package simulation runs whole clusters on one in-memory store under fake
// time and lets a model judge what they did. It holds tests only; programs have
// no reason to import it.
//
// A cluster is several engines, each with a link of its own to the store. Nodes
// die and are replaced by newer programs, links are cut, calls fail before they
// reach the store or lose their answers after the commit, calls stand still for
// longer than a node may be silent, node clocks are off and drift, the store's
// clock steps both ways, and meanwhile jobs, groups of them and single triggers
// are paused, for seconds or for minutes, and resumed, jobs are replaced,
// deleted, restored, enqueued singly and in batches, with due instants and
// expiries, triggered and canceled; calendars of the application are slow or
// hang; handlers ignore their contexts, return after their runs were declared
// Lost, start other runs and call the scheduler that runs them; nodes that are
// isolated end their runs or keep them; the history is purged after four minutes.
// All of it follows from one seed.
//
// Each process has slots and batches of its own; claims of one process, and their
// answers, overtake each other where the seed says that they go side by side.
//
// A second kind of cluster lives for a year on schedules of days, weeks and
// months, over the clock changes of three zones in both directions (TestYear).
//
// # The judge
//
// Every committed change of the store and every start and end of a handler is
// an event of the history. The judge follows the history and holds each event
// against its own model: slow and obvious versions of next, misfire, retry and
// merge that share no code with the engine. After the first minute, then every
// five, and at the end it also compares all rows that are stored with those that
// the events told of, and checks the store's own invariants; a shorter run checks
// these after every call. Doctored histories, one at least per rule, show that
// it can say no.
//
// # Running it
//
//	GORMSCHED_SIM_SEEDS     number of seeds (default 20)
//	GORMSCHED_SIM_MINUTES   simulated minutes with faults per seed (default 2)
//	GORMSCHED_SIM_SEED      this seed alone
//	GORMSCHED_SIM_FIRST     the first of the seeds (default 1)
//	GORMSCHED_SIM_HISTORY   with SEED: the file that takes the whole history
//	GORMSCHED_SIM_YEAR      1: TestYear lives through the whole year
//	GORMSCHED_SIM_LOG       any value: the engines' logs on standard error
//
// The seeds run beside each other, as many as go test's -parallel allows. A
// failure names its seed and shows the history up to the first violation.
// Every minute count is followed by two simulated minutes of calm, in which
// everything that is due must be worked off.
//
// A seed replays exactly: every call to the store takes a time of its own, which
// follows from the seed and from what the call is about, so that no two of them
// meet at one instant. Random identifiers (runs, claims, lease tokens) are new each time and are
// renamed in their order of appearance. Under the race detector, which shuffles
// goroutines that wake at one instant inside the engine, a replay may part from
// its first run.
package simulation
