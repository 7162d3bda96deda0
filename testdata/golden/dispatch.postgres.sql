-- opening of the dispatch
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint
  FROM (SELECT set_config('lock_timeout', '2000', true), set_config('idle_in_transaction_session_timeout', '10000', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)) AS s;

-- opening of management calls
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint
  FROM (SELECT set_config('lock_timeout', '5000', true), set_config('idle_in_transaction_session_timeout', '10000', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)) AS s;

-- the clock
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint;

-- candidates, 0 jobs excluded, locked true
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 1 arguments: 1

-- candidates, 0 jobs excluded, locked false
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 1 arguments: 1

-- further candidates, 0 jobs excluded
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 6 arguments: 1, 1, 1, 0, 0, "j/t"

-- next due, 0 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0;

-- next due and the clock, 0 jobs excluded
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint, (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0);

-- candidates, 1 jobs excluded, locked true
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 2 arguments: "x", 1

-- candidates, 1 jobs excluded, locked false
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 2 arguments: "x", 1

-- further candidates, 1 jobs excluded
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ? AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 7 arguments: "x", 1, 1, 1, 0, 0, "j/t"

-- next due, 1 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ?;
-- 1 arguments: "x"

-- next due and the clock, 1 jobs excluded
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint, (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ?);
-- 1 arguments: "x"

-- candidates, 2 jobs excluded, locked true
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ALL(?::text[]) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 2 arguments: "{\"x\",\"y\"}", 1

-- candidates, 2 jobs excluded, locked false
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ALL(?::text[]) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 2 arguments: "{\"x\",\"y\"}", 1

-- further candidates, 2 jobs excluded
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ALL(?::text[]) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%') AND t."next_fire_us" <= ? AND t."next_fire_us" >= ? AND (t."next_fire_us" > ? OR t."priority" < ? OR (t."priority" = ? AND t."trigger_key" > ?))
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 16;
-- 7 arguments: "{\"x\",\"y\"}", 1, 1, 1, 0, 0, "j/t"

-- next due, 2 jobs excluded
SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ALL(?::text[]) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%');
-- 1 arguments: "{\"x\",\"y\"}"

-- next due and the clock, 2 jobs excluded
SELECT (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint, (SELECT MIN(t."next_fire_us")
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 1 AND t."is_local" = 0 AND t."job_name" <> ALL(?::text[]) AND (t."trigger_name" LIKE 'manual-%' OR t."trigger_name" LIKE 'retry-%' OR t."trigger_name" LIKE 'recovery-%'));
-- 1 arguments: "{\"x\",\"y\"}"

-- lock exclusive jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- keep concurrent jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name"
  FOR KEY SHARE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- lock jobs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ?
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- read jobs, 1
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" = ?;
-- 1 arguments: "a"

-- share concurrent jobs of ending runs, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name" FOR SHARE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- lock jobs that may be occupied, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- lock jobs in a management call, to save or delete, 1
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ?
  ORDER BY j."job_name"
  FOR UPDATE OF j;
-- 1 arguments: "a"

-- share and read jobs, 1
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ?
  FOR KEY SHARE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- lock jobs of ending runs, 1
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ? AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
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
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t SKIP LOCKED;
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
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ?
  ORDER BY r."run_id"
  FOR NO KEY UPDATE OF r SKIP LOCKED;
-- 1 arguments: "a"

-- read runs, 1
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ?
  ORDER BY r."run_id";
-- 1 arguments: "a"

-- lock runs to cancel, 1
SELECT r."run_id", r."run_state", r."cancel_requested_us"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ?
  ORDER BY r."run_id"
  FOR NO KEY UPDATE OF r;
-- 1 arguments: "a"

-- due triggers of occupied jobs, 1
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= ?)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 500
  FOR NO KEY UPDATE OF b SKIP LOCKED) AS l
  LIMIT 500;
-- 3 arguments: "{\"a\"}", "{1}", 1

-- first Blocked triggers, 1
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 16) AS l
  LIMIT 16;
-- 2 arguments: "{\"a\"}", "{3}"

-- first Blocked triggers that are not paused, 1
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 0)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 16) AS l
  LIMIT 16;
-- 2 arguments: "{\"a\"}", "{3}"

-- all Blocked triggers that are paused, 1
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 1)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 1073741824) AS l
  LIMIT 1073741824;
-- 2 arguments: "{\"a\"}", "{3}"

-- lock triggers to hand back, 1
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 1 arguments: "a"

