-- ==== Now
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';

-- ==== Due
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME()), (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0)';

-- ==== Claim
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (2) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= @p1
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "active_run_id" = v."active_run_id", "fence" = v."fence", "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id", o."fence"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "active_run_id" nvarchar(36) '$[1]', "fence" bigint '$[2]') AS o) AS v ON t."job_name" = v."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = v."trigger_state", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]', "is_exclusive" smallint '$[2]', "scheduled_us" bigint '$[3]', "next_fire_us" bigint '$[4]', "prev_fire_us" bigint '$[5]', "fire_count" bigint '$[6]', "claim_id" bigint '$[7]', "claimed_by" nvarchar(128) '$[8]', "incarnation" bigint '$[9]', "claimed_us" bigint '$[10]', "error_code" nvarchar(64) '$[11]', "error_text" nvarchar(max) '$[12]', "zone_hash" nvarchar(64) '$[13]') AS o) AS v ON t."trigger_key" = v."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version") SELECT v."run_id", v."job_name", v."trigger_name", v."run_kind", v."run_state", v."running_on", v."node_id", v."incarnation", v."scheduled_us", v."started_us", v."completed_us", v."attempt", v."retry_of", v."cancel_requested_us", v."fence", v."sequence_no", v."run_data", v."run_result", v."error_code", v."error_text", v."version"
  FROM (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", o."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."version"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_data" nvarchar(max) '$[16]', "run_result" nvarchar(max) '$[17]', "error_code" nvarchar(64) '$[18]', "error_text" nvarchar(max) '$[19]', "version" bigint '$[20]') AS o) AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (500) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (500) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= @p2)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Acquire
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (6) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= @p1
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = 2, "claim_id" = @p1, "claimed_by" = @p2, "incarnation" = @p3, "claimed_us" = @p4, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p5) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Begin
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = v."trigger_state", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]', "is_exclusive" smallint '$[2]', "scheduled_us" bigint '$[3]', "next_fire_us" bigint '$[4]', "prev_fire_us" bigint '$[5]', "fire_count" bigint '$[6]', "claim_id" bigint '$[7]', "claimed_by" nvarchar(128) '$[8]', "incarnation" bigint '$[9]', "claimed_us" bigint '$[10]', "error_code" nvarchar(64) '$[11]', "error_text" nvarchar(max) '$[12]', "zone_hash" nvarchar(64) '$[13]') AS o) AS v ON t."trigger_key" = v."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (500) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (500) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= @p2)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Start
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "active_run_id" = v."active_run_id", "fence" = v."fence", "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id", o."fence"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "active_run_id" nvarchar(36) '$[1]', "fence" bigint '$[2]') AS o) AS v ON t."job_name" = v."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version") SELECT v."run_id", v."job_name", v."trigger_name", v."run_kind", v."run_state", v."running_on", v."node_id", v."incarnation", v."scheduled_us", v."started_us", v."completed_us", v."attempt", v."retry_of", v."cancel_requested_us", v."fence", v."sequence_no", v."run_data", v."run_result", v."error_code", v."error_text", v."version"
  FROM (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", x."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."version"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_result" nvarchar(max) '$[16]', "error_code" nvarchar(64) '$[17]', "error_text" nvarchar(max) '$[18]', "version" bigint '$[19]', "text_no" int '$[20]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max)))) AS x("text_no", "run_data") ON x."text_no" = o."text_no") AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (500) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (500) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= @p2)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Complete
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" = @p1 AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p1
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = @p1, "is_exclusive" = @p2, "scheduled_us" = @p3, "next_fire_us" = @p4, "prev_fire_us" = @p5, "fire_count" = @p6, "claim_id" = @p7, "claimed_by" = @p8, "incarnation" = @p9, "claimed_us" = @p10, "error_code" = @p11, "error_text" = @p12, "zone_hash" = @p13, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p14;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "run_state" = v."run_state", "completed_us" = v."completed_us", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "running_on" = NULL, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."run_state", o."completed_us", x."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", x."error_text"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "run_state" smallint '$[1]', "completed_us" bigint '$[2]', "error_code" nvarchar(64) '$[3]', "text_no" int '$[4]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max)), CAST(@p3 AS nvarchar(max))), (1, @p4, @p5), (2, @p6, @p7), (3, @p8, @p9)) AS x("text_no", "run_result", "error_text") ON x."text_no" = o."text_no") AS v ON t."run_id" = v."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  VALUES (@p1, @p2, @p3, @p4, @p5, @p6, @p7, @p8, @p9, @p10, @p11, @p12, @p13, @p14, @p15, @p16, @p17, @p18, @p19, @p20, @p21, @p22, @p23, @p24, @p25, @p26, @p27, @p28);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== Release
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p1
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = @p1, "is_exclusive" = @p2, "scheduled_us" = @p3, "next_fire_us" = @p4, "prev_fire_us" = @p5, "fire_count" = @p6, "claim_id" = @p7, "claimed_by" = @p8, "incarnation" = @p9, "claimed_us" = @p10, "error_code" = @p11, "error_text" = @p12, "zone_hash" = @p13, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p14;
COMMIT;

-- ==== Inflight
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = @p1 AND r."incarnation" = @p2;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND t."claimed_by" = @p1 AND t."incarnation" = @p2 AND t."next_fire_us" IS NOT NULL;

-- ==== Record
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version") SELECT v."run_id", v."job_name", v."trigger_name", v."run_kind", v."run_state", v."running_on", v."node_id", v."incarnation", v."scheduled_us", v."started_us", v."completed_us", v."attempt", v."retry_of", v."cancel_requested_us", v."fence", v."sequence_no", v."run_data", v."run_result", v."error_code", v."error_text", v."version"
  FROM (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", o."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", x."error_text", o."version"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_data" nvarchar(max) '$[16]', "run_result" nvarchar(max) '$[17]', "error_code" nvarchar(64) '$[18]', "version" bigint '$[19]', "text_no" int '$[20]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max)))) AS x("text_no", "error_text") ON x."text_no" = o."text_no") AS v;
COMMIT;

-- ==== Record again
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "job_name" = v."job_name", "trigger_name" = v."trigger_name", "run_kind" = v."run_kind", "run_state" = v."run_state", "running_on" = v."running_on", "node_id" = v."node_id", "incarnation" = v."incarnation", "scheduled_us" = v."scheduled_us", "started_us" = v."started_us", "completed_us" = v."completed_us", "attempt" = v."attempt", "retry_of" = v."retry_of", "cancel_requested_us" = v."cancel_requested_us", "fence" = v."fence", "sequence_no" = v."sequence_no", "run_data" = v."run_data", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", o."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_data" nvarchar(max) '$[16]', "run_result" nvarchar(max) '$[17]', "error_code" nvarchar(64) '$[18]', "error_text" nvarchar(max) '$[19]') AS o) AS v ON t."run_id" = v."run_id";
COMMIT;

-- ==== Sweep
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (101) r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation") IS NULL';
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (101) t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation") IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT TOP (1) 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '''') = t."job_name" AND r."trigger_name" = t."trigger_name") IS NULL)';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (101) j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE (SELECT TOP (1) 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 3 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NOT NULL AND (j."allow_concurrent" = 1 OR NOT COALESCE((SELECT r."run_state"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = j."active_run_id"), 0) = 1 AND (SELECT TOP (1) 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 2 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NULL AND (SELECT TOP (1) 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= @p1
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NULL);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = v."trigger_state", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]', "is_exclusive" smallint '$[2]', "scheduled_us" bigint '$[3]', "next_fire_us" bigint '$[4]', "prev_fire_us" bigint '$[5]', "fire_count" bigint '$[6]', "claim_id" bigint '$[7]', "claimed_by" nvarchar(128) '$[8]', "incarnation" bigint '$[9]', "claimed_us" bigint '$[10]', "error_code" nvarchar(64) '$[11]', "error_text" nvarchar(max) '$[12]', "zone_hash" nvarchar(64) '$[13]') AS o) AS v ON t."trigger_key" = v."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "run_state" = v."run_state", "completed_us" = v."completed_us", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "running_on" = NULL, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."run_state", o."completed_us", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text"
  FROM OPENJSON(@p1) WITH ("run_id" nvarchar(36) '$[0]', "run_state" smallint '$[1]', "completed_us" bigint '$[2]', "run_result" nvarchar(max) '$[3]', "error_code" nvarchar(64) '$[4]', "error_text" nvarchar(max) '$[5]') AS o) AS v ON t."run_id" = v."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", o."trigger_description", o."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "trigger_description" nvarchar(max) '$[3]', "trigger_data" nvarchar(max) '$[4]', "priority" int '$[5]', "misfire_policy" smallint '$[6]', "trigger_state" smallint '$[7]', "paused" smallint '$[8]', "is_local" smallint '$[9]', "is_exclusive" smallint '$[10]', "scheduled_us" bigint '$[11]', "next_fire_us" bigint '$[12]', "prev_fire_us" bigint '$[13]', "fire_count" bigint '$[14]', "claim_id" bigint '$[15]', "claimed_by" nvarchar(128) '$[16]', "incarnation" bigint '$[17]', "claimed_us" bigint '$[18]', "run_as" smallint '$[19]', "attempt" int '$[20]', "retry_of" nvarchar(36) '$[21]', "expires_us" bigint '$[22]', "error_code" nvarchar(64) '$[23]', "error_text" nvarchar(max) '$[24]', "zone_hash" nvarchar(64) '$[25]', "version" bigint '$[26]', "text_no" int '$[27]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max))), (1, @p3), (2, @p4), (3, @p5)) AS x("text_no", "schedule_text") ON x."text_no" = o."text_no") AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== Enqueue
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT v."trigger_key", 1 - j."allow_concurrent", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Enqueue what is free
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT v."trigger_key", 1 - j."allow_concurrent", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", x."trigger_description", x."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "priority" int '$[3]', "misfire_policy" smallint '$[4]', "trigger_state" smallint '$[5]', "paused" smallint '$[6]', "is_local" smallint '$[7]', "is_exclusive" smallint '$[8]', "scheduled_us" bigint '$[9]', "next_fire_us" bigint '$[10]', "prev_fire_us" bigint '$[11]', "fire_count" bigint '$[12]', "claim_id" bigint '$[13]', "claimed_by" nvarchar(128) '$[14]', "incarnation" bigint '$[15]', "claimed_us" bigint '$[16]', "run_as" smallint '$[17]', "attempt" int '$[18]', "retry_of" nvarchar(36) '$[19]', "expires_us" bigint '$[20]', "error_code" nvarchar(64) '$[21]', "error_text" nvarchar(max) '$[22]', "zone_hash" nvarchar(64) '$[23]', "version" bigint '$[24]', "text_no" int '$[25]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max)), CAST(@p3 AS nvarchar(max)), CAST(@p4 AS nvarchar(max))), (1, @p5, @p6, @p7), (2, @p8, @p9, @p10), (3, @p11, @p12, @p13)) AS x("text_no", "schedule_text", "trigger_description", "trigger_data") ON x."text_no" = o."text_no") AS v;
COMMIT;

