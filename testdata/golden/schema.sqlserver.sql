-- gormsched, schema version 1, SQL Server and Azure SQL.
-- Instants are UTC microseconds since the epoch (_us), durations milliseconds (_ms).
-- Flags are 0 or 1; enumerations are the numbers of package provider.
-- There is no CREATE … IF NOT EXISTS: each statement asks the catalogue first.
-- Keys are nvarchar, as the driver sends text, and compare by their code points.

-- Jobs, by name.
IF OBJECT_ID(N'"scheduler_jobs"', N'U') IS NULL
CREATE TABLE "scheduler_jobs" (
    "job_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "handler_key" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "job_description" nvarchar(max) NULL,
    "job_data" nvarchar(max) NULL,
    "allow_concurrent" smallint NOT NULL,
    "every_instance" smallint NOT NULL,
    "requests_recovery" smallint NOT NULL,
    "paused" smallint NOT NULL,
    "max_retries" int NULL,
    "retry_delay_ms" bigint NULL,
    "retry_max_delay_ms" bigint NULL,
    "retry_backoff" smallint NULL,
    "timeout_ms" bigint NULL,
    "active_run_id" nvarchar(36) COLLATE Latin1_General_100_BIN2 NULL,
    "fence" bigint NOT NULL,
    "job_source" smallint NOT NULL,
    "fingerprint" nvarchar(128) COLLATE Latin1_General_100_BIN2 NULL,
    "code_version" bigint NOT NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("job_name")
);

-- Triggers, by "job/trigger".
IF OBJECT_ID(N'"scheduler_triggers"', N'U') IS NULL
CREATE TABLE "scheduler_triggers" (
    "trigger_key" nvarchar(257) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "job_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "trigger_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "schedule_text" nvarchar(max) NOT NULL,
    "trigger_description" nvarchar(max) NULL,
    "trigger_data" nvarchar(max) NULL,
    "priority" int NOT NULL,
    "misfire_policy" smallint NOT NULL,
    "trigger_state" smallint NOT NULL,
    "paused" smallint NOT NULL,
    "is_local" smallint NOT NULL,
    "is_exclusive" smallint NOT NULL,
    "scheduled_us" bigint NULL,
    "next_fire_us" bigint NULL,
    "prev_fire_us" bigint NULL,
    "fire_count" bigint NOT NULL,
    "claim_id" bigint NULL,
    "claimed_by" nvarchar(128) COLLATE Latin1_General_100_BIN2 NULL,
    "incarnation" bigint NULL,
    "claimed_us" bigint NULL,
    "run_as" smallint NOT NULL,
    "attempt" int NULL,
    "retry_of" nvarchar(36) COLLATE Latin1_General_100_BIN2 NULL,
    "expires_us" bigint NULL,
    "error_code" nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    "error_text" nvarchar(max) NULL,
    "zone_hash" nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("trigger_key")
);
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_due"', 1))
CREATE INDEX "idx_scheduler_triggers_due" ON "scheduler_triggers" ("trigger_state", "is_local", "next_fire_us", "priority" DESC, "trigger_key");
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_name"', 1))
CREATE UNIQUE INDEX "idx_scheduler_triggers_name" ON "scheduler_triggers" ("job_name", "trigger_name");
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_handback"', 1))
CREATE INDEX "idx_scheduler_triggers_handback" ON "scheduler_triggers" ("job_name", "trigger_state", "next_fire_us", "priority" DESC, "trigger_key");

-- Runs: running ones and history.
IF OBJECT_ID(N'"scheduler_runs"', N'U') IS NULL
CREATE TABLE "scheduler_runs" (
    "run_id" nvarchar(36) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "job_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "trigger_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "run_kind" smallint NOT NULL,
    "run_state" smallint NOT NULL,
    "running_on" nvarchar(128) COLLATE Latin1_General_100_BIN2 NULL,
    "node_id" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "incarnation" bigint NOT NULL,
    "scheduled_us" bigint NOT NULL,
    "started_us" bigint NOT NULL,
    "completed_us" bigint NULL,
    "attempt" int NULL,
    "retry_of" nvarchar(36) COLLATE Latin1_General_100_BIN2 NULL,
    "cancel_requested_us" bigint NULL,
    "fence" bigint NOT NULL,
    "sequence_no" bigint NOT NULL,
    "run_data" nvarchar(max) NULL,
    "run_result" nvarchar(max) NULL,
    "error_code" nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    "error_text" nvarchar(max) NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("run_id")
);
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_running"', 1))
CREATE INDEX "idx_scheduler_runs_running" ON "scheduler_runs" ("running_on");
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_job_done"', 1))
CREATE INDEX "idx_scheduler_runs_job_done" ON "scheduler_runs" ("job_name", "completed_us");
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_done"', 1))
CREATE INDEX "idx_scheduler_runs_done" ON "scheduler_runs" ("completed_us");
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_sched"', 1))
CREATE INDEX "idx_scheduler_runs_sched" ON "scheduler_runs" ("scheduled_us" DESC, "sequence_no" DESC);
IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_job_sched"', 1))
CREATE INDEX "idx_scheduler_runs_job_sched" ON "scheduler_runs" ("job_name", "scheduled_us" DESC, "sequence_no" DESC);

-- Processes that serve.
IF OBJECT_ID(N'"scheduler_nodes"', N'U') IS NULL
CREATE TABLE "scheduler_nodes" (
    "node_id" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "incarnation" bigint NOT NULL,
    "heartbeat_us" bigint NOT NULL,
    "started_us" bigint NOT NULL,
    "timeout_ms" bigint NOT NULL,
    "heartbeat_ms" bigint NOT NULL,
    "host" nvarchar(255) COLLATE Latin1_General_100_BIN2 NULL,
    "boot_id" nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    "pid_namespace" nvarchar(64) COLLATE Latin1_General_100_BIN2 NULL,
    "process_id" bigint NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("node_id")
);

-- Leases: the leader's, and the application's own.
IF OBJECT_ID(N'"scheduler_leases"', N'U') IS NULL
CREATE TABLE "scheduler_leases" (
    "lease_name" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "holder" nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "token" nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
    "ttl_ms" bigint NOT NULL,
    "expires_us" bigint NOT NULL,
    "fence" bigint NOT NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("lease_name")
);