-- lock triggers to hand back in a management call, 1
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t;
-- 1 arguments: "a"

-- occupy jobs, 1
UPDATE "scheduler_jobs" AS t
  SET "active_run_id" = ?, "fence" = ?, "version" = t."version" + 1
  WHERE t."job_name" = ?;
-- 3 arguments: "r", 0, "j"

-- free jobs, 1
UPDATE "scheduler_jobs" AS t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  WHERE t."job_name" = ?;
-- 1 arguments: "j"

-- claim triggers, 1
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = 2, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "version" = t."version" + 1
  WHERE t."trigger_key" = ?;
-- 5 arguments: 7, "n", 3, 1, "j/t"

-- move triggers, 1
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = ?, "is_exclusive" = ?, "scheduled_us" = ?, "next_fire_us" = ?, "prev_fire_us" = ?, "fire_count" = ?, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "error_code" = ?, "error_text" = ?, "zone_hash" = ?, "version" = t."version" + 1
  WHERE t."trigger_key" = ?;
-- 14 arguments: 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, "j/t"

-- block triggers, 1
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  WHERE t."trigger_key" = ?;
-- 1 arguments: "a"

-- hand triggers back, 1
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = ?, "version" = t."version" + 1
  WHERE t."trigger_key" = ?;
-- 2 arguments: 1, "a"

-- end runs, 1
UPDATE "scheduler_runs" AS t
  SET "run_state" = ?, "completed_us" = ?, "run_result" = ?, "error_code" = ?, "error_text" = ?, "running_on" = NULL, "version" = t."version" + 1
  WHERE t."run_id" = ?;
-- 6 arguments: 1, 1, <nil>, <nil>, <nil>, "r"

-- replace runs, 1
UPDATE "scheduler_runs" AS t
  SET "job_name" = ?, "trigger_name" = ?, "run_kind" = ?, "run_state" = ?, "running_on" = ?, "node_id" = ?, "incarnation" = ?, "scheduled_us" = ?, "started_us" = ?, "completed_us" = ?, "attempt" = ?, "retry_of" = ?, "cancel_requested_us" = ?, "fence" = ?, "sequence_no" = ?, "run_data" = ?, "run_result" = ?, "error_code" = ?, "error_text" = ?, "version" = t."version" + 1
  WHERE t."run_id" = ?;
-- 20 arguments: "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, "r"

-- request cancellation, 1
UPDATE "scheduler_runs" AS t
  SET "cancel_requested_us" = ?, "version" = t."version" + 1
  WHERE t."run_id" = ?;
-- 2 arguments: 1, "a"

-- remove triggers, 1
DELETE
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ?;
-- 1 arguments: "j/t"

-- insert runs, 1
INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- 21 arguments: "r", "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, 0

-- insert one-shots, 1
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING "trigger_key";
-- 28 arguments: "j/t", "j", "t", "s", <nil>, <nil>, 0, 0, 0, 0, 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, 0

-- enqueue, 1
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", 1 - j."allow_concurrent", COALESCE(v."scheduled_us", (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint), COALESCE(v."next_fire_us", (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint), v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::smallint[], ?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  WHERE 1 = 1
  ON CONFLICT DO NOTHING RETURNING "trigger_key", "next_fire_us";
-- 28 arguments: "{\"j/t\"}", "{\"j\"}", "{\"t\"}", "{\"s\"}", "{NULL}", "{NULL}", "{0}", "{0}", "{0}", "{0}", "{0}", "{0}", "{1}", "{1}", "{NULL}", "{0}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{0}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{0}"

-- enqueue at a known instant, 1
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", 1 - j."allow_concurrent", COALESCE(v."scheduled_us", CAST(? AS bigint)), COALESCE(v."next_fire_us", CAST(? AS bigint)), v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::smallint[], ?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  WHERE 1 = 1
  ON CONFLICT DO NOTHING RETURNING "trigger_key", "next_fire_us";
-- 30 arguments: 1, 1, "{\"j/t\"}", "{\"j\"}", "{\"t\"}", "{\"s\"}", "{NULL}", "{NULL}", "{0}", "{0}", "{0}", "{0}", "{0}", "{0}", "{1}", "{1}", "{NULL}", "{0}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{0}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{NULL}", "{0}"

