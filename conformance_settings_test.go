package gormsched_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/gormsched/gormsched"
	"github.com/gormsched/gormsched/scheduling/schedulingtest"
)

// A setting is something that an application may have set, in its DSN, on its
// server or in GORM, and that must change no answer of the store. The zero value
// is the bed's own.
type setting struct {
	name string
	// on are the databases that have it, with the parameters of the stores' DSN.
	on map[string]string
	// connections bounds each pool of the stores; 0 = unbounded.
	connections int
	// singular says that the tables' names are singular.
	singular bool
	// config, dialector and dress are what the application opens its handle with,
	// and what it does with it then.
	config    func(*testPlot, *gorm.Config)
	dialector func(gorm.Dialector) gorm.Dialector
	dress     func(testing.TB, *testPlot, *gorm.DB) *gorm.DB
	// options and pool change what the store is made with.
	options func(*gormsched.Options)
	pool    func(gorm.ConnPool) gorm.ConnPool
	// elsewhere, by database, are the words that a database of its own is made with.
	elsewhere map[string]string
	// through starts a proxy before the server, and answers its address; an error
	// says why there is none.
	through func(testing.TB, *testServer) (address string, err error)
	// ready readies a new set of tables.
	ready func(*testPlot, testing.TB)
	// spare are, by database, cases that cannot be under this setting, with the
	// reason.
	spare map[string]map[string]string
	// proof fails unless the setting is in force.
	proof func(testing.TB, *testPlot)
}

func (s setting) parameters(database string) string { return s.on[database] }

// mainCases are those that run under every setting: the path of a trigger from
// its job to its run's end, what is counted by rows affected, what waits, what
// fails, the application's transactions, races, texts and instants.
var mainCases = strings.Fields(`
	InfoIsConstant NowIsTheStoresClock EmptyBatchesDoNothing EmptyStoreAnswersEmpty
	SaveInsertsWhole SaveReplacesWhole SaveIfAbsent SaveIfVersion SaveConditionsDecideAlone DeleteJobs
	SaveKeepsProgressOfUnchangedText SaveStartsChangedTextAnew SaveBecomesExclusive
	JobsOfManyNames ListTriggersPages AddTriggers RemoveClaimed RescheduleMoves
	PauseJobInAllStates ResumeJob PauseAnswersPerItem PausedIsNotClaimed
	EnqueueNow EnqueueWhole EnqueueCopiesExclusive EnqueueUnknownJob EnqueueSameKey EnqueueSameKeyInOneBatch
	AcquireOrder AcquireOnlyDue AcquireLimit AcquireOnePerExclusiveJob AcquireRefill DueIsTheEarliest
	BeginStarts BeginOccupies BeginConcurrent BeginDeletesOneShots BeginCompletesOnce BeginBlocks BeginAnswersInOrder
	Start StartExclusive ClaimStarts ClaimOrder ClaimEqualsAcquireAndBegin ClaimExclusive ClaimOccupied ClaimPausedAndFuture
	CompleteWritesTheEnd CompleteTwice CompleteByAnother CompleteHandsBackAll SettleInterval SettleInsertsRetry
	ReleaseGivesBack HandBackOrder RegisterNew RegisterReplaces HeartbeatRenews ConvictOnce
	SweepDeclaresLost SweepReturnsClaims SweepRecovers SweepMixed LatestRuns RequestCancel PurgeInChunks RunsPages
	RoundTripJobs RoundTripTriggers RoundTripRuns RoundTripInstants RoundTripData RoundTripNumbers LongestNames HostileStrings
	BatchLives BatchOfTriggers HeldJobInClaim HeldTriggerInAcquire HeldRunInComplete ManagementWaits
	AppTxCommits AppTxRollsBack AppTxAnswers AppTxSameKey
	RaceForTriggersClaim RaceForExclusiveJobs RaceToEnqueue RaceToSave KilledEnqueue KilledStart InterleavedSweepAndSweep
	AcquireFree AcquireHeld AcquireAgain AcquireExpired Renew RenewByAnother RenewExpired Release InspectNothing TokensAreBytes RaceForFreeLease`)

// runSettings runs the suites under each setting that the database has, beside
// each other. It answers what was left out. GORMSCHED_TEST_SETTINGS=all runs the
// whole of the store suite, "none" leaves all settings out.
func runSettings(t *testing.T, server *testServer) (leftOut []string) {
	mode := os.Getenv("GORMSCHED_TEST_SETTINGS")
	if mode == "none" || mode == "" && underRace {
		return nil
	}
	for _, s := range settings {
		if _, has := s.on[server.name]; !has {
			continue
		}
		whole := mode == "all" && !underRace
		t.Run(s.name, func(t *testing.T) {
			on, err := s.place(t, server)
			if err != nil {
				if s.through != nil && required("pgbouncer") {
					t.Fatalf("GORMSCHED_TEST_REQUIRE names pgbouncer, which is not there: %v", err)
				}
				leftOut = append(leftOut, fmt.Sprintf("%s on %s (%v)", s.name, server.name, err))
				return
			}
			t.Parallel()
			bed := &testBed{testServer: on, setting: s, owner: t}
			p := bed.take(t)
			s.proof(t, p)
			bed.give(p)
			h := schedulingtest.Harness{Name: server.name + " with " + s.name, New: bed.subject, Light: !whole, Only: func(c schedulingtest.Case) bool {
				return s.spare[server.name][c.Name] == "" && (whole || slices.Contains(mainCases, c.Name))
			}}
			schedulingtest.RunStore(t, h)
			schedulingtest.RunElection(t, h)
		})
	}
	return leftOut
}

// place is the server as the setting has it.
func (s setting) place(t *testing.T, server *testServer) (*testServer, error) {
	if words, has := s.elsewhere[server.name]; has {
		server = server.elsewhere(t, words)
	}
	if s.through == nil {
		return server, nil
	}
	address, err := s.through(t, server)
	if err != nil {
		return nil, err
	}
	return server.behind(address), nil
}

// The cases that run under every setting are there.
func TestMainCases(t *testing.T) {
	var all []string
	for _, c := range slices.Concat(schedulingtest.StoreCases(), schedulingtest.ElectionCases()) {
		all = append(all, c.Name)
	}
	for _, name := range mainCases {
		if !slices.Contains(all, name) {
			t.Errorf("there is no case %s", name)
		}
	}
	for _, s := range settings {
		for database, cases := range s.spare {
			if _, has := s.on[database]; !has {
				t.Errorf("setting %s spares cases on %s, which does not have it", s.name, database)
			}
			for name := range cases {
				if !slices.Contains(all, name) {
					t.Errorf("setting %s spares a case %s that is not there", s.name, name)
				}
			}
		}
	}
}