-- ==== Enqueue in the application's transaction
BEGIN DEFAULT;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF; SELECT v."trigger_key", 1 - j."allow_concurrent", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", x."trigger_description", x."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "priority" int '$[3]', "misfire_policy" smallint '$[4]', "trigger_state" smallint '$[5]', "paused" smallint '$[6]', "is_local" smallint '$[7]', "is_exclusive" smallint '$[8]', "scheduled_us" bigint '$[9]', "next_fire_us" bigint '$[10]', "prev_fire_us" bigint '$[11]', "fire_count" bigint '$[12]', "claim_id" bigint '$[13]', "claimed_by" nvarchar(128) '$[14]', "incarnation" bigint '$[15]', "claimed_us" bigint '$[16]', "run_as" smallint '$[17]', "attempt" int '$[18]', "retry_of" nvarchar(36) '$[19]', "expires_us" bigint '$[20]', "error_code" nvarchar(64) '$[21]', "error_text" nvarchar(max) '$[22]', "zone_hash" nvarchar(64) '$[23]', "version" bigint '$[24]', "text_no" int '$[25]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max)), CAST(@p3 AS nvarchar(max)), CAST(@p4 AS nvarchar(max))), (1, @p5, @p6, @p7), (2, @p8, @p9, @p10), (3, @p11, @p12, @p13)) AS x("text_no", "schedule_text", "trigger_description", "trigger_data") ON x."text_no" = o."text_no") AS v;
ROLLBACK;

