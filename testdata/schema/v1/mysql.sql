-- gormsched, schema version 1, MySQL and MariaDB.
-- Instants are UTC microseconds since the epoch (_us), durations milliseconds (_ms).
-- Flags are 0 or 1; enumerations are the numbers of package provider.
-- Indexes stand in the table: so each statement can be run again, and by several nodes at once.

-- Jobs, by name.
CREATE TABLE IF NOT EXISTS `scheduler_jobs` (
    `job_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `handler_key` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `job_description` longtext CHARACTER SET utf8mb4,
    `job_data` longtext CHARACTER SET utf8mb4,
    `allow_concurrent` smallint NOT NULL,
    `every_instance` smallint NOT NULL,
    `requests_recovery` smallint NOT NULL,
    `paused` smallint NOT NULL,
    `max_retries` int,
    `retry_delay_ms` bigint,
    `retry_max_delay_ms` bigint,
    `retry_backoff` smallint,
    `timeout_ms` bigint,
    `active_run_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin,
    `fence` bigint NOT NULL,
    `job_source` smallint NOT NULL,
    `fingerprint` varchar(128) CHARACTER SET ascii COLLATE ascii_bin,
    `code_version` bigint NOT NULL,
    `version` bigint NOT NULL,
    PRIMARY KEY (`job_name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Triggers, by "job/trigger".
CREATE TABLE IF NOT EXISTS `scheduler_triggers` (
    `trigger_key` varchar(257) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `job_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `trigger_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `schedule_text` longtext CHARACTER SET utf8mb4 NOT NULL,
    `trigger_description` longtext CHARACTER SET utf8mb4,
    `trigger_data` longtext CHARACTER SET utf8mb4,
    `priority` int NOT NULL,
    `misfire_policy` smallint NOT NULL,
    `trigger_state` smallint NOT NULL,
    `paused` smallint NOT NULL,
    `is_local` smallint NOT NULL,
    `is_exclusive` smallint NOT NULL,
    `scheduled_us` bigint,
    `next_fire_us` bigint,
    `prev_fire_us` bigint,
    `fire_count` bigint NOT NULL,
    `claim_id` bigint,
    `claimed_by` varchar(128) CHARACTER SET ascii COLLATE ascii_bin,
    `incarnation` bigint,
    `claimed_us` bigint,
    `run_as` smallint NOT NULL,
    `attempt` int,
    `retry_of` varchar(36) CHARACTER SET ascii COLLATE ascii_bin,
    `expires_us` bigint,
    `error_code` varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    `error_text` longtext CHARACTER SET utf8mb4,
    `zone_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    `version` bigint NOT NULL,
    PRIMARY KEY (`trigger_key`),
    INDEX `idx_scheduler_triggers_due` (`trigger_state`, `is_local`, `next_fire_us`, `priority` DESC, `trigger_key`),
    UNIQUE INDEX `idx_scheduler_triggers_name` (`job_name`, `trigger_name`),
    INDEX `idx_scheduler_triggers_handback` (`job_name`, `trigger_state`, `next_fire_us`, `priority` DESC, `trigger_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Runs: running ones and history.
CREATE TABLE IF NOT EXISTS `scheduler_runs` (
    `run_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `job_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `trigger_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `run_kind` smallint NOT NULL,
    `run_state` smallint NOT NULL,
    `running_on` varchar(128) CHARACTER SET ascii COLLATE ascii_bin,
    `node_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `incarnation` bigint NOT NULL,
    `scheduled_us` bigint NOT NULL,
    `started_us` bigint NOT NULL,
    `completed_us` bigint,
    `attempt` int,
    `retry_of` varchar(36) CHARACTER SET ascii COLLATE ascii_bin,
    `cancel_requested_us` bigint,
    `fence` bigint NOT NULL,
    `sequence_no` bigint NOT NULL,
    `run_data` longtext CHARACTER SET utf8mb4,
    `run_result` longtext CHARACTER SET utf8mb4,
    `error_code` varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    `error_text` longtext CHARACTER SET utf8mb4,
    `version` bigint NOT NULL,
    PRIMARY KEY (`run_id`),
    INDEX `idx_scheduler_runs_running` (`running_on`),
    INDEX `idx_scheduler_runs_job_done` (`job_name`, `completed_us`),
    INDEX `idx_scheduler_runs_done` (`completed_us`),
    INDEX `idx_scheduler_runs_sched` (`scheduled_us` DESC, `sequence_no` DESC),
    INDEX `idx_scheduler_runs_job_sched` (`job_name`, `scheduled_us` DESC, `sequence_no` DESC)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Processes that serve.
CREATE TABLE IF NOT EXISTS `scheduler_nodes` (
    `node_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `incarnation` bigint NOT NULL,
    `heartbeat_us` bigint NOT NULL,
    `started_us` bigint NOT NULL,
    `timeout_ms` bigint NOT NULL,
    `heartbeat_ms` bigint NOT NULL,
    `host` varchar(255) CHARACTER SET ascii COLLATE ascii_bin,
    `boot_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    `pid_namespace` varchar(64) CHARACTER SET ascii COLLATE ascii_bin,
    `process_id` bigint,
    `version` bigint NOT NULL,
    PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Leases: the leader's, and the application's own.
CREATE TABLE IF NOT EXISTS `scheduler_leases` (
    `lease_name` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `holder` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `token` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    `ttl_ms` bigint NOT NULL,
    `expires_us` bigint NOT NULL,
    `fence` bigint NOT NULL,
    `version` bigint NOT NULL,
    PRIMARY KEY (`lease_name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