-- lock exclusive jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]) AND (j."allow_concurrent" = 0)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- keep concurrent jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name"
  FOR KEY SHARE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- lock jobs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[])
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- read jobs, 2
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version", r."run_id"
  FROM "scheduler_jobs" AS j
  LEFT JOIN "scheduler_runs" AS r ON r."run_id" = j."active_run_id" AND r."run_state" + 0 = 1
  WHERE j."job_name" = ANY(?::text[]);
-- 1 arguments: "{\"a\",\"b\"}"

-- share concurrent jobs of ending runs, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]) AND (j."allow_concurrent" = 1)
  ORDER BY j."job_name" FOR SHARE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- lock jobs that may be occupied, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- lock jobs in a management call, to save or delete, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[])
  ORDER BY j."job_name"
  FOR UPDATE OF j;
-- 1 arguments: "{\"a\",\"b\"}"

-- share and read jobs, 2
SELECT j."job_name", j."handler_key", j."job_description", j."job_data", j."allow_concurrent", j."every_instance", j."requests_recovery", j."paused", j."max_retries", j."retry_delay_ms", j."retry_max_delay_ms", j."retry_backoff", j."timeout_ms", j."active_run_id", j."fence", j."job_source", j."fingerprint", j."code_version", j."version"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[])
  FOR KEY SHARE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- lock jobs of ending runs, 2
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]) AND (j."allow_concurrent" = 0 OR j."active_run_id" IS NOT NULL)
  ORDER BY j."job_name"
  FOR NO KEY UPDATE OF j SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- read jobs of ending runs, 2
SELECT j."job_name", j."allow_concurrent", j."paused", j."active_run_id"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[])
  ORDER BY j."job_name";
-- 1 arguments: "{\"a\",\"b\"}"

-- which jobs exist, 2
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE j."job_name" = ANY(?::text[]);
-- 1 arguments: "{\"a\",\"b\"}"

-- lock triggers, 2
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[])
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- whose triggers, 2
SELECT t."trigger_key", t."claim_id", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[]);
-- 1 arguments: "{\"a\",\"b\"}"

-- when triggers are due, 2
SELECT t."trigger_key", t."next_fire_us"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[]);
-- 1 arguments: "{\"a\",\"b\"}"

-- lock runs, 2
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ANY(?::text[])
  ORDER BY r."run_id"
  FOR NO KEY UPDATE OF r SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- read runs, 2
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ANY(?::text[])
  ORDER BY r."run_id";
-- 1 arguments: "{\"a\",\"b\"}"

-- lock runs to cancel, 2
SELECT r."run_id", r."run_state", r."cancel_requested_us"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = ANY(?::text[])
  ORDER BY r."run_id"
  FOR NO KEY UPDATE OF r;
-- 1 arguments: "{\"a\",\"b\"}"

-- due triggers of occupied jobs, 2
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."is_local" + 0 = 0 AND b."next_fire_us" <= ?)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 500
  FOR NO KEY UPDATE OF b SKIP LOCKED) AS l
  LIMIT 500;
-- 3 arguments: "{\"a\",\"b\"}", "{1,1}", 1

-- first Blocked triggers, 2
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state"
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 16) AS l
  LIMIT 32;
-- 2 arguments: "{\"a\",\"b\"}", "{3,3}"

-- first Blocked triggers that are not paused, 2
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 0)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 16) AS l
  LIMIT 32;
-- 2 arguments: "{\"a\",\"b\"}", "{3,3}"

-- all Blocked triggers that are paused, 2
SELECT l."trigger_key", l."job_name", l."paused"
  FROM unnest(?::text[], ?::smallint[]) AS v("job_name", "trigger_state")
  CROSS JOIN LATERAL (SELECT b."trigger_key", b."job_name", b."paused"
  FROM "scheduler_triggers" AS b
  WHERE b."job_name" = v."job_name" AND b."trigger_state" = v."trigger_state" AND (b."paused" = 1)
  ORDER BY b."next_fire_us", b."priority" DESC, b."trigger_key"
  LIMIT 1073741824) AS l
  LIMIT 1073741824;
-- 2 arguments: "{\"a\",\"b\"}", "{3,3}"

-- lock triggers to hand back, 2
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[])
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t SKIP LOCKED;
-- 1 arguments: "{\"a\",\"b\"}"

-- lock triggers to hand back in a management call, 2
SELECT t."trigger_key"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[])
  ORDER BY t."trigger_key"
  FOR NO KEY UPDATE OF t;
-- 1 arguments: "{\"a\",\"b\"}"