-- ==== Register
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT n."node_id", n."incarnation", n."heartbeat_us", n."started_us", n."timeout_ms", n."heartbeat_ms", n."host", n."boot_id", n."pid_namespace", n."process_id", n."version"
  FROM "scheduler_nodes" AS n WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE n."node_id" = @p1;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT MAX(v."incarnation")
  FROM (SELECT "incarnation"
  FROM "scheduler_runs"
  WHERE "running_on" = @p1 UNION ALL SELECT "incarnation"
  FROM "scheduler_triggers"
  WHERE "trigger_state" = 2 AND "claimed_by" = @p2) AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_nodes" ("node_id", "incarnation", "heartbeat_us", "started_us", "timeout_ms", "heartbeat_ms", "host", "boot_id", "pid_namespace", "process_id", "version")
  VALUES (@p1, @p2, @p3, @p4, @p5, @p6, @p7, @p8, @p9, @p10, @p11);
COMMIT;

-- ==== Heartbeat
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE "scheduler_nodes"
  SET "heartbeat_us" = @p1, "version" = "version" + 1
  WHERE "node_id" = @p2 AND "incarnation" = @p3;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT "node_id", "incarnation", "heartbeat_us", "started_us", "timeout_ms", "heartbeat_ms", "host", "boot_id", "pid_namespace", "process_id", "version"
  FROM "scheduler_nodes"
  ORDER BY "node_id"';
