-- the clock
SELECT DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME());

-- candidates, 0 jobs excluded, locked true
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 1 arguments: 1

-- candidates, 0 jobs excluded, locked false
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 1 arguments: 1

-- further candidates, 0 jobs excluded
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 6 arguments: 1, 1, 1, 0, 0, "j/t"

-- next due, 0 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0;

-- next due and the clock, 0 jobs excluded
SELECT DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME()), (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0);

-- candidates, 1 jobs excluded, locked true
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 2 arguments: "x", 1

-- candidates, 1 jobs excluded, locked false
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 2 arguments: "x", 1

-- further candidates, 1 jobs excluded
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 7 arguments: "x", 1, 1, 1, 0, 0, "j/t"

-- next due, 1 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ?;
-- 1 arguments: "x"

-- next due and the clock, 1 jobs excluded
SELECT DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME()), (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ?);
-- 1 arguments: "x"

-- candidates, 2 jobs excluded, locked true
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 2 arguments: "[\"x\",\"y\"]", 1

-- candidates, 2 jobs excluded, locked false
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 2 arguments: "[\"x\",\"y\"]", 1

-- further candidates, 2 jobs excluded
SELECT TOP (16) t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key";
-- 7 arguments: "[\"x\",\"y\"]", 1, 1, 1, 0, 0, "j/t"

-- next due, 2 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%');
-- 1 arguments: "[\"x\",\"y\"]"

-- next due and the clock, 2 jobs excluded
SELECT DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME()), (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t WITH (READPAST, READCOMMITTEDLOCK)
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%'));
-- 1 arguments: "[\"x\",\"y\"]"

-- lock exclusive jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- keep concurrent jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- lock jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" = ?
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- read jobs, 1
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" = ?;
-- 1 arguments: "a"

-- share concurrent jobs of ending runs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- lock jobs that may be occupied, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- lock jobs in a management call, to save or delete, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (XLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" = ?
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- share and read jobs, 1
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" = ?;
-- 1 arguments: "a"

-- lock jobs of ending runs, 1
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- read jobs of ending runs, 1
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ?
  ORDER BY j."job_name";
-- 1 arguments: "a"

-- which jobs exist, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ?;
-- 1 arguments: "a"

-- lock triggers, 1
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key";
-- 1 arguments: "a"

-- whose triggers, 1
SELECT t."trigger_key", t."claim_id", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?;
-- 1 arguments: "a"

-- when triggers are due, 1
SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?;
-- 1 arguments: "a"

-- lock runs, 1
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" = ?
  ORDER BY r."run_id";
-- 1 arguments: "a"

-- read runs, 1
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ?
  ORDER BY r."run_id";
-- 1 arguments: "a"

-- lock runs to cancel, 1
SELECT r."run_id", r."run_state", r."cancel_requested_us"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE r."run_id" = ?
  ORDER BY r."run_id";
-- 1 arguments: "a"

-- due triggers of occupied jobs, 1
SELECT TOP (500) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (500) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= ?)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 2 arguments: "[[\"a\",1]]", 1

-- first Blocked triggers, 1
SELECT TOP (16) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3]]"

-- first Blocked triggers that are not paused, 1
SELECT TOP (16) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 0)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3]]"

-- all Blocked triggers that are paused, 1
SELECT TOP (1073741824) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (1073741824) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 1)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3]]"

-- lock triggers to hand back, 1
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key";
-- 1 arguments: "a"

-- lock triggers to hand back in a management call, 1
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key";
-- 1 arguments: "a"

-- occupy jobs, 1
UPDATE t
  SET "active_run_id" = ?, "fence" = ?, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" = ?;
-- 3 arguments: "r", 0, "j"

-- free jobs, 1
UPDATE t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" = ?;
-- 1 arguments: "j"

-- claim triggers, 1
UPDATE t
  SET "trigger_state" = 2, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 5 arguments: 7, "n", 3, 1, "j/t"

