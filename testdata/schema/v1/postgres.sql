-- gormsched, schema version 1, PostgreSQL.
-- Instants are UTC microseconds since the epoch (_us), durations milliseconds (_ms).
-- Flags are 0 or 1; enumerations are the numbers of package provider.

-- Jobs, by name.
CREATE TABLE IF NOT EXISTS "scheduler_jobs" (
    "job_name" varchar(128) COLLATE "C" NOT NULL,
    "handler_key" varchar(128) COLLATE "C" NOT NULL,
    "job_description" text,
    "job_data" text,
    "allow_concurrent" smallint NOT NULL,
    "every_instance" smallint NOT NULL,
    "requests_recovery" smallint NOT NULL,
    "paused" smallint NOT NULL,
    "max_retries" integer,
    "retry_delay_ms" bigint,
    "retry_max_delay_ms" bigint,
    "retry_backoff" smallint,
    "timeout_ms" bigint,
    "active_run_id" varchar(36) COLLATE "C",
    "fence" bigint NOT NULL,
    "job_source" smallint NOT NULL,
    "fingerprint" varchar(128) COLLATE "C",
    "code_version" bigint NOT NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("job_name")
);

-- Triggers, by "job/trigger".
CREATE TABLE IF NOT EXISTS "scheduler_triggers" (
    "trigger_key" varchar(257) COLLATE "C" NOT NULL,
    "job_name" varchar(128) COLLATE "C" NOT NULL,
    "trigger_name" varchar(128) COLLATE "C" NOT NULL,
    "schedule_text" text NOT NULL,
    "trigger_description" text,
    "trigger_data" text,
    "priority" integer NOT NULL,
    "misfire_policy" smallint NOT NULL,
    "trigger_state" smallint NOT NULL,
    "paused" smallint NOT NULL,
    "is_local" smallint NOT NULL,
    "is_exclusive" smallint NOT NULL,
    "scheduled_us" bigint,
    "next_fire_us" bigint,
    "prev_fire_us" bigint,
    "fire_count" bigint NOT NULL,
    "claim_id" bigint,
    "claimed_by" varchar(128) COLLATE "C",
    "incarnation" bigint,
    "claimed_us" bigint,
    "run_as" smallint NOT NULL,
    "attempt" integer,
    "retry_of" varchar(36) COLLATE "C",
    "expires_us" bigint,
    "error_code" varchar(64) COLLATE "C",
    "error_text" text,
    "zone_hash" varchar(64) COLLATE "C",
    "version" bigint NOT NULL,
    PRIMARY KEY ("trigger_key")
);
CREATE INDEX IF NOT EXISTS "idx_scheduler_triggers_due" ON "scheduler_triggers" ("trigger_state", "is_local", "next_fire_us", "priority" DESC, "trigger_key");
CREATE UNIQUE INDEX IF NOT EXISTS "idx_scheduler_triggers_name" ON "scheduler_triggers" ("job_name", "trigger_name");
CREATE INDEX IF NOT EXISTS "idx_scheduler_triggers_handback" ON "scheduler_triggers" ("job_name", "trigger_state", "next_fire_us", "priority" DESC, "trigger_key");

-- Runs: running ones and history.
CREATE TABLE IF NOT EXISTS "scheduler_runs" (
    "run_id" varchar(36) COLLATE "C" NOT NULL,
    "job_name" varchar(128) COLLATE "C" NOT NULL,
    "trigger_name" varchar(128) COLLATE "C" NOT NULL,
    "run_kind" smallint NOT NULL,
    "run_state" smallint NOT NULL,
    "running_on" varchar(128) COLLATE "C",
    "node_id" varchar(128) COLLATE "C" NOT NULL,
    "incarnation" bigint NOT NULL,
    "scheduled_us" bigint NOT NULL,
    "started_us" bigint NOT NULL,
    "completed_us" bigint,
    "attempt" integer,
    "retry_of" varchar(36) COLLATE "C",
    "cancel_requested_us" bigint,
    "fence" bigint NOT NULL,
    "sequence_no" bigint NOT NULL,
    "run_data" text,
    "run_result" text,
    "error_code" varchar(64) COLLATE "C",
    "error_text" text,
    "version" bigint NOT NULL,
    PRIMARY KEY ("run_id")
);
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_running" ON "scheduler_runs" ("running_on");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_job_done" ON "scheduler_runs" ("job_name", "completed_us");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_done" ON "scheduler_runs" ("completed_us");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_sched" ON "scheduler_runs" ("scheduled_us" DESC, "sequence_no" DESC);
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_job_sched" ON "scheduler_runs" ("job_name", "scheduled_us" DESC, "sequence_no" DESC);

-- Processes that serve.
CREATE TABLE IF NOT EXISTS "scheduler_nodes" (
    "node_id" varchar(128) COLLATE "C" NOT NULL,
    "incarnation" bigint NOT NULL,
    "heartbeat_us" bigint NOT NULL,
    "started_us" bigint NOT NULL,
    "timeout_ms" bigint NOT NULL,
    "heartbeat_ms" bigint NOT NULL,
    "host" varchar(255) COLLATE "C",
    "boot_id" varchar(64) COLLATE "C",
    "pid_namespace" varchar(64) COLLATE "C",
    "process_id" bigint,
    "version" bigint NOT NULL,
    PRIMARY KEY ("node_id")
);

-- Leases: the leader's, and the application's own.
CREATE TABLE IF NOT EXISTS "scheduler_leases" (
    "lease_name" varchar(128) COLLATE "C" NOT NULL,
    "holder" varchar(128) COLLATE "C" NOT NULL,
    "token" varchar(64) COLLATE "C" NOT NULL,
    "ttl_ms" bigint NOT NULL,
    "expires_us" bigint NOT NULL,
    "fence" bigint NOT NULL,
    "version" bigint NOT NULL,
    PRIMARY KEY ("lease_name")
);