COMMIT;

-- ==== ListNodes
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT "node_id", "incarnation", "heartbeat_us", "started_us", "timeout_ms", "heartbeat_ms", "host", "boot_id", "pid_namespace", "process_id", "version"
  FROM "scheduler_nodes"
  ORDER BY "node_id"';

-- ==== Convict
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; DELETE
  FROM "scheduler_nodes"
  WHERE "node_id" = @p1 AND "incarnation" = @p2 AND "heartbeat_us" = @p3 AND "heartbeat_us" + "timeout_ms" * 1000 < @p4;
COMMIT;

-- ==== Deregister
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; DELETE
  FROM "scheduler_nodes"
  WHERE "node_id" = @p1 AND "incarnation" = @p2;
COMMIT;

-- ==== Election.TryAcquire
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT l."lease_name", l."holder", l."token", l."ttl_ms", l."expires_us", l."fence", l."version"
  FROM "scheduler_leases" AS l WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE l."lease_name" = @p1;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; INSERT INTO "scheduler_leases" ("lease_name", "holder", "token", "ttl_ms", "expires_us", "fence", "version")
  VALUES (@p1, @p2, @p3, @p4, @p5, @p6, @p7);
COMMIT;

-- ==== Election.TryAcquire after another
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT l."lease_name", l."holder", l."token", l."ttl_ms", l."expires_us", l."fence", l."version"
  FROM "scheduler_leases" AS l WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE l."lease_name" = @p1;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE t
  SET "holder" = @p1, "token" = @p2, "ttl_ms" = @p3, "expires_us" = @p4, "fence" = @p5, "version" = @p6
  FROM "scheduler_leases" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."lease_name" = @p7;
COMMIT;

-- ==== Election.Renew
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; UPDATE "scheduler_leases"
  SET "expires_us" = @p1 + "ttl_ms" * 1000, "version" = "version" + 1
  WHERE "lease_name" = @p2 AND "token" = @p3 AND "expires_us" > @p4;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT l."lease_name", l."holder", l."token", l."ttl_ms", l."expires_us", l."fence", l."version"
  FROM "scheduler_leases" AS l
  WHERE l."lease_name" = @p1;
COMMIT;

-- ==== Election.Inspect
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT l."lease_name", l."holder", l."token", l."ttl_ms", l."expires_us", l."fence", l."version"
  FROM "scheduler_leases" AS l
  WHERE l."lease_name" = @p1;
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';

-- ==== Election.Release
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; DELETE
  FROM "scheduler_leases"
  WHERE "lease_name" = @p1 AND "token" = @p2;
COMMIT;

