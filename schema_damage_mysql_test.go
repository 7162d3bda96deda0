package gormsched

// onMySQL is the same on MySQL and MariaDB.
func onMySQL(statements ...string) map[string][]string {
	return map[string][]string{"mysql": statements, "mariadb": statements}
}

// mysqlDamages are [damages] in the words of MySQL and MariaDB.
var mysqlDamages = []damage{
	{name: "table missing", do: onMySQL("DROP TABLE {{nodes}}"), table: "nodes", what: "is missing"},
	{name: "view in its place", do: onMySQL("DROP TABLE {{nodes}}", "CREATE VIEW {{nodes}} AS SELECT 1 AS node_id"),
		table: "nodes", what: "is a view", unfixed: true},
	{name: "engine without transactions", do: onMySQL("ALTER TABLE {{leases}} ENGINE = MyISAM"), table: "leases", what: "InnoDB"},
	{name: "column missing", do: onMySQL("ALTER TABLE {{jobs}} DROP COLUMN code_version"), table: "jobs", column: "code_version", what: "is missing"},
	{name: "column missing whose name another holds (T21)", do: onMySQL("ALTER TABLE {{jobs}} DROP COLUMN version"), table: "jobs", column: "version", what: "is missing"},
	{name: "text column missing", do: onMySQL("ALTER TABLE {{triggers}} DROP COLUMN schedule_text"), table: "triggers", column: "schedule_text", what: "is missing"},
	{name: "nullable column missing", do: onMySQL("ALTER TABLE {{jobs}} DROP COLUMN job_data"), table: "jobs", column: "job_data", what: "is missing"},
	{name: "other type", do: onMySQL("ALTER TABLE {{leases}} MODIFY COLUMN fence int NOT NULL"), table: "leases", column: "fence", what: "must be bigint"},
	{name: "unsigned", do: onMySQL("ALTER TABLE {{leases}} MODIFY COLUMN fence bigint unsigned NOT NULL"), table: "leases", column: "fence", what: "must be bigint"},
	{name: "shorter key", do: onMySQL("ALTER TABLE {{triggers}} MODIFY COLUMN trigger_key varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL"),
		table: "triggers", column: "trigger_key", what: "varchar(257)"},
	{name: "other collation (T25, D32)", do: onMySQL("ALTER TABLE {{leases}} MODIFY COLUMN lease_name varchar(128) CHARACTER SET utf8mb4 NOT NULL"),
		table: "leases", column: "lease_name", what: "ascii_bin"},
	{name: "text that is cut at 64 KB", do: onMySQL("ALTER TABLE {{runs}} MODIFY COLUMN run_data text CHARACTER SET utf8mb4"),
		table: "runs", column: "run_data", what: "longtext"},
	{name: "text without characters of four bytes", do: onMySQL("ALTER TABLE {{runs}} MODIFY COLUMN run_data longtext CHARACTER SET utf8mb3"),
		table: "runs", column: "run_data", what: "utf8mb4"},
	{name: "nullable where it must not be", do: onMySQL("ALTER TABLE {{leases}} MODIFY COLUMN fence bigint NULL"), table: "leases", column: "fence", what: "must be"},
	{name: "not null where it must be", do: onMySQL("ALTER TABLE {{runs}} MODIFY COLUMN completed_us bigint NOT NULL"),
		table: "runs", column: "completed_us", what: "NOT NULL"},
	{name: "foreign column that inserts must fill", do: onMySQL("ALTER TABLE {{leases}} ADD COLUMN tenant varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL"),
		table: "leases", column: "tenant", what: "cannot be inserted"},
	{name: "no primary key", do: onMySQL("ALTER TABLE {{leases}} DROP PRIMARY KEY"), table: "leases", what: "primary key"},
	{name: "other primary key", do: onMySQL("ALTER TABLE {{leases}} DROP PRIMARY KEY, ADD PRIMARY KEY (lease_name, token)"),
		table: "leases", what: "(lease_name, token)"},
	{name: "index missing", do: onMySQL("DROP INDEX {{triggers.due}} ON {{triggers}}"), table: "triggers", index: "due", what: "is missing"},
	{name: "index in another order (T4, T20)", do: onMySQL("DROP INDEX {{triggers.due}} ON {{triggers}}",
		"CREATE INDEX {{triggers.due}} ON {{triggers}} (trigger_state, next_fire_us, is_local, priority DESC, trigger_key)"),
		table: "triggers", index: "due", what: "(trigger_state, is_local, next_fire_us, priority DESC, trigger_key)"},
	{name: "index sorted otherwise", do: onMySQL("DROP INDEX {{runs.sched}} ON {{runs}}", "CREATE INDEX {{runs.sched}} ON {{runs}} (scheduled_us DESC, sequence_no)"),
		table: "runs", index: "sched", what: "sequence_no DESC"},
	{name: "index not unique", do: onMySQL("DROP INDEX {{triggers.name}} ON {{triggers}}", "CREATE INDEX {{triggers.name}} ON {{triggers}} (job_name, trigger_name)"),
		table: "triggers", index: "name", what: "unique"},
	{name: "index over a part", do: onMySQL("DROP INDEX {{runs.running}} ON {{runs}}", "CREATE INDEX {{runs.running}} ON {{runs}} (running_on(10))"),
		table: "runs", index: "running", what: "prefix"},
	{name: "index that is not used", do: map[string][]string{
		"mysql": {"ALTER TABLE {{runs}} ALTER INDEX {{runs.done}} INVISIBLE"}, "mariadb": {"ALTER TABLE {{runs}} ALTER INDEX {{runs.done}} IGNORED"}},
		table: "runs", index: "done", what: "invisible"},
}
