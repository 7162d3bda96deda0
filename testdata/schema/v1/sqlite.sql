-- gormsched, schema version 1, SQLite.
-- Instants are UTC microseconds since the epoch (_us), durations milliseconds (_ms).
-- Flags are 0 or 1; enumerations are the numbers of package provider.

-- Jobs, by name.
CREATE TABLE IF NOT EXISTS "scheduler_jobs" (
    "job_name" text NOT NULL,
    "handler_key" text NOT NULL,
    "job_description" text,
    "job_data" text,
    "allow_concurrent" integer NOT NULL,
    "every_instance" integer NOT NULL,
    "requests_recovery" integer NOT NULL,
    "paused" integer NOT NULL,
    "max_retries" integer,
    "retry_delay_ms" integer,
    "retry_max_delay_ms" integer,
    "retry_backoff" integer,
    "timeout_ms" integer,
    "active_run_id" text,
    "fence" integer NOT NULL,
    "job_source" integer NOT NULL,
    "fingerprint" text,
    "code_version" integer NOT NULL,
    "version" integer NOT NULL,
    PRIMARY KEY ("job_name")
);

-- Triggers, by "job/trigger".
CREATE TABLE IF NOT EXISTS "scheduler_triggers" (
    "trigger_key" text NOT NULL,
    "job_name" text NOT NULL,
    "trigger_name" text NOT NULL,
    "schedule_text" text NOT NULL,
    "trigger_description" text,
    "trigger_data" text,
    "priority" integer NOT NULL,
    "misfire_policy" integer NOT NULL,
    "trigger_state" integer NOT NULL,
    "paused" integer NOT NULL,
    "is_local" integer NOT NULL,
    "is_exclusive" integer NOT NULL,
    "scheduled_us" integer,
    "next_fire_us" integer,
    "prev_fire_us" integer,
    "fire_count" integer NOT NULL,
    "claim_id" integer,
    "claimed_by" text,
    "incarnation" integer,
    "claimed_us" integer,
    "run_as" integer NOT NULL,
    "attempt" integer,
    "retry_of" text,
    "expires_us" integer,
    "error_code" text,
    "error_text" text,
    "zone_hash" text,
    "version" integer NOT NULL,
    PRIMARY KEY ("trigger_key")
);
CREATE INDEX IF NOT EXISTS "idx_scheduler_triggers_due" ON "scheduler_triggers" ("trigger_state", "is_local", "next_fire_us", "priority" DESC, "trigger_key");
CREATE UNIQUE INDEX IF NOT EXISTS "idx_scheduler_triggers_name" ON "scheduler_triggers" ("job_name", "trigger_name");
CREATE INDEX IF NOT EXISTS "idx_scheduler_triggers_handback" ON "scheduler_triggers" ("job_name", "trigger_state", "next_fire_us", "priority" DESC, "trigger_key");

-- Runs: running ones and history.
CREATE TABLE IF NOT EXISTS "scheduler_runs" (
    "run_id" text NOT NULL,
    "job_name" text NOT NULL,
    "trigger_name" text NOT NULL,
    "run_kind" integer NOT NULL,
    "run_state" integer NOT NULL,
    "running_on" text,
    "node_id" text NOT NULL,
    "incarnation" integer NOT NULL,
    "scheduled_us" integer NOT NULL,
    "started_us" integer NOT NULL,
    "completed_us" integer,
    "attempt" integer,
    "retry_of" text,
    "cancel_requested_us" integer,
    "fence" integer NOT NULL,
    "sequence_no" integer NOT NULL,
    "run_data" text,
    "run_result" text,
    "error_code" text,
    "error_text" text,
    "version" integer NOT NULL,
    PRIMARY KEY ("run_id")
);
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_running" ON "scheduler_runs" ("running_on");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_job_done" ON "scheduler_runs" ("job_name", "completed_us");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_done" ON "scheduler_runs" ("completed_us");
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_sched" ON "scheduler_runs" ("scheduled_us" DESC, "sequence_no" DESC);
CREATE INDEX IF NOT EXISTS "idx_scheduler_runs_job_sched" ON "scheduler_runs" ("job_name", "scheduled_us" DESC, "sequence_no" DESC);

-- Processes that serve.
CREATE TABLE IF NOT EXISTS "scheduler_nodes" (
    "node_id" text NOT NULL,
    "incarnation" integer NOT NULL,
    "heartbeat_us" integer NOT NULL,
    "started_us" integer NOT NULL,
    "timeout_ms" integer NOT NULL,
    "heartbeat_ms" integer NOT NULL,
    "host" text,
    "boot_id" text,
    "pid_namespace" text,
    "process_id" integer,
    "version" integer NOT NULL,
    PRIMARY KEY ("node_id")
);

-- Leases: the leader's, and the application's own.
CREATE TABLE IF NOT EXISTS "scheduler_leases" (
    "lease_name" text NOT NULL,
    "holder" text NOT NULL,
    "token" text NOT NULL,
    "ttl_ms" integer NOT NULL,
    "expires_us" integer NOT NULL,
    "fence" integer NOT NULL,
    "version" integer NOT NULL,
    PRIMARY KEY ("lease_name")
);