-- ==== SaveJobs, new
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (XLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; INSERT INTO "scheduler_jobs" ("job_name", "handler_key", "job_description", "job_data", "allow_concurrent", "every_instance", "requests_recovery", "paused", "max_retries", "retry_delay_ms", "retry_max_delay_ms", "retry_backoff", "timeout_ms", "active_run_id", "fence", "job_source", "fingerprint", "code_version", "version") SELECT v."job_name", v."handler_key", v."job_description", v."job_data", v."allow_concurrent", v."every_instance", v."requests_recovery", v."paused", v."max_retries", v."retry_delay_ms", v."retry_max_delay_ms", v."retry_backoff", v."timeout_ms", v."active_run_id", v."fence", v."job_source", v."fingerprint", v."code_version", v."version"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."handler_key" COLLATE Latin1_General_100_BIN2 AS "handler_key", o."job_description", o."job_data", o."allow_concurrent", o."every_instance", o."requests_recovery", o."paused", o."max_retries", o."retry_delay_ms", o."retry_max_delay_ms", o."retry_backoff", o."timeout_ms", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id", o."fence", o."job_source", o."fingerprint" COLLATE Latin1_General_100_BIN2 AS "fingerprint", o."code_version", o."version"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "handler_key" nvarchar(128) '$[1]', "job_description" nvarchar(max) '$[2]', "job_data" nvarchar(max) '$[3]', "allow_concurrent" smallint '$[4]', "every_instance" smallint '$[5]', "requests_recovery" smallint '$[6]', "paused" smallint '$[7]', "max_retries" int '$[8]', "retry_delay_ms" bigint '$[9]', "retry_max_delay_ms" bigint '$[10]', "retry_backoff" smallint '$[11]', "timeout_ms" bigint '$[12]', "active_run_id" nvarchar(36) '$[13]', "fence" bigint '$[14]', "job_source" smallint '$[15]', "fingerprint" nvarchar(128) '$[16]', "code_version" bigint '$[17]', "version" bigint '$[18]') AS o) AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."trigger_name", t."job_name", t."is_exclusive", t."paused"
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", o."trigger_description", o."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "trigger_description" nvarchar(max) '$[3]', "trigger_data" nvarchar(max) '$[4]', "priority" int '$[5]', "misfire_policy" smallint '$[6]', "trigger_state" smallint '$[7]', "paused" smallint '$[8]', "is_local" smallint '$[9]', "is_exclusive" smallint '$[10]', "scheduled_us" bigint '$[11]', "next_fire_us" bigint '$[12]', "prev_fire_us" bigint '$[13]', "fire_count" bigint '$[14]', "claim_id" bigint '$[15]', "claimed_by" nvarchar(128) '$[16]', "incarnation" bigint '$[17]', "claimed_us" bigint '$[18]', "run_as" smallint '$[19]', "attempt" int '$[20]', "retry_of" nvarchar(36) '$[21]', "expires_us" bigint '$[22]', "error_code" nvarchar(64) '$[23]', "error_text" nvarchar(max) '$[24]', "zone_hash" nvarchar(64) '$[25]', "version" bigint '$[26]', "text_no" int '$[27]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max))), (1, @p3), (2, @p4), (3, @p5)) AS x("text_no", "schedule_text") ON x."text_no" = o."text_no") AS v;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT r."job_name", r."run_id", r."started_us", r."sequence_no"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE r."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND r."completed_us" IS NULL
  ORDER BY r."run_id";
COMMIT;

-- ==== SaveJobs, replacing
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (XLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "handler_key" = v."handler_key", "job_description" = v."job_description", "job_data" = v."job_data", "allow_concurrent" = v."allow_concurrent", "every_instance" = v."every_instance", "requests_recovery" = v."requests_recovery", "max_retries" = v."max_retries", "retry_delay_ms" = v."retry_delay_ms", "retry_max_delay_ms" = v."retry_max_delay_ms", "retry_backoff" = v."retry_backoff", "timeout_ms" = v."timeout_ms", "active_run_id" = v."active_run_id", "job_source" = v."job_source", "fingerprint" = v."fingerprint", "code_version" = v."code_version", "version" = v."version"
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."handler_key" COLLATE Latin1_General_100_BIN2 AS "handler_key", o."job_description", o."job_data", o."allow_concurrent", o."every_instance", o."requests_recovery", o."paused", o."max_retries", o."retry_delay_ms", o."retry_max_delay_ms", o."retry_backoff", o."timeout_ms", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id", o."fence", o."job_source", o."fingerprint" COLLATE Latin1_General_100_BIN2 AS "fingerprint", o."code_version", o."version"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "handler_key" nvarchar(128) '$[1]', "job_description" nvarchar(max) '$[2]', "job_data" nvarchar(max) '$[3]', "allow_concurrent" smallint '$[4]', "every_instance" smallint '$[5]', "requests_recovery" smallint '$[6]', "paused" smallint '$[7]', "max_retries" int '$[8]', "retry_delay_ms" bigint '$[9]', "retry_max_delay_ms" bigint '$[10]', "retry_backoff" smallint '$[11]', "timeout_ms" bigint '$[12]', "active_run_id" nvarchar(36) '$[13]', "fence" bigint '$[14]', "job_source" smallint '$[15]', "fingerprint" nvarchar(128) '$[16]', "code_version" bigint '$[17]', "version" bigint '$[18]') AS o) AS v ON t."job_name" = v."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."trigger_name", t."job_name", t."is_exclusive", t."paused"
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; DELETE t
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p1;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "schedule_text" = @p1, "trigger_description" = @p2, "trigger_data" = @p3, "priority" = @p4, "misfire_policy" = @p5, "trigger_state" = @p6, "paused" = @p7, "is_local" = @p8, "is_exclusive" = @p9, "scheduled_us" = @p10, "next_fire_us" = @p11, "prev_fire_us" = @p12, "fire_count" = @p13, "claim_id" = @p14, "claimed_by" = @p15, "incarnation" = @p16, "claimed_us" = @p17, "run_as" = @p18, "attempt" = @p19, "retry_of" = @p20, "expires_us" = @p21, "error_code" = @p22, "error_text" = @p23, "zone_hash" = @p24, "version" = @p25
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p26;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  VALUES (@p1, @p2, @p3, @p4, @p5, @p6, @p7, @p8, @p9, @p10, @p11, @p12, @p13, @p14, @p15, @p16, @p17, @p18, @p19, @p20, @p21, @p22, @p23, @p24, @p25, @p26, @p27, @p28);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT r."job_name", r."run_id", r."started_us", r."sequence_no"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE r."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k) AND r."completed_us" IS NULL
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "active_run_id" = v."active_run_id"
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "active_run_id" nvarchar(36) '$[1]') AS o) AS v ON t."job_name" = v."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT TOP (1073741824) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (1073741824) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== DeleteJobs
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (XLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."trigger_name", t."job_name", t."is_exclusive", t."paused"
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; DELETE t
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; DELETE t
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== AddTriggers
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" = @p1
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" = @p1;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = @p1
  ORDER BY t."trigger_key";
COMMIT;

-- ==== RemoveTriggers
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; DELETE t
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== Reschedule
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "schedule_text" = v."schedule_text", "trigger_description" = v."trigger_description", "trigger_data" = v."trigger_data", "priority" = v."priority", "misfire_policy" = v."misfire_policy", "trigger_state" = v."trigger_state", "paused" = v."paused", "is_local" = v."is_local", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "run_as" = v."run_as", "attempt" = v."attempt", "retry_of" = v."retry_of", "expires_us" = v."expires_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = v."version"
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", o."trigger_description", o."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "trigger_description" nvarchar(max) '$[3]', "trigger_data" nvarchar(max) '$[4]', "priority" int '$[5]', "misfire_policy" smallint '$[6]', "trigger_state" smallint '$[7]', "paused" smallint '$[8]', "is_local" smallint '$[9]', "is_exclusive" smallint '$[10]', "scheduled_us" bigint '$[11]', "next_fire_us" bigint '$[12]', "prev_fire_us" bigint '$[13]', "fire_count" bigint '$[14]', "claim_id" bigint '$[15]', "claimed_by" nvarchar(128) '$[16]', "incarnation" bigint '$[17]', "claimed_us" bigint '$[18]', "run_as" smallint '$[19]', "attempt" int '$[20]', "retry_of" nvarchar(36) '$[21]', "expires_us" bigint '$[22]', "error_code" nvarchar(64) '$[23]', "error_text" nvarchar(max) '$[24]', "zone_hash" nvarchar(64) '$[25]', "version" bigint '$[26]', "text_no" int '$[27]') AS o
  LEFT JOIN (VALUES (0, CAST(@p2 AS nvarchar(max))), (1, @p3), (2, @p4), (3, @p5)) AS x("text_no", "schedule_text") ON x."text_no" = o."text_no") AS v ON t."trigger_key" = v."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== PauseJobs
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 1, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."trigger_name", t."job_name", t."is_exclusive", t."paused"
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."paused"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 1, "version" = t."version" + 1, "trigger_state" = CASE WHEN t."trigger_state" = 1 THEN 4 ELSE t."trigger_state" END
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== ResumeJobs
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 0, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."trigger_name", t."job_name", t."is_exclusive", t."paused"
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."paused"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 0, "version" = t."version" + 1, "scheduled_us" = CASE WHEN t."trigger_state" = 4 AND t."scheduled_us" IS NULL AND t."is_local" = 0 THEN @p1 ELSE t."scheduled_us" END, "next_fire_us" = CASE WHEN t."trigger_state" = 4 AND t."next_fire_us" IS NULL AND t."is_local" = 0 THEN @p2 ELSE t."next_fire_us" END, "trigger_state" = CASE WHEN t."trigger_state" = 4 THEN 1 ELSE t."trigger_state" END
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p3) AS k);
COMMIT;