-- move triggers, 1
UPDATE t
  SET "trigger_state" = ?, "is_exclusive" = ?, "scheduled_us" = ?, "next_fire_us" = ?, "prev_fire_us" = ?, "fire_count" = ?, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "error_code" = ?, "error_text" = ?, "zone_hash" = ?, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 14 arguments: 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, "j/t"

-- block triggers, 1
UPDATE t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 1 arguments: "a"

-- hand triggers back, 1
UPDATE t
  SET "trigger_state" = ?, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 2 arguments: 1, "a"

-- end runs, 1
UPDATE t
  SET "run_state" = ?, "completed_us" = ?, "run_result" = ?, "error_code" = ?, "error_text" = ?, "running_on" = NULL, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" = ?;
-- 6 arguments: 1, 1, <nil>, <nil>, <nil>, "r"

-- replace runs, 1
UPDATE t
  SET "job_name" = ?, "trigger_name" = ?, "run_kind" = ?, "run_state" = ?, "running_on" = ?, "node_id" = ?, "incarnation" = ?, "scheduled_us" = ?, "started_us" = ?, "completed_us" = ?, "attempt" = ?, "retry_of" = ?, "cancel_requested_us" = ?, "fence" = ?, "sequence_no" = ?, "run_data" = ?, "run_result" = ?, "error_code" = ?, "error_text" = ?, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" = ?;
-- 20 arguments: "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, "r"

-- request cancellation, 1
UPDATE t
  SET "cancel_requested_us" = ?, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" = ?;
-- 2 arguments: 1, "a"

-- remove triggers, 1
DELETE t
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 1 arguments: "j/t"

-- insert runs, 1
INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- 21 arguments: "r", "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, 0

-- insert one-shots, 1
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- 28 arguments: "j/t", "j", "t", "s", <nil>, <nil>, 0, 0, 0, 0, 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, 0

-- which one-shots to enqueue, 1
SELECT v."trigger_key", 1 - j."allow_concurrent", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
-- 1 arguments: "[[\"j/t\",\"j\"]]"

-- which one-shots to enqueue at a known instant, 1
SELECT v."trigger_key", 1 - j."allow_concurrent", CAST(? AS bigint)
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
-- 2 arguments: 1, "[[\"j/t\",\"j\"]]"

-- when triggers are due that an insert found, not of the dispatch: management, 1
SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" = ?;
-- 1 arguments: "a"

-- lock exclusive jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- keep concurrent jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- lock jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- read jobs, 2
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- share concurrent jobs of ending runs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- lock jobs that may be occupied, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- lock jobs in a management call, to save or delete, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j WITH (XLOCK, ROWLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- share and read jobs, 2
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j WITH (REPEATABLEREAD, ROWLOCK, READPAST, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- lock jobs of ending runs, 2
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- read jobs of ending runs, 2
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY j."job_name";
-- 1 arguments: "[\"a\",\"b\"]"

-- which jobs exist, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- lock triggers, 2
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY t."trigger_key";
-- 1 arguments: "[\"a\",\"b\"]"

-- whose triggers, 2
SELECT t."trigger_key", t."claim_id", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- when triggers are due, 2
SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- lock runs, 2
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY r."run_id";
-- 1 arguments: "[\"a\",\"b\"]"

-- read runs, 2
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY r."run_id";
-- 1 arguments: "[\"a\",\"b\"]"

-- lock runs to cancel, 2
SELECT r."run_id", r."run_state", r."cancel_requested_us"
  FROM "scheduler_runs" AS r WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE r."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY r."run_id";
-- 1 arguments: "[\"a\",\"b\"]"

-- due triggers of occupied jobs, 2
SELECT TOP (500) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (500) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= ?)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 2 arguments: "[[\"a\",1],[\"b\",1]]", 1

-- first Blocked triggers, 2
SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3],[\"b\",3]]"

-- first Blocked triggers that are not paused, 2
SELECT TOP (32) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (16) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 0)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3],[\"b\",3]]"

-- all Blocked triggers that are paused, 2
SELECT TOP (1073741824) l."trigger_key", l."job_name", l."paused"
  FROM (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_state"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v CROSS APPLY (SELECT TOP (1073741824) b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 1)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key") AS l;
-- 1 arguments: "[[\"a\",3],[\"b\",3]]"

-- lock triggers to hand back, 2
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, READPAST, READCOMMITTEDLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY t."trigger_key";
-- 1 arguments: "[\"a\",\"b\"]"

-- lock triggers to hand back in a management call, 2
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k)
  ORDER BY t."trigger_key";