-- occupy jobs, 2
UPDATE "scheduler_jobs" AS t
  SET "active_run_id" = v."active_run_id", "fence" = v."fence", "version" = t."version" + 1
  FROM unnest(?::text[], ?::text[], ?::bigint[]) AS v("job_name", "active_run_id", "fence")
  WHERE t."job_name" = v."job_name";
-- 3 arguments: "{\"j\",\"j\"}", "{\"r\",\"r\"}", "{0,0}"

-- free jobs, 2
UPDATE "scheduler_jobs" AS t
  SET "active_run_id" = NULL, "version" = t."version" + 1
  WHERE t."job_name" = ANY(?::text[]);
-- 1 arguments: "{\"j\",\"j\"}"

-- claim triggers, 2
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = 2, "claim_id" = ?, "claimed_by" = ?, "incarnation" = ?, "claimed_us" = ?, "version" = t."version" + 1
  WHERE t."trigger_key" = ANY(?::text[]);
-- 5 arguments: 7, "n", 3, 1, "{\"j/t\",\"j/t\"}"

-- move triggers, 2
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = v."trigger_state", "is_exclusive" = v."is_exclusive", "scheduled_us" = v."scheduled_us", "next_fire_us" = v."next_fire_us", "prev_fire_us" = v."prev_fire_us", "fire_count" = v."fire_count", "claim_id" = v."claim_id", "claimed_by" = v."claimed_by", "incarnation" = v."incarnation", "claimed_us" = v."claimed_us", "error_code" = v."error_code", "error_text" = v."error_text", "zone_hash" = v."zone_hash", "version" = t."version" + 1
  FROM unnest(?::text[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[]) AS v("trigger_key", "trigger_state", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "error_code", "error_text", "zone_hash")
  WHERE t."trigger_key" = v."trigger_key";
-- 14 arguments: "{\"j/t\",\"j/t\"}", "{0,0}", "{0,0}", "{1,1}", "{1,1}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}"

-- block triggers, 2
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = 3, "is_exclusive" = 1, "version" = t."version" + 1
  WHERE t."trigger_key" = ANY(?::text[]);
-- 1 arguments: "{\"a\",\"b\"}"

-- hand triggers back, 2
UPDATE "scheduler_triggers" AS t
  SET "trigger_state" = v."trigger_state", "version" = t."version" + 1
  FROM unnest(?::text[], ?::smallint[]) AS v("trigger_key", "trigger_state")
  WHERE t."trigger_key" = v."trigger_key";
-- 2 arguments: "{\"a\",\"b\"}", "{1,1}"

-- end runs, 2
UPDATE "scheduler_runs" AS t
  SET "run_state" = v."run_state", "completed_us" = v."completed_us", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "running_on" = NULL, "version" = t."version" + 1
  FROM unnest(?::text[], ?::smallint[], ?::bigint[], ?::text[], ?::text[], ?::text[]) AS v("run_id", "run_state", "completed_us", "run_result", "error_code", "error_text")
  WHERE t."run_id" = v."run_id";
-- 6 arguments: "{\"r\",\"r\"}", "{1,1}", "{1,1}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}"

-- replace runs, 2
UPDATE "scheduler_runs" AS t
  SET "job_name" = v."job_name", "trigger_name" = v."trigger_name", "run_kind" = v."run_kind", "run_state" = v."run_state", "running_on" = v."running_on", "node_id" = v."node_id", "incarnation" = v."incarnation", "scheduled_us" = v."scheduled_us", "started_us" = v."started_us", "completed_us" = v."completed_us", "attempt" = v."attempt", "retry_of" = v."retry_of", "cancel_requested_us" = v."cancel_requested_us", "fence" = v."fence", "sequence_no" = v."sequence_no", "run_data" = v."run_data", "run_result" = v."run_result", "error_code" = v."error_code", "error_text" = v."error_text", "version" = t."version" + 1
  FROM unnest(?::text[], ?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[]) AS v("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text")
  WHERE t."run_id" = v."run_id";
-- 20 arguments: "{\"r\",\"r\"}", "{\"j\",\"j\"}", "{\"\",\"\"}", "{0,0}", "{1,1}", "{\"n\",\"n\"}", "{\"n\",\"n\"}", "{0,0}", "{1,1}", "{1,1}", "{1,1}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}"

-- request cancellation, 2
UPDATE "scheduler_runs" AS t
  SET "cancel_requested_us" = ?, "version" = t."version" + 1
  WHERE t."run_id" = ANY(?::text[]);
-- 2 arguments: 1, "{\"a\",\"b\"}"

-- remove triggers, 2
DELETE
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_key" = ANY(?::text[]);
-- 1 arguments: "{\"j/t\",\"j/t\"}"

-- insert runs, 2
INSERT INTO "scheduler_runs" ("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version") SELECT v."run_id", v."job_name", v."trigger_name", v."run_kind", v."run_state", v."running_on", v."node_id", v."incarnation", v."scheduled_us", v."started_us", v."completed_us", v."attempt", v."retry_of", v."cancel_requested_us", v."fence", v."sequence_no", v."run_data", v."run_result", v."error_code", v."error_text", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("run_id", "job_name", "trigger_name", "run_kind", "run_state", "running_on", "node_id", "incarnation", "scheduled_us", "started_us", "completed_us", "attempt", "retry_of", "cancel_requested_us", "fence", "sequence_no", "run_data", "run_result", "error_code", "error_text", "version")
  WHERE 1 = 1;
-- 21 arguments: "{\"r\",\"r\"}", "{\"j\",\"j\"}", "{\"\",\"\"}", "{0,0}", "{1,1}", "{\"n\",\"n\"}", "{\"n\",\"n\"}", "{0,0}", "{1,1}", "{1,1}", "{1,1}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}"

-- insert one-shots, 2
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", v."is_exclusive", v."scheduled_us", v."next_fire_us", v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::smallint[], ?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  WHERE 1 = 1
  ON CONFLICT DO NOTHING RETURNING "trigger_key";
-- 28 arguments: "{\"j/t\",\"j/t\"}", "{\"j\",\"j\"}", "{\"t\",\"t\"}", "{\"s\",\"s\"}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{1,1}", "{1,1}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}"

-- enqueue, 2
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", 1 - j."allow_concurrent", COALESCE(v."scheduled_us", (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint), COALESCE(v."next_fire_us", (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint), v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::smallint[], ?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  WHERE 1 = 1
  ON CONFLICT DO NOTHING RETURNING "trigger_key", "next_fire_us";
-- 28 arguments: "{\"j/t\",\"j/t\"}", "{\"j\",\"j\"}", "{\"t\",\"t\"}", "{\"s\",\"s\"}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{1,1}", "{1,1}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}"

-- enqueue at a known instant, 2
INSERT INTO "scheduler_triggers" ("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version") SELECT v."trigger_key", v."job_name", v."trigger_name", v."schedule_text", v."trigger_description", v."trigger_data", v."priority", v."misfire_policy", v."trigger_state", v."paused", v."is_local", 1 - j."allow_concurrent", COALESCE(v."scheduled_us", CAST(? AS bigint)), COALESCE(v."next_fire_us", CAST(? AS bigint)), v."prev_fire_us", v."fire_count", v."claim_id", v."claimed_by", v."incarnation", v."claimed_us", v."run_as", v."attempt", v."retry_of", v."expires_us", v."error_code", v."error_text", v."zone_hash", v."version"
  FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::smallint[], ?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[]) AS v("trigger_key", "job_name", "trigger_name", "schedule_text", "trigger_description", "trigger_data", "priority", "misfire_policy", "trigger_state", "paused", "is_local", "is_exclusive", "scheduled_us", "next_fire_us", "prev_fire_us", "fire_count", "claim_id", "claimed_by", "incarnation", "claimed_us", "run_as", "attempt", "retry_of", "expires_us", "error_code", "error_text", "zone_hash", "version")
  JOIN "scheduler_jobs" AS j ON j."job_name" = v."job_name"
  WHERE 1 = 1
  ON CONFLICT DO NOTHING RETURNING "trigger_key", "next_fire_us";