-- ==== PauseTriggers
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."paused"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 1, "version" = t."version" + 1, "trigger_state" = CASE WHEN t."trigger_state" = 1 THEN 4 ELSE t."trigger_state" END
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(@p1) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
COMMIT;

-- ==== ResumeTriggers
BEGIN READ COMMITTED;
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."paused"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "paused" = 0, "version" = t."version" + 1, "scheduled_us" = CASE WHEN t."trigger_state" = 4 AND t."scheduled_us" IS NULL AND t."is_local" = 0 THEN @p1 ELSE t."scheduled_us" END, "next_fire_us" = CASE WHEN t."trigger_state" = 4 AND t."next_fire_us" IS NULL AND t."is_local" = 0 THEN @p2 ELSE t."next_fire_us" END, "trigger_state" = CASE WHEN t."trigger_state" = 4 THEN 1 ELSE t."trigger_state" END
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p3) AS k);
COMMIT;

-- ==== RequestCancel
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."run_state", r."cancel_requested_us"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 5000; UPDATE t
  SET "cancel_requested_us" = @p1, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" = @p2;
COMMIT;

-- ==== Jobs
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY j."job_name";

-- ==== ListJobs
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT TOP (10) j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" > @p1
  ORDER BY j."job_name";

-- ==== Triggers
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY t."trigger_key";

