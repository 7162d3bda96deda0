package gormsched_test

import (
	"testing"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched"
)

// refusedCommits are cases in which the application's own commit may answer 40001
// where all is serializable: it is the application's to repeat.
var refusedCommits = map[string]string{
	"AppTxStaysOpen":   "management goes on beside an open transaction",
	"AppTxOrphan":      "a job is deleted beside an open transaction",
	"AppTxOrphanClaim": "a job is deleted beside an open transaction",
}

// sharedJobs are cases in which a job is managed beside an application's
// transaction that has enqueued. MySQL and MariaDB share every row that a
// serializable transaction reads until it ends, a job's too:
// TestEnqueueInASerializableTransaction says what happens instead.
var sharedJobs = map[string]string{
	"AppTxStaysOpen":   "a job is paused, saved and deleted beside an open transaction",
	"AppTxOrphan":      "a job is deleted beside an open transaction",
	"AppTxOrphanClaim": "a job is deleted beside an open transaction",
}

// settings are those that have broken stores that did not expect them.
var settings = []setting{
	{
		name: "prepared, replica, tenant", // T1, T10, T23
		on:   map[string]string{"sqlite": "", "postgres": "", "mysql": "", "mariadb": ""},
		config: func(_ *testPlot, c *gorm.Config) {
			c.PrepareStmt = true
		},
		ready: (*testPlot).copyThatLags,
		dress: func(t testing.TB, p *testPlot, db *gorm.DB) *gorm.DB { return p.withReplica(t, p.withTenant(t, db)) },
		proof: readsGoToTheReplica,
	},
	{
		name:  "New York, times as bytes",
		on:    map[string]string{"mysql": "loc=America%2FNew_York&parseTime=false&time_zone=%27-05%3A00%27", "mariadb": "loc=America%2FNew_York&parseTime=false&time_zone=%27-05%3A00%27"},
		proof: answers("SELECT @@session.time_zone", "-05:00"),
	},
	{
		name:  "found rows", // T12
		on:    map[string]string{"mysql": "clientFoundRows=true", "mariadb": "clientFoundRows=true"},
		proof: affects(1),
	},
	{
		name:  "changed rows",
		on:    map[string]string{"mysql": "clientFoundRows=false", "mariadb": "clientFoundRows=false"},
		proof: affects(0),
	},
	{
		name:  "serializable by default",
		on:    map[string]string{"postgres": "default_transaction_isolation=serializable", "mysql": "transaction_isolation=%27SERIALIZABLE%27", "mariadb": "tx_isolation=%27SERIALIZABLE%27"},
		spare: map[string]map[string]string{"mysql": sharedJobs, "mariadb": sharedJobs},
		proof: isolatedBy("serializable"),
	},
	{
		name:  "repeatable read by default", // T15
		on:    map[string]string{"postgres": "default_transaction_isolation=repeatable%20read", "mysql": "transaction_isolation=%27REPEATABLE-READ%27", "mariadb": "tx_isolation=%27REPEATABLE-READ%27"},
		proof: isolatedBy("repeatable read"),
	},
	{
		name:        "one connection",
		on:          map[string]string{"sqlite": "", "postgres": "", "mysql": "", "mariadb": ""},
		connections: 1,
		proof: func(t testing.TB, p *testPlot) {
			if n := p.tapped.Stats().MaxOpenConnections; n != 1 {
				t.Errorf("the pool opens %d connections, want 1", n)
			}
		},
	},
	{
		name:  "strict",
		on:    map[string]string{"mysql": "sql_mode=%27TRADITIONAL,ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH%27", "mariadb": "sql_mode=%27TRADITIONAL,ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION,PAD_CHAR_TO_FULL_LENGTH%27"},
		proof: answers("SELECT @@session.sql_mode LIKE '%STRICT_ALL_TABLES%'", "1"),
	},
	{
		name:  "not strict",
		on:    map[string]string{"mysql": "sql_mode=%27%27", "mariadb": "sql_mode=%27%27"},
		proof: answers("SELECT @@session.sql_mode", ""),
	},
	{
		name:  "interpolated, no backslash escapes",
		on:    map[string]string{"mysql": "interpolateParams=true&sql_mode=%27NO_BACKSLASH_ESCAPES,ANSI_QUOTES%27", "mariadb": "interpolateParams=true&sql_mode=%27NO_BACKSLASH_ESCAPES,ANSI_QUOTES%27"},
		proof: answers(`SELECT LENGTH('\\')`, "2"),
	},
	{
		name:     "GORM's liberties, singular names", // TranslateError, AllowGlobalUpdate, scopes, a prefix of the strategy's
		on:       map[string]string{"sqlite": "", "postgres": "", "mysql": "", "mariadb": ""},
		singular: true,
		config: func(p *testPlot, c *gorm.Config) {
			c.NamingStrategy = schema.NamingStrategy{TablePrefix: p.prefix, SingularTable: true}
			c.TranslateError, c.AllowGlobalUpdate, c.FullSaveAssociations, c.PropagateUnscoped = true, true, true, true
			c.CreateBatchSize = 1
		},
		options: func(o *gormsched.Options) { o.TablePrefix = "" },
		dress: func(_ testing.TB, _ *testPlot, db *gorm.DB) *gorm.DB {
			return db.Scopes(func(db *gorm.DB) *gorm.DB { return db.Where("tenant = ?", 7) }).Where("1 = 0").Session(&gorm.Session{})
		},
		proof: func(t testing.TB, p *testPlot) {
			db, n := p.handle(t, p.others), int64(0)
			if err := db.Table(p.prefix + "scheduler_job").Count(&n).Error; err == nil || !db.AllowGlobalUpdate || !db.TranslateError {
				t.Errorf("the application counts %d jobs without a tenant: its scope is not in force", n)
			}
		},
	},
	{
		name:    "through PgBouncer", // T23
		on:      map[string]string{"postgres": "default_query_exec_mode=exec"},
		config:  func(_ *testPlot, c *gorm.Config) { c.PrepareStmt = true },
		through: startPgBouncer,
		proof: func(t testing.TB, p *testPlot) {
			answers("SHOW application_name", "bounced")(t, p)
		},
	},
	{
		name: "simple protocol through PgBouncer",
		on:   map[string]string{"postgres": "default_query_exec_mode=simple_protocol"},
		dialector: func(d gorm.Dialector) gorm.Dialector {
			d.(*postgres.Dialector).PreferSimpleProtocol = true
			return d
		},
		through: startPgBouncer,
		proof:   answers("SHOW application_name", "bounced"),
	},
	{
		name:  "simple protocol",
		on:    map[string]string{"postgres": "default_query_exec_mode=simple_protocol"},
		proof: answers("SELECT count(*) FROM pg_prepared_statements", "0"),
	},
	{
		name:  "another time zone",
		on:    map[string]string{"postgres": "timezone=America%2FSt_Johns&datestyle=SQL", "mysql": "time_zone=%27%2B13%3A45%27&parseTime=true&loc=Asia%2FShanghai", "mariadb": "time_zone=%27%2B13%3A00%27&parseTime=true&loc=Asia%2FShanghai"},
		proof: answers(map[string]string{"postgres": "SELECT current_setting('TimeZone') = 'America/St_Johns'", "": "SELECT @@session.time_zone LIKE '+13%'"}, "1"),
	},
	{
		name: "another collation", // T25
		on:   map[string]string{"postgres": "", "mysql": "collation=utf8mb4_unicode_ci", "mariadb": "collation=utf8mb4_general_ci"},
		elsewhere: map[string]string{"postgres": "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'",
			"mysql": "CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci", "mariadb": "CHARACTER SET latin1 COLLATE latin1_swedish_ci"},
		proof: answers(map[string]string{"postgres": "SELECT 'a' < 'B'", "": "SELECT 'a' = 'A'"}, "1"),
	},
	{
		name:  "rollback journal",
		on:    map[string]string{"sqlite": "_pragma=busy_timeout(5000)&_pragma=journal_mode(DELETE)&_pragma=synchronous(OFF)"},
		proof: answers("PRAGMA journal_mode", "delete"),
	},
	{
		name:  "no busy timeout",
		on:    map[string]string{"sqlite": "_pragma=busy_timeout(0)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"},
		proof: answers("PRAGMA busy_timeout", "0"),
	},
	{
		name:  "shared memory",
		on:    map[string]string{"sqlite": "mode=memory&cache=shared&_pragma=busy_timeout(5000)"},
		proof: answers("PRAGMA journal_mode", "memory"),
	},
	{
		name:  "beside another installation", // T3
		on:    map[string]string{"sqlite": "", "postgres": "", "mysql": "", "mariadb": ""},
		ready: (*testPlot).settleNeighbour,
		proof: func(t testing.TB, p *testPlot) { p.neighbour.undisturbed(t) },
	},
	{
		name:    "serializable throughout", // stands in for engines that know no other level
		on:      map[string]string{"postgres": "default_transaction_isolation=serializable"},
		options: func(o *gormsched.Options) { o.Optimistic = true },
		pool:    serializable,
		spare:   map[string]map[string]string{"postgres": refusedCommits},
		proof:   serializesWhatTheStoreSends,
	},
	{
		name:  "serializable throughout, claims",
		on:    map[string]string{"postgres": "default_transaction_isolation=serializable"},
		spare: map[string]map[string]string{"postgres": refusedCommits},
		pool:  serializable,
		proof: serializesWhatTheStoreSends,
	},
}