-- 30 arguments: 1, 1, "{\"j/t\",\"j/t\"}", "{\"j\",\"j\"}", "{\"t\",\"t\"}", "{\"s\",\"s\"}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{0,0}", "{1,1}", "{1,1}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{NULL,NULL}", "{0,0}"

-- runs in flight
SELECT r."run_id", r."job_name", r."trigger_name", r."run_kind", r."run_state", r."running_on", r."node_id", r."incarnation", r."scheduled_us", r."started_us", r."completed_us", r."attempt", r."retry_of", r."cancel_requested_us", r."fence", r."sequence_no", r."run_data", r."run_result", r."error_code", r."error_text", r."version", (EXTRACT(EPOCH FROM statement_timestamp()) * 1000000)::bigint
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = ? AND r."incarnation" = ?;
-- 2 arguments: "n", 3

-- claims in flight
SELECT t."trigger_key", t."job_name", t."trigger_name", t."schedule_text", t."trigger_description", t."trigger_data", t."priority", t."misfire_policy", t."trigger_state", t."paused", t."is_local", t."is_exclusive", t."scheduled_us", t."next_fire_us", t."prev_fire_us", t."fire_count", t."claim_id", t."claimed_by", t."incarnation", t."claimed_us", t."run_as", t."attempt", t."retry_of", t."expires_us", t."error_code", t."error_text", t."zone_hash", t."version"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND t."claimed_by" = ? AND t."incarnation" = ? AND t."next_fire_us" IS NOT NULL;
-- 2 arguments: "n", 3