-- 1 arguments: "[\"a\",\"b\"]"

-- occupy jobs, 2
UPDATE t
  SET "active_run_id" = v."active_run_id", "fence" = v."fence", "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."active_run_id" COLLATE Latin1_General_100_BIN2 AS "active_run_id", o."fence"
  FROM OPENJSON(?) WITH ("job_name" nvarchar(128) '$[0]', "active_run_id" nvarchar(36) '$[1]', "fence" bigint '$[2]') AS o) AS v ON t."job_name" = v."job_name";
-- 1 arguments: "[[\"j\",\"r\",0],[\"j\",\"r\",0]]"

-- free jobs, 2
UPDATE t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  FROM "scheduler_jobs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."job_name" IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"j\",\"j\"]"

-- claim triggers, 2
UPDATE t
  SET "trigger_state" = 2, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 5 arguments: 7, "n", 3, 1, "[\"j/t\",\"j/t\"]"

-- move triggers, 2
UPDATE t
  SET "trigger_state" = v."trigger_state", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]', "is_exclusive" smallint '$[2]', "scheduled_us" bigint '$[3]', "next_fire_us" bigint '$[4]', "prev_fire_us" bigint '$[5]', "fire_count" bigint '$[6]', "claim_id" bigint '$[7]', "claimed_by" nvarchar(128) '$[8]', "incarnation" bigint '$[9]', "claimed_us" bigint '$[10]', "error_code" nvarchar(64) '$[11]', "error_text" nvarchar(max) '$[12]', "zone_hash" nvarchar(64) '$[13]') AS o) AS v ON t."trigger_key" = v."trigger_key";
-- 1 arguments: "[[\"j/t\",0,0,1,1,null,0,null,null,null,null,null,null,null…

-- block triggers, 2
UPDATE t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- hand triggers back, 2
UPDATE t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."trigger_state"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "trigger_state" smallint '$[1]') AS o) AS v ON t."trigger_key" = v."trigger_key";
-- 1 arguments: "[[\"a\",1],[\"b\",1]]"

-- end runs, 2
UPDATE t
  SET "run_state" = v."run_state", "completed_us" = v."completed_us", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "running_on" = NULL, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."run_state", o."completed_us", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text"
  FROM OPENJSON(?) WITH ("run_id" nvarchar(36) '$[0]', "run_state" smallint '$[1]', "completed_us" bigint '$[2]', "run_result" nvarchar(max) '$[3]', "error_code" nvarchar(64) '$[4]', "error_text" nvarchar(max) '$[5]') AS o) AS v ON t."run_id" = v."run_id";
-- 1 arguments: "[[\"r\",1,1,null,null,null],[\"r\",1,1,null,null,null]]"