-- ==== ListTriggers
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT TOP (10) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" > @p1 AND t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p2) AS k) AND t."trigger_state" IN (SELECT CAST(k.value AS smallint)
  FROM OPENJSON(@p3) AS k) AND t."is_local" = 1
  ORDER BY t."trigger_key";

-- ==== Runs
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  ORDER BY r."scheduled_us" DESC, r."sequence_no" DESC, r."run_id" OFFSET @p1 ROWS FETCH NEXT @p2 ROWS ONLY;

-- ==== Runs, filtered
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."job_name" = @p1 AND r."trigger_name" = @p2 AND r."node_id" = @p3 AND r."run_state" IN (SELECT CAST(k.value AS smallint)
  FROM OPENJSON(@p4) AS k) AND r."scheduled_us" >= @p5 AND r."scheduled_us" < @p6 AND r."error_code" IS NOT NULL
  ORDER BY r."scheduled_us" DESC, r."sequence_no" DESC, r."run_id" OFFSET @p7 ROWS FETCH NEXT @p8 ROWS ONLY;

-- ==== CountRuns
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT COUNT(*)
  FROM "scheduler_runs" AS r
  WHERE r."error_code" IS NULL';

-- ==== RunsByID
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."run_id";

-- ==== RunningRuns
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND r."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k)
  ORDER BY r."started_us", r."run_id";

-- ==== LatestRuns
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(@p1) WITH ("job_name" nvarchar(128) '$[0]') AS o) AS v
  JOIN "scheduler_runs" AS r ON r."run_id" = (SELECT TOP (1) b."run_id"
  FROM "scheduler_runs" AS b
  WHERE b."job_name" = v."job_name" AND b."completed_us" IS NOT NULL
  ORDER BY b."completed_us" DESC, b."run_id" DESC)
  ORDER BY r."job_name";

-- ==== PurgeRuns
BEGIN READ COMMITTED;
EXEC sys.sp_executesql N'SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; SELECT TOP (500) r."run_id"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."completed_us" < @p1
  ORDER BY r."completed_us";