-- lost runs
SELECT r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation"
  LIMIT 1) IS NULL
  LIMIT 101;

-- lost claims
SELECT t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation"
  LIMIT 1) IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name"
  LIMIT 1) IS NULL)
  LIMIT 101;

-- stray jobs
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 3 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NOT NULL AND (j."allow_concurrent" = 1 OR NOT COALESCE((SELECT r."run_state"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = j."active_run_id"), 0) = 1 AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 2 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL)
  LIMIT 101;
-- 1 arguments: 1

-- lost runs, 1 jobs passed over
SELECT r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation"
  LIMIT 1) IS NULL AND r."job_name" <> ?
  LIMIT 101;
-- 1 arguments: "a"

-- lost claims, 1 jobs passed over
SELECT t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation"
  LIMIT 1) IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name"
  LIMIT 1) IS NULL) AND t."job_name" <> ?
  LIMIT 101;
-- 1 arguments: "a"

-- stray jobs, 1 jobs passed over
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 3 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NOT NULL AND (j."allow_concurrent" = 1 OR NOT COALESCE((SELECT r."run_state"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = j."active_run_id"), 0) = 1 AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 2 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL) AND j."job_name" <> ?
  LIMIT 101;
-- 2 arguments: 1, "a"

-- lost runs, 2 jobs passed over
SELECT r."run_id", r."job_name", r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."running_on" IS NOT NULL AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = r."running_on" AND n."incarnation" = r."incarnation"
  LIMIT 1) IS NULL AND r."job_name" <> ALL(?::text[])
  LIMIT 101;
-- 1 arguments: "{\"a\",\"b\"}"

-- lost claims, 2 jobs passed over
SELECT t."trigger_key", t."job_name", t."claim_id"
  FROM "scheduler_triggers" AS t
  WHERE t."trigger_state" = 2 AND (SELECT 1
  FROM "scheduler_nodes" AS n
  WHERE n."node_id" = t."claimed_by" AND n."incarnation" = t."incarnation"
  LIMIT 1) IS NULL AND (t."next_fire_us" IS NOT NULL OR (SELECT 1
  FROM "scheduler_runs" AS r
  WHERE r."running_on" = t."claimed_by" AND r."incarnation" = t."incarnation" AND COALESCE(r."job_name", '') = t."job_name" AND r."trigger_name" = t."trigger_name"
  LIMIT 1) IS NULL) AND t."job_name" <> ALL(?::text[])
  LIMIT 101;
-- 1 arguments: "{\"a\",\"b\"}"

-- stray jobs, 2 jobs passed over
SELECT j."job_name"
  FROM "scheduler_jobs" AS j
  WHERE (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 3 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NOT NULL AND (j."allow_concurrent" = 1 OR NOT COALESCE((SELECT r."run_state"
  FROM "scheduler_runs" AS r
  WHERE r."run_id" = j."active_run_id"), 0) = 1 AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 2 + 0 * j."allow_concurrent"
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL AND (SELECT 1
  FROM "scheduler_triggers" AS t
  WHERE t."job_name" = j."job_name" AND t."trigger_state" = 1 + 0 * j."allow_concurrent" AND t."next_fire_us" <= ?
  ORDER BY t."next_fire_us", t."priority" DESC, t."trigger_key"
  LIMIT 1) IS NULL) AND j."job_name" <> ALL(?::text[])
  LIMIT 101;
-- 2 arguments: 1, "{\"a\",\"b\"}"

-- trigger names of runs
SELECT r."trigger_name"
  FROM "scheduler_runs" AS r
  WHERE r."job_name" = ? AND r."scheduled_us" >= ?;
-- 2 arguments: "j", 1