-- replace runs, 2
UPDATE t
  SET "job_name" = v."job_name", "trigger_name" = v."trigger_name", "run_kind" = v."run_kind", "run_state" = v."run_state", "running_on" = v."running_on", "node_id" = v."node_id", "incarnation" = v."incarnation", "scheduled_us" = v."scheduled_us", "started_us" = v."started_us", "completed_us" = v."completed_us", "attempt" = v."attempt", "retry_of" = v."retry_of", "cancel_requested_us" = v."cancel_requested_us", "fence" = v."fence", "sequence_no" = v."sequence_no", "run_data" = v."run_data", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK) INNER
  JOIN (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", o."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text"
  FROM OPENJSON(?) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_data" nvarchar(max) '$[16]', "run_result" nvarchar(max) '$[17]', "error_code" nvarchar(64) '$[18]', "error_text" nvarchar(max) '$[19]') AS o) AS v ON t."run_id" = v."run_id";
-- 1 arguments: "[[\"r\",\"j\",\"\",0,1,\"n\",\"n\",0,1,1,1,null,null,null,0…

-- request cancellation, 2
UPDATE t
  SET "cancel_requested_us" = ?, "version" = t."version" + 1
  FROM "scheduler_runs" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."run_id" IN (SELECT CAST(k.value AS nvarchar(36)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 2 arguments: 1, "[\"a\",\"b\"]"

-- remove triggers, 2
DELETE t
  FROM "scheduler_triggers" AS t WITH (ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"j/t\",\"j/t\"]"

-- insert runs, 2
INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version") SELECT v."run_id", v."job_name", v."trigger_name", v."run_kind", v."run_state", v."running_on", v."node_id", v."incarnation", v."scheduled_us", v."started_us", v."completed_us", v."attempt", v."retry_of", v."cancel_requested_us", v."fence", v."sequence_no", v."run_data", v."run_result", v."error_code", v."error_text", v."version"
  FROM (SELECT o."run_id" COLLATE Latin1_General_100_BIN2 AS "run_id", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", o."run_kind", o."run_state", o."running_on" COLLATE Latin1_General_100_BIN2 AS "running_on", o."node_id" COLLATE Latin1_General_100_BIN2 AS "node_id", o."incarnation", o."scheduled_us", o."started_us", o."completed_us", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."cancel_requested_us", o."fence", o."sequence_no", o."run_data", o."run_result", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."version"
  FROM OPENJSON(?) WITH ("run_id" nvarchar(36) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "run_kind" smallint '$[3]', "run_state" smallint '$[4]', "running_on" nvarchar(128) '$[5]', "node_id" nvarchar(128) '$[6]', "incarnation" bigint '$[7]', "scheduled_us" bigint '$[8]', "started_us" bigint '$[9]', "completed_us" bigint '$[10]', "attempt" int '$[11]', "retry_of" nvarchar(36) '$[12]', "cancel_requested_us" bigint '$[13]', "fence" bigint '$[14]', "sequence_no" bigint '$[15]', "run_data" nvarchar(max) '$[16]', "run_result" nvarchar(max) '$[17]', "error_code" nvarchar(64) '$[18]', "error_text" nvarchar(max) '$[19]', "version" bigint '$[20]') AS o) AS v;
-- 1 arguments: "[[\"r\",\"j\",\"\",0,1,\"n\",\"n\",0,1,1,1,null,null,null,0…

-- insert one-shots, 2
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name", o."trigger_name" COLLATE Latin1_General_100_BIN2 AS "trigger_name", x."schedule_text", o."trigger_description", o."trigger_data", o."priority", o."misfire_policy", o."trigger_state", o."paused", o."is_local", o."is_exclusive", o."scheduled_us", o."next_fire_us", o."prev_fire_us", o."fire_count", o."claim_id", o."claimed_by" COLLATE Latin1_General_100_BIN2 AS "claimed_by", o."incarnation", o."claimed_us", o."run_as", o."attempt", o."retry_of" COLLATE Latin1_General_100_BIN2 AS "retry_of", o."expires_us", o."error_code" COLLATE Latin1_General_100_BIN2 AS "error_code", o."error_text", o."zone_hash" COLLATE Latin1_General_100_BIN2 AS "zone_hash", o."version"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]', "trigger_name" nvarchar(128) '$[2]', "trigger_description" nvarchar(max) '$[3]', "trigger_data" nvarchar(max) '$[4]', "priority" int '$[5]', "misfire_policy" smallint '$[6]', "trigger_state" smallint '$[7]', "paused" smallint '$[8]', "is_local" smallint '$[9]', "is_exclusive" smallint '$[10]', "scheduled_us" bigint '$[11]', "next_fire_us" bigint '$[12]', "prev_fire_us" bigint '$[13]', "fire_count" bigint '$[14]', "claim_id" bigint '$[15]', "claimed_by" nvarchar(128) '$[16]', "incarnation" bigint '$[17]', "claimed_us" bigint '$[18]', "run_as" smallint '$[19]', "attempt" int '$[20]', "retry_of" nvarchar(36) '$[21]', "expires_us" bigint '$[22]', "error_code" nvarchar(64) '$[23]', "error_text" nvarchar(max) '$[24]', "zone_hash" nvarchar(64) '$[25]', "version" bigint '$[26]', "text_no" int '$[27]') AS o
  LEFT JOIN (VALUES (0, CAST(? AS nvarchar(max))), (1, ?), (2, ?), (3, ?)) AS x("text_no", "schedule_text") ON x."text_no" = o."text_no") AS v;
-- 5 arguments: "[[\"j/t\",\"j\",\"t\",null,null,0,0,0,0,0,0,1,1,null,0,null…, "s", "s", <nil>, <nil>

-- which one-shots to enqueue, 2
SELECT v."trigger_key", 1 - j."allow_concurrent", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
-- 1 arguments: "[[\"j/t\",\"j\"],[\"j/t\",\"j\"]]"

-- which one-shots to enqueue at a known instant, 2
SELECT v."trigger_key", 1 - j."allow_concurrent", CAST(? AS bigint)
  FROM (SELECT o."trigger_key" COLLATE Latin1_General_100_BIN2 AS "trigger_key", o."job_name" COLLATE Latin1_General_100_BIN2 AS "job_name"
  FROM OPENJSON(?) WITH ("trigger_key" nvarchar(257) '$[0]', "job_name" nvarchar(128) '$[1]') AS o) AS v
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  LEFT JOIN "scheduler_triggers" AS t ON t."trigger_key" = v."trigger_key"
  WHERE t."trigger_key" IS NULL;
-- 2 arguments: 1, "[[\"j/t\",\"j\"],[\"j/t\",\"j\"]]"

-- when triggers are due that an insert found, not of the dispatch: management, 2
SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t WITH (UPDLOCK, ROWLOCK, FORCESEEK)
  WHERE t."trigger_key" IN (SELECT CAST(k.value AS nvarchar(257)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- runs in flight
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version", DATEDIFF_BIG(MICROSECOND, '1970-01-01', SYSUTCDATETIME())
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = ? AND r."incarnation" = ?;
-- 2 arguments: "n", 3

-- claims in flight
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND t."claimed_by" = ? AND t."incarnation" = ? AND t."next_fire_us" IS NOT NULL;
-- 2 arguments: "n", 3

-- lost runs
SELECT TOP (101) r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation") IS NULL;

-- lost claims
SELECT TOP (101) t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation") IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT TOP (1) 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name") IS NULL);

-- stray jobs
SELECT TOP (101) j."job_name"
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
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NULL);
-- 1 arguments: 1

-- lost runs, 1 jobs passed over
SELECT TOP (101) r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation") IS NULL AND r."job_name" <> ?;
-- 1 arguments: "a"

-- lost claims, 1 jobs passed over
SELECT TOP (101) t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation") IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT TOP (1) 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name") IS NULL) AND t."job_name" <> ?;
-- 1 arguments: "a"

-- stray jobs, 1 jobs passed over
SELECT TOP (101) j."job_name"
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
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NULL) AND j."job_name" <> ?;
-- 2 arguments: 1, "a"

-- lost runs, 2 jobs passed over
SELECT TOP (101) r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation") IS NULL AND r."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- lost claims, 2 jobs passed over
SELECT TOP (101) t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT TOP (1) 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation") IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT TOP (1) 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name") IS NULL) AND t."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 1 arguments: "[\"a\",\"b\"]"

-- stray jobs, 2 jobs passed over
SELECT TOP (101) j."job_name"
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
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key") IS NULL) AND j."job_name" NOT IN (SELECT CAST(k.value AS nvarchar(128)) COLLATE Latin1_General_100_BIN2
  FROM OPENJSON(?) AS k);
-- 2 arguments: 1, "[\"a\",\"b\"]"

-- trigger names of runs
SELECT r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."job_name" = ? AND r."scheduled_us" >= ?;
-- 2 arguments: "j", 1