SET NOCOUNT OFF;
  SET XACT_ABORT OFF;
  SET LOCK_TIMEOUT 2000; DELETE t
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(@p1) AS k);
COMMIT;

-- ==== Health
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT l."lease_name", l."holder", l."token", l."ttl_ms", l."expires_us", l."fence", l."version"
  FROM "scheduler_leases" AS l
  WHERE l."lease_name" = @p1;
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT DATEDIFF_BIG(MICROSECOND, ''1970-01-01'', SYSUTCDATETIME())';
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT MIN("next_fire_us")
  FROM "scheduler_triggers" WITH (READPAST, READCOMMITTEDLOCK)
  WHERE "trigger_state" = 1 AND "is_local" = 0 AND "next_fire_us" <= @p1;

-- ==== Provision, nothing there
EXEC sys.sp_executesql N'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CAST(PARSENAME(CAST(SERVERPROPERTY(''ProductVersion'') AS nvarchar(128)), 4) AS int), CAST(SERVERPROPERTY(''EngineEdition'') AS int),
  CAST(b.compatibility_level AS int), b.is_read_committed_snapshot_on,
  @@OPTIONS
  FROM sys.databases AS b
  WHERE b.database_id = DB_ID()';
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  SET LOCK_TIMEOUT 5000; SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
BEGIN READ COMMITTED;
DECLARE @answer int; EXEC @answer = sys.sp_getapplock @p1, N'Exclusive', N'Transaction', 60000; IF @answer < 0 RAISERROR (N'another node is changing the schema', 16, 1);
SELECT CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4) AS int), CAST(SERVERPROPERTY('EngineEdition') AS int),
  CAST(b.compatibility_level AS int), b.is_read_committed_snapshot_on,
  @@OPTIONS
  FROM sys.databases AS b
  WHERE b.database_id = DB_ID();
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
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
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_due"', 1))
CREATE INDEX "idx_scheduler_triggers_due" ON "scheduler_triggers" ("trigger_state", "is_local", "next_fire_us", "priority" DESC, "trigger_key");
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_name"', 1))
CREATE UNIQUE INDEX "idx_scheduler_triggers_name" ON "scheduler_triggers" ("job_name", "trigger_name");
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_triggers"') AND name = PARSENAME(N'"idx_scheduler_triggers_handback"', 1))
CREATE INDEX "idx_scheduler_triggers_handback" ON "scheduler_triggers" ("job_name", "trigger_state", "next_fire_us", "priority" DESC, "trigger_key");
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
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_running"', 1))
CREATE INDEX "idx_scheduler_runs_running" ON "scheduler_runs" ("running_on");
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_job_done"', 1))
CREATE INDEX "idx_scheduler_runs_job_done" ON "scheduler_runs" ("job_name", "completed_us");
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_done"', 1))
CREATE INDEX "idx_scheduler_runs_done" ON "scheduler_runs" ("completed_us");
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_sched"', 1))
CREATE INDEX "idx_scheduler_runs_sched" ON "scheduler_runs" ("scheduled_us" DESC, "sequence_no" DESC);
IF NOT EXISTS (SELECT 1
  FROM sys.indexes
  WHERE object_id = OBJECT_ID(N'"scheduler_runs"') AND name = PARSENAME(N'"idx_scheduler_runs_job_sched"', 1))
CREATE INDEX "idx_scheduler_runs_job_sched" ON "scheduler_runs" ("job_name", "scheduled_us" DESC, "sequence_no" DESC);
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
SELECT CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), 4) AS int), CAST(SERVERPROPERTY('EngineEdition') AS int),
  CAST(b.compatibility_level AS int), b.is_read_committed_snapshot_on,
  @@OPTIONS
  FROM sys.databases AS b
  WHERE b.database_id = DB_ID();
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
SELECT CASE o.type WHEN 'U' THEN 'table' WHEN 'V' THEN 'view' ELSE 'object of type ' + RTRIM(o.type) END,
  (SELECT COUNT(*)
  FROM sys.indexes AS i
  WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.ignore_dup_key = 1),
  COALESCE((SELECT MIN(g.name)
  FROM sys.triggers AS g
  WHERE g.parent_id = o.object_id AND g.is_disabled = 0), '')
FROM sys.objects AS o
  WHERE o.object_id = OBJECT_ID(QUOTENAME(@p1));
COMMIT;

