-- the clock
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6));

-- candidates, 0 jobs excluded, locked true
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16
  FOR UPDATE OF t SKIP LOCKED;
-- 1 arguments: 1

-- candidates, 0 jobs excluded, locked false
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 1 arguments: 1

-- further candidates, 0 jobs excluded
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`next_fire_us` <= ? AND t.`next_fire_us` >= ? AND (t.`next_fire_us` > ? OR t.`priority` < ? OR (t.`priority` = ? AND t.`trigger_key` > ?))
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 6 arguments: 1, 1, 1, 0, 0, "j/t"

-- next due, 0 jobs excluded
SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0
  ORDER BY t.`next_fire_us`
  LIMIT 1);

-- next due and the clock, 0 jobs excluded
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), (SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0
  ORDER BY t.`next_fire_us`
  LIMIT 1));

-- candidates, 1 jobs excluded, locked true
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` <> ? AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16
  FOR UPDATE OF t SKIP LOCKED;
-- 2 arguments: "x", 1

-- candidates, 1 jobs excluded, locked false
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` <> ? AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 2 arguments: "x", 1

-- further candidates, 1 jobs excluded
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` <> ? AND t.`next_fire_us` <= ? AND t.`next_fire_us` >= ? AND (t.`next_fire_us` > ? OR t.`priority` < ? OR (t.`priority` = ? AND t.`trigger_key` > ?))
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 7 arguments: "x", 1, 1, 1, 0, 0, "j/t"

-- next due, 1 jobs excluded
SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` <> ?
  ORDER BY t.`next_fire_us`
  LIMIT 1);
-- 1 arguments: "x"

-- next due and the clock, 1 jobs excluded
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), (SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` <> ?
  ORDER BY t.`next_fire_us`
  LIMIT 1));
-- 1 arguments: "x"

-- candidates, 2 jobs excluded, locked true
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` NOT IN (?, ?) AND (t.`trigger_name` LIKE 'manual-%' OR t.`trigger_name` LIKE 'retry-%' OR t.`trigger_name` LIKE 'recovery-%') AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16
  FOR UPDATE OF t SKIP LOCKED;
-- 3 arguments: "x", "y", 1

-- candidates, 2 jobs excluded, locked false
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` NOT IN (?, ?) AND (t.`trigger_name` LIKE 'manual-%' OR t.`trigger_name` LIKE 'retry-%' OR t.`trigger_name` LIKE 'recovery-%') AND t.`next_fire_us` <= ?
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 3 arguments: "x", "y", 1

-- further candidates, 2 jobs excluded
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` NOT IN (?, ?) AND (t.`trigger_name` LIKE 'manual-%' OR t.`trigger_name` LIKE 'retry-%' OR t.`trigger_name` LIKE 'recovery-%') AND t.`next_fire_us` <= ? AND t.`next_fire_us` >= ? AND (t.`next_fire_us` > ? OR t.`priority` < ? OR (t.`priority` = ? AND t.`trigger_key` > ?))
  ORDER BY t.`next_fire_us`, t.`priority` DESC, t.`trigger_key`
  LIMIT 16;
-- 8 arguments: "x", "y", 1, 1, 1, 0, 0, "j/t"

-- next due, 2 jobs excluded
SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` NOT IN (?, ?) AND (t.`trigger_name` LIKE 'manual-%' OR t.`trigger_name` LIKE 'retry-%' OR t.`trigger_name` LIKE 'recovery-%')
  ORDER BY t.`next_fire_us`
  LIMIT 1);
-- 2 arguments: "x", "y"

-- next due and the clock, 2 jobs excluded
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)), (SELECT (SELECT t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_due`)
  WHERE t.`trigger_state` = 1 AND t.`is_local` = 0 AND t.`job_name` NOT IN (?, ?) AND (t.`trigger_name` LIKE 'manual-%' OR t.`trigger_name` LIKE 'retry-%' OR t.`trigger_name` LIKE 'recovery-%')
  ORDER BY t.`next_fire_us`
  LIMIT 1));
-- 2 arguments: "x", "y"

-- lock exclusive jobs, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- keep concurrent jobs, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 1)
  ORDER BY j.`job_name` FOR SHARE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- lock jobs, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- read jobs, 1
SELECT j.`job_name`, j.`handler_key`, j.`job_description`, j.`job_data`, j.`allow_concurrent`, j.`every_instance`, j.`requests_recovery`, j.`paused`, j.`max_retries`, j.`retry_delay_ms`, j.`retry_max_delay_ms`, j.`retry_backoff`, j.`timeout_ms`, j.`active_run_id`, j.`fence`, j.`job_source`, j.`fingerprint`, j.`code_version`, j.`version`, r.`run_id`
  FROM `scheduler_jobs` AS j
  LEFT JOIN `scheduler_runs` AS r ON r.`run_id` = j.`active_run_id` AND r.`run_state` + 0 = 1
  WHERE j.`job_name` = ?;
-- 1 arguments: "a"

-- share concurrent jobs of ending runs, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 1)
  ORDER BY j.`job_name` FOR SHARE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- lock jobs that may be occupied, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0 OR j.`active_run_id` IS NOT NULL)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- lock jobs in a management call, to save or delete, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?)
  ORDER BY j.`job_name`
  FOR UPDATE OF j;
-- 2 arguments: "a", ""

-- share and read jobs, 1
SELECT j.`job_name`, j.`handler_key`, j.`job_description`, j.`job_data`, j.`allow_concurrent`, j.`every_instance`, j.`requests_recovery`, j.`paused`, j.`max_retries`, j.`retry_delay_ms`, j.`retry_max_delay_ms`, j.`retry_backoff`, j.`timeout_ms`, j.`active_run_id`, j.`fence`, j.`job_source`, j.`fingerprint`, j.`code_version`, j.`version`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` = ? FOR SHARE OF j SKIP LOCKED;
-- 1 arguments: "a"

-- lock jobs of ending runs, 1
SELECT j.`job_name`, j.`allow_concurrent`, j.`paused`, j.`active_run_id`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0 OR j.`active_run_id` IS NOT NULL)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", ""

-- read jobs of ending runs, 1
SELECT j.`job_name`, j.`allow_concurrent`, j.`paused`, j.`active_run_id`
  FROM `scheduler_jobs` AS j
  WHERE j.`job_name` = ?
  ORDER BY j.`job_name`;
-- 1 arguments: "a"

-- which jobs exist, 1
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` = ?;
-- 1 arguments: "a"

-- lock triggers, 1
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` = ?
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t SKIP LOCKED;
-- 1 arguments: "a"

-- whose triggers, 1
SELECT t.`trigger_key`, t.`claim_id`, t.`version`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_key` = ?;
-- 1 arguments: "a"

-- when triggers are due, 1
SELECT t.`trigger_key`, t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` = ?;
-- 1 arguments: "a"

-- lock runs, 1
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`, r.`run_kind`, r.`run_state`, r.`running_on`, r.`node_id`, r.`incarnation`, r.`scheduled_us`, r.`started_us`, r.`completed_us`, r.`attempt`, r.`retry_of`, r.`cancel_requested_us`, r.`fence`, r.`sequence_no`, r.`run_data`, r.`run_result`, r.`error_code`, r.`error_text`, r.`version`
  FROM `scheduler_runs` AS r FORCE INDEX (PRIMARY)
  WHERE r.`run_id` = ?
  ORDER BY r.`run_id`
  FOR UPDATE OF r SKIP LOCKED;
-- 1 arguments: "a"

-- read runs, 1
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`, r.`run_kind`, r.`run_state`, r.`running_on`, r.`node_id`, r.`incarnation`, r.`scheduled_us`, r.`started_us`, r.`completed_us`, r.`attempt`, r.`retry_of`, r.`cancel_requested_us`, r.`fence`, r.`sequence_no`, r.`run_data`, r.`run_result`, r.`error_code`, r.`error_text`, r.`version`
  FROM `scheduler_runs` AS r
  WHERE r.`run_id` = ?
  ORDER BY r.`run_id`;
-- 1 arguments: "a"

-- lock runs to cancel, 1
SELECT r.`run_id`, r.`run_state`, r.`cancel_requested_us`
  FROM `scheduler_runs` AS r FORCE INDEX (PRIMARY)
  WHERE r.`run_id` = ?
  ORDER BY r.`run_id`
  FOR UPDATE OF r;
-- 1 arguments: "a"

-- due triggers of occupied jobs, 1
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 1 AND b.`is_local` + 0 = 0 AND b.`next_fire_us` <= ?)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 500)) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 1 AND b.`is_local` + 0 = 0 AND b.`next_fire_us` <= ?
  FOR UPDATE OF b SKIP LOCKED;
-- 3 arguments: "a", 1, 1

-- first Blocked triggers, 1
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16)) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3;
-- 1 arguments: "a"

-- first Blocked triggers that are not paused, 1
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 0)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16)) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3 AND b.`paused` = 0;
-- 1 arguments: "a"

-- all Blocked triggers that are paused, 1
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 1)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 1073741824)) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3 AND b.`paused` = 1;
-- 1 arguments: "a"

-- lock triggers to hand back, 1
SELECT t.`trigger_key`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` = ?
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t SKIP LOCKED;
-- 1 arguments: "a"

-- lock triggers to hand back in a management call, 1
SELECT t.`trigger_key`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` = ?
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t;
-- 1 arguments: "a"

-- occupy jobs, 1
UPDATE `scheduler_jobs` AS t
  SET t.`active_run_id` = ?, t.`fence` = ?, t.`version` = t.`version` + 1
  WHERE t.`job_name` = ?;
-- 3 arguments: "r", 0, "j"

-- free jobs, 1
UPDATE `scheduler_jobs` AS t
  SET t.`active_run_id` = NULL, t.`version` = t.`version` + 1
  WHERE t.`job_name` = ?;
-- 1 arguments: "j"

-- claim triggers, 1
UPDATE `scheduler_triggers` AS t
  SET t.`trigger_state` = 2, t.`claim_id` = ?, t.`claimed_by` = ?, t.`incarnation` = ?, t.`claimed_us` = ?, t.`version` = t.`version` + 1
  WHERE t.`trigger_key` = ?;
-- 5 arguments: 7, "n", 3, 1, "j/t"

-- move triggers, 1
UPDATE `scheduler_triggers` AS t
  SET t.`trigger_state` = ?, t.`is_exclusive` = ?, t.`scheduled_us` = ?, t.`next_fire_us` = ?, t.`prev_fire_us` = ?, t.`fire_count` = ?, t.`claim_id` = ?, t.`claimed_by` = ?, t.`incarnation` = ?, t.`claimed_us` = ?, t.`error_code` = ?, t.`error_text` = ?, t.`zone_hash` = ?, t.`version` = t.`version` + 1
  WHERE t.`trigger_key` = ?;
-- 14 arguments: 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, "j/t"

-- block triggers, 1
UPDATE `scheduler_triggers` AS t
  SET t.`trigger_state` = 3, t.`is_exclusive` = 1, t.`version` = t.`version` + 1
  WHERE t.`trigger_key` = ?;
-- 1 arguments: "a"

-- hand triggers back, 1
UPDATE `scheduler_triggers` AS t
  SET t.`trigger_state` = ?, t.`version` = t.`version` + 1
  WHERE t.`trigger_key` = ?;
-- 2 arguments: 1, "a"

-- end runs, 1
UPDATE `scheduler_runs` AS t
  SET t.`run_state` = ?, t.`completed_us` = ?, t.`run_result` = ?, t.`error_code` = ?, t.`error_text` = ?, t.`running_on` = NULL, t.`version` = t.`version` + 1
  WHERE t.`run_id` = ?;
-- 6 arguments: 1, 1, <nil>, <nil>, <nil>, "r"

-- replace runs, 1
UPDATE `scheduler_runs` AS t
  SET t.`job_name` = ?, t.`trigger_name` = ?, t.`run_kind` = ?, t.`run_state` = ?, t.`running_on` = ?, t.`node_id` = ?, t.`incarnation` = ?, t.`scheduled_us` = ?, t.`started_us` = ?, t.`completed_us` = ?, t.`attempt` = ?, t.`retry_of` = ?, t.`cancel_requested_us` = ?, t.`fence` = ?, t.`sequence_no` = ?, t.`run_data` = ?, t.`run_result` = ?, t.`error_code` = ?, t.`error_text` = ?, t.`version` = t.`version` + 1
  WHERE t.`run_id` = ?;
-- 20 arguments: "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, "r"

-- request cancellation, 1
UPDATE `scheduler_runs` AS t
  SET t.`cancel_requested_us` = ?, t.`version` = t.`version` + 1
  WHERE t.`run_id` = ?;
-- 2 arguments: 1, "a"

-- remove triggers, 1
DELETE t
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_key` = ?;
-- 1 arguments: "j/t"

-- insert runs, 1
INSERT INTO `scheduler_runs` (`run_id`, `job_name`, `trigger_name`, `run_kind`, `run_state`, `running_on`, `node_id`, `incarnation`, `scheduled_us`, `started_us`, `completed_us`, `attempt`, `retry_of`, `cancel_requested_us`, `fence`, `sequence_no`, `run_data`, `run_result`, `error_code`, `error_text`, `version`)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- 21 arguments: "r", "j", "", 0, 1, "n", "n", 0, 1, 1, 1, <nil>, <nil>, <nil>, 0, 0, <nil>, <nil>, <nil>, <nil>, 0

-- insert one-shots, 1
INSERT INTO `scheduler_triggers` (`trigger_key`, `job_name`, `trigger_name`, `schedule_text`, `trigger_description`, `trigger_data`, `priority`, `misfire_policy`, `trigger_state`, `paused`, `is_local`, `is_exclusive`, `scheduled_us`, `next_fire_us`, `prev_fire_us`, `fire_count`, `claim_id`, `claimed_by`, `incarnation`, `claimed_us`, `run_as`, `attempt`, `retry_of`, `expires_us`, `error_code`, `error_text`, `zone_hash`, `version`)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- 28 arguments: "j/t", "j", "t", "s", <nil>, <nil>, 0, 0, 0, 0, 0, 0, 1, 1, <nil>, 0, <nil>, <nil>, <nil>, <nil>, 0, <nil>, <nil>, <nil>, <nil>, <nil>, <nil>, 0

-- which one-shots to enqueue, 1
SELECT v.`trigger_key`, 1 - j.`allow_concurrent`, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS j FORCE INDEX (PRIMARY) ON j.`job_name` = v.`job_name`
  LEFT JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  WHERE t.`trigger_key` IS NULL;
-- 1 arguments: "[[\"j/t\",\"j\"]]"

-- which one-shots to enqueue at a known instant, 1
SELECT v.`trigger_key`, 1 - j.`allow_concurrent`, CAST(? AS SIGNED)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS j FORCE INDEX (PRIMARY) ON j.`job_name` = v.`job_name`
  LEFT JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  WHERE t.`trigger_key` IS NULL;
-- 2 arguments: 1, "[[\"j/t\",\"j\"]]"

-- when triggers are due that an insert found, not of the dispatch: management, 1
SELECT t.`trigger_key`, t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` = ?
  FOR UPDATE OF t;
-- 1 arguments: "a"

-- lock exclusive jobs, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- keep concurrent jobs, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 1)
  ORDER BY j.`job_name` FOR SHARE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- lock jobs, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- read jobs, 2
SELECT j.`job_name`, j.`handler_key`, j.`job_description`, j.`job_data`, j.`allow_concurrent`, j.`every_instance`, j.`requests_recovery`, j.`paused`, j.`max_retries`, j.`retry_delay_ms`, j.`retry_max_delay_ms`, j.`retry_backoff`, j.`timeout_ms`, j.`active_run_id`, j.`fence`, j.`job_source`, j.`fingerprint`, j.`code_version`, j.`version`, r.`run_id`
  FROM `scheduler_jobs` AS j
  LEFT JOIN `scheduler_runs` AS r ON r.`run_id` = j.`active_run_id` AND r.`run_state` + 0 = 1
  WHERE j.`job_name` IN (?, ?);
-- 2 arguments: "a", "b"

-- share concurrent jobs of ending runs, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 1)
  ORDER BY j.`job_name` FOR SHARE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- lock jobs that may be occupied, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0 OR j.`active_run_id` IS NOT NULL)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- lock jobs in a management call, to save or delete, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?)
  ORDER BY j.`job_name`
  FOR UPDATE OF j;
-- 2 arguments: "a", "b"

-- share and read jobs, 2
SELECT j.`job_name`, j.`handler_key`, j.`job_description`, j.`job_data`, j.`allow_concurrent`, j.`every_instance`, j.`requests_recovery`, j.`paused`, j.`max_retries`, j.`retry_delay_ms`, j.`retry_max_delay_ms`, j.`retry_backoff`, j.`timeout_ms`, j.`active_run_id`, j.`fence`, j.`job_source`, j.`fingerprint`, j.`code_version`, j.`version`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) FOR SHARE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- lock jobs of ending runs, 2
SELECT j.`job_name`, j.`allow_concurrent`, j.`paused`, j.`active_run_id`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?) AND (j.`allow_concurrent` = 0 OR j.`active_run_id` IS NOT NULL)
  ORDER BY j.`job_name`
  FOR UPDATE OF j SKIP LOCKED;
-- 2 arguments: "a", "b"

-- read jobs of ending runs, 2
SELECT j.`job_name`, j.`allow_concurrent`, j.`paused`, j.`active_run_id`
  FROM `scheduler_jobs` AS j
  WHERE j.`job_name` IN (?, ?)
  ORDER BY j.`job_name`;
-- 2 arguments: "a", "b"

-- which jobs exist, 2
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j FORCE INDEX (PRIMARY)
  WHERE j.`job_name` IN (?, ?);
-- 2 arguments: "a", "b"

-- lock triggers, 2
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` IN (?, ?)
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t SKIP LOCKED;
-- 2 arguments: "a", "b"

-- whose triggers, 2
SELECT t.`trigger_key`, t.`claim_id`, t.`version`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_key` IN (?, ?);
-- 2 arguments: "a", "b"

-- when triggers are due, 2
SELECT t.`trigger_key`, t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` IN (?, ?);
-- 2 arguments: "a", "b"

-- lock runs, 2
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`, r.`run_kind`, r.`run_state`, r.`running_on`, r.`node_id`, r.`incarnation`, r.`scheduled_us`, r.`started_us`, r.`completed_us`, r.`attempt`, r.`retry_of`, r.`cancel_requested_us`, r.`fence`, r.`sequence_no`, r.`run_data`, r.`run_result`, r.`error_code`, r.`error_text`, r.`version`
  FROM `scheduler_runs` AS r FORCE INDEX (PRIMARY)
  WHERE r.`run_id` IN (?, ?)
  ORDER BY r.`run_id`
  FOR UPDATE OF r SKIP LOCKED;
-- 2 arguments: "a", "b"

-- read runs, 2
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`, r.`run_kind`, r.`run_state`, r.`running_on`, r.`node_id`, r.`incarnation`, r.`scheduled_us`, r.`started_us`, r.`completed_us`, r.`attempt`, r.`retry_of`, r.`cancel_requested_us`, r.`fence`, r.`sequence_no`, r.`run_data`, r.`run_result`, r.`error_code`, r.`error_text`, r.`version`
  FROM `scheduler_runs` AS r
  WHERE r.`run_id` IN (?, ?)
  ORDER BY r.`run_id`;
-- 2 arguments: "a", "b"

-- lock runs to cancel, 2
SELECT r.`run_id`, r.`run_state`, r.`cancel_requested_us`
  FROM `scheduler_runs` AS r FORCE INDEX (PRIMARY)
  WHERE r.`run_id` IN (?, ?)
  ORDER BY r.`run_id`
  FOR UPDATE OF r;
-- 2 arguments: "a", "b"

-- due triggers of occupied jobs, 2
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 1 AND b.`is_local` + 0 = 0 AND b.`next_fire_us` <= ?)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 500) UNION ALL (SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 1 AND b.`is_local` + 0 = 0 AND b.`next_fire_us` <= ?)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 500)
  LIMIT 500) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 1 AND b.`is_local` + 0 = 0 AND b.`next_fire_us` <= ?
  FOR UPDATE OF b SKIP LOCKED;
-- 5 arguments: "a", 1, "b", 1, 1

-- first Blocked triggers, 2
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16) UNION ALL (SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16)
  LIMIT 32) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3;
-- 2 arguments: "a", "b"

-- first Blocked triggers that are not paused, 2
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 0)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16) UNION ALL (SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 0)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 16)
  LIMIT 32) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3 AND b.`paused` = 0;
-- 2 arguments: "a", "b"

-- all Blocked triggers that are paused, 2
SELECT b.`trigger_key`, b.`job_name`, b.`paused`
  FROM ((SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 1)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 1073741824) UNION ALL (SELECT b.`trigger_key` AS k
  FROM `scheduler_triggers` AS b
  WHERE b.`job_name` = ? AND (b.`trigger_state` = 3 AND b.`paused` = 1)
  ORDER BY b.`next_fire_us`, b.`priority` DESC, b.`trigger_key`
  LIMIT 1073741824)
  LIMIT 1073741824) AS v STRAIGHT_JOIN `scheduler_triggers` AS b FORCE INDEX (PRIMARY) ON b.`trigger_key` = v.k
  WHERE b.`trigger_state` = 3 AND b.`paused` = 1;
-- 2 arguments: "a", "b"

-- lock triggers to hand back, 2
SELECT t.`trigger_key`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` IN (?, ?)
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t SKIP LOCKED;
-- 2 arguments: "a", "b"

-- lock triggers to hand back in a management call, 2
SELECT t.`trigger_key`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` IN (?, ?)
  ORDER BY t.`trigger_key`
  FOR UPDATE OF t;
-- 2 arguments: "a", "b"

-- occupy jobs, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `active_run_id` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR, `fence` bigint PATH '$[2]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS t FORCE INDEX (PRIMARY) ON t.`job_name` = v.`job_name`
  SET t.`active_run_id` = v.`active_run_id`, t.`fence` = v.`fence`, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"j\",\"r\",0],[\"j\",\"r\",0]]"

-- free jobs, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS t FORCE INDEX (PRIMARY) ON t.`job_name` = v.`job_name`
  SET t.`active_run_id` = NULL, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"j\"],[\"j\"]]"

-- claim triggers, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  SET t.`trigger_state` = 2, t.`claim_id` = ?, t.`claimed_by` = ?, t.`incarnation` = ?, t.`claimed_us` = ?, t.`version` = t.`version` + 1;
-- 5 arguments: "[[\"j/t\"],[\"j/t\"]]", 7, "n", 3, 1

-- move triggers, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `trigger_state` smallint PATH '$[1]' ERROR ON ERROR, `is_exclusive` smallint PATH '$[2]' ERROR ON ERROR, `scheduled_us` bigint PATH '$[3]' ERROR ON ERROR, `next_fire_us` bigint PATH '$[4]' ERROR ON ERROR, `prev_fire_us` bigint PATH '$[5]' ERROR ON ERROR, `fire_count` bigint PATH '$[6]' ERROR ON ERROR, `claim_id` bigint PATH '$[7]' ERROR ON ERROR, `claimed_by` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[8]' ERROR ON ERROR, `incarnation` bigint PATH '$[9]' ERROR ON ERROR, `claimed_us` bigint PATH '$[10]' ERROR ON ERROR, `error_code` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[11]' ERROR ON ERROR, `error_text` longtext CHARACTER
  SET utf8mb4 PATH '$[12]' ERROR ON ERROR, `zone_hash` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[13]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  SET t.`trigger_state` = v.`trigger_state`, t.`is_exclusive` = v.`is_exclusive`, t.`scheduled_us` = v.`scheduled_us`, t.`next_fire_us` = v.`next_fire_us`, t.`prev_fire_us` = v.`prev_fire_us`, t.`fire_count` = v.`fire_count`, t.`claim_id` = v.`claim_id`, t.`claimed_by` = v.`claimed_by`, t.`incarnation` = v.`incarnation`, t.`claimed_us` = v.`claimed_us`, t.`error_code` = v.`error_code`, t.`error_text` = v.`error_text`, t.`zone_hash` = v.`zone_hash`, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"j/t\",0,0,1,1,null,0,null,null,null,null,null,null,null…

-- block triggers, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  SET t.`trigger_state` = 3, t.`is_exclusive` = 1, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"a\"],[\"b\"]]"

-- hand triggers back, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `trigger_state` smallint PATH '$[1]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  SET t.`trigger_state` = v.`trigger_state`, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"a\",1],[\"b\",1]]"

-- end runs, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `run_state` smallint PATH '$[1]' ERROR ON ERROR, `completed_us` bigint PATH '$[2]' ERROR ON ERROR, `run_result` longtext CHARACTER
  SET utf8mb4 PATH '$[3]' ERROR ON ERROR, `error_code` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[4]' ERROR ON ERROR, `error_text` longtext CHARACTER
  SET utf8mb4 PATH '$[5]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_runs` AS t FORCE INDEX (PRIMARY) ON t.`run_id` = v.`run_id`
  SET t.`run_state` = v.`run_state`, t.`completed_us` = v.`completed_us`, t.`run_result` = v.`run_result`, t.`error_code` = v.`error_code`, t.`error_text` = v.`error_text`, t.`running_on` = NULL, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"r\",1,1,null,null,null],[\"r\",1,1,null,null,null]]"

-- replace runs, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR, `trigger_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[2]' ERROR ON ERROR, `run_kind` smallint PATH '$[3]' ERROR ON ERROR, `run_state` smallint PATH '$[4]' ERROR ON ERROR, `running_on` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[5]' ERROR ON ERROR, `node_id` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[6]' ERROR ON ERROR, `incarnation` bigint PATH '$[7]' ERROR ON ERROR, `scheduled_us` bigint PATH '$[8]' ERROR ON ERROR, `started_us` bigint PATH '$[9]' ERROR ON ERROR, `completed_us` bigint PATH '$[10]' ERROR ON ERROR, `attempt` int PATH '$[11]' ERROR ON ERROR, `retry_of` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[12]' ERROR ON ERROR, `cancel_requested_us` bigint PATH '$[13]' ERROR ON ERROR, `fence` bigint PATH '$[14]' ERROR ON ERROR, `sequence_no` bigint PATH '$[15]' ERROR ON ERROR, `run_data` longtext CHARACTER
  SET utf8mb4 PATH '$[16]' ERROR ON ERROR, `run_result` longtext CHARACTER
  SET utf8mb4 PATH '$[17]' ERROR ON ERROR, `error_code` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[18]' ERROR ON ERROR, `error_text` longtext CHARACTER
  SET utf8mb4 PATH '$[19]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_runs` AS t FORCE INDEX (PRIMARY) ON t.`run_id` = v.`run_id`
  SET t.`job_name` = v.`job_name`, t.`trigger_name` = v.`trigger_name`, t.`run_kind` = v.`run_kind`, t.`run_state` = v.`run_state`, t.`running_on` = v.`running_on`, t.`node_id` = v.`node_id`, t.`incarnation` = v.`incarnation`, t.`scheduled_us` = v.`scheduled_us`, t.`started_us` = v.`started_us`, t.`completed_us` = v.`completed_us`, t.`attempt` = v.`attempt`, t.`retry_of` = v.`retry_of`, t.`cancel_requested_us` = v.`cancel_requested_us`, t.`fence` = v.`fence`, t.`sequence_no` = v.`sequence_no`, t.`run_data` = v.`run_data`, t.`run_result` = v.`run_result`, t.`error_code` = v.`error_code`, t.`error_text` = v.`error_text`, t.`version` = t.`version` + 1;
-- 1 arguments: "[[\"r\",\"j\",\"\",0,1,\"n\",\"n\",0,1,1,1,null,null,null,0…

-- request cancellation, 2
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_runs` AS t FORCE INDEX (PRIMARY) ON t.`run_id` = v.`run_id`
  SET t.`cancel_requested_us` = ?, t.`version` = t.`version` + 1;
-- 2 arguments: "[[\"a\"],[\"b\"]]", 1

-- remove triggers, 2
DELETE t
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`;
-- 1 arguments: "[[\"j/t\"],[\"j/t\"]]"

-- insert runs, 2
INSERT INTO `scheduler_runs` (`run_id`, `job_name`, `trigger_name`, `run_kind`, `run_state`, `running_on`, `node_id`, `incarnation`, `scheduled_us`, `started_us`, `completed_us`, `attempt`, `retry_of`, `cancel_requested_us`, `fence`, `sequence_no`, `run_data`, `run_result`, `error_code`, `error_text`, `version`) SELECT v.`run_id`, v.`job_name`, v.`trigger_name`, v.`run_kind`, v.`run_state`, v.`running_on`, v.`node_id`, v.`incarnation`, v.`scheduled_us`, v.`started_us`, v.`completed_us`, v.`attempt`, v.`retry_of`, v.`cancel_requested_us`, v.`fence`, v.`sequence_no`, v.`run_data`, v.`run_result`, v.`error_code`, v.`error_text`, v.`version`
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`run_id` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR, `trigger_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[2]' ERROR ON ERROR, `run_kind` smallint PATH '$[3]' ERROR ON ERROR, `run_state` smallint PATH '$[4]' ERROR ON ERROR, `running_on` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[5]' ERROR ON ERROR, `node_id` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[6]' ERROR ON ERROR, `incarnation` bigint PATH '$[7]' ERROR ON ERROR, `scheduled_us` bigint PATH '$[8]' ERROR ON ERROR, `started_us` bigint PATH '$[9]' ERROR ON ERROR, `completed_us` bigint PATH '$[10]' ERROR ON ERROR, `attempt` int PATH '$[11]' ERROR ON ERROR, `retry_of` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[12]' ERROR ON ERROR, `cancel_requested_us` bigint PATH '$[13]' ERROR ON ERROR, `fence` bigint PATH '$[14]' ERROR ON ERROR, `sequence_no` bigint PATH '$[15]' ERROR ON ERROR, `run_data` longtext CHARACTER
  SET utf8mb4 PATH '$[16]' ERROR ON ERROR, `run_result` longtext CHARACTER
  SET utf8mb4 PATH '$[17]' ERROR ON ERROR, `error_code` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[18]' ERROR ON ERROR, `error_text` longtext CHARACTER
  SET utf8mb4 PATH '$[19]' ERROR ON ERROR, `version` bigint PATH '$[20]' ERROR ON ERROR)) AS v;
-- 1 arguments: "[[\"r\",\"j\",\"\",0,1,\"n\",\"n\",0,1,1,1,null,null,null,0…

-- insert one-shots, 2
INSERT INTO `scheduler_triggers` (`trigger_key`, `job_name`, `trigger_name`, `schedule_text`, `trigger_description`, `trigger_data`, `priority`, `misfire_policy`, `trigger_state`, `paused`, `is_local`, `is_exclusive`, `scheduled_us`, `next_fire_us`, `prev_fire_us`, `fire_count`, `claim_id`, `claimed_by`, `incarnation`, `claimed_us`, `run_as`, `attempt`, `retry_of`, `expires_us`, `error_code`, `error_text`, `zone_hash`, `version`) SELECT v.`trigger_key`, v.`job_name`, v.`trigger_name`, v.`schedule_text`, v.`trigger_description`, v.`trigger_data`, v.`priority`, v.`misfire_policy`, v.`trigger_state`, v.`paused`, v.`is_local`, v.`is_exclusive`, v.`scheduled_us`, v.`next_fire_us`, v.`prev_fire_us`, v.`fire_count`, v.`claim_id`, v.`claimed_by`, v.`incarnation`, v.`claimed_us`, v.`run_as`, v.`attempt`, v.`retry_of`, v.`expires_us`, v.`error_code`, v.`error_text`, v.`zone_hash`, v.`version`
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR, `trigger_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[2]' ERROR ON ERROR, `schedule_text` longtext CHARACTER
  SET utf8mb4 PATH '$[3]' ERROR ON ERROR, `trigger_description` longtext CHARACTER
  SET utf8mb4 PATH '$[4]' ERROR ON ERROR, `trigger_data` longtext CHARACTER
  SET utf8mb4 PATH '$[5]' ERROR ON ERROR, `priority` int PATH '$[6]' ERROR ON ERROR, `misfire_policy` smallint PATH '$[7]' ERROR ON ERROR, `trigger_state` smallint PATH '$[8]' ERROR ON ERROR, `paused` smallint PATH '$[9]' ERROR ON ERROR, `is_local` smallint PATH '$[10]' ERROR ON ERROR, `is_exclusive` smallint PATH '$[11]' ERROR ON ERROR, `scheduled_us` bigint PATH '$[12]' ERROR ON ERROR, `next_fire_us` bigint PATH '$[13]' ERROR ON ERROR, `prev_fire_us` bigint PATH '$[14]' ERROR ON ERROR, `fire_count` bigint PATH '$[15]' ERROR ON ERROR, `claim_id` bigint PATH '$[16]' ERROR ON ERROR, `claimed_by` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[17]' ERROR ON ERROR, `incarnation` bigint PATH '$[18]' ERROR ON ERROR, `claimed_us` bigint PATH '$[19]' ERROR ON ERROR, `run_as` smallint PATH '$[20]' ERROR ON ERROR, `attempt` int PATH '$[21]' ERROR ON ERROR, `retry_of` varchar(36) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[22]' ERROR ON ERROR, `expires_us` bigint PATH '$[23]' ERROR ON ERROR, `error_code` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[24]' ERROR ON ERROR, `error_text` longtext CHARACTER
  SET utf8mb4 PATH '$[25]' ERROR ON ERROR, `zone_hash` varchar(64) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[26]' ERROR ON ERROR, `version` bigint PATH '$[27]' ERROR ON ERROR)) AS v;
-- 1 arguments: "[[\"j/t\",\"j\",\"t\",\"s\",null,null,0,0,0,0,0,0,1,1,null,…

-- which one-shots to enqueue, 2
SELECT v.`trigger_key`, 1 - j.`allow_concurrent`, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS j FORCE INDEX (PRIMARY) ON j.`job_name` = v.`job_name`
  LEFT JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  WHERE t.`trigger_key` IS NULL;
-- 1 arguments: "[[\"j/t\",\"j\"],[\"j/t\",\"j\"]]"

-- which one-shots to enqueue at a known instant, 2
SELECT v.`trigger_key`, 1 - j.`allow_concurrent`, CAST(? AS SIGNED)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (`trigger_key` varchar(257) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[0]' ERROR ON ERROR, `job_name` varchar(128) CHARACTER
  SET ascii COLLATE ascii_bin PATH '$[1]' ERROR ON ERROR)) AS v STRAIGHT_JOIN `scheduler_jobs` AS j FORCE INDEX (PRIMARY) ON j.`job_name` = v.`job_name`
  LEFT JOIN `scheduler_triggers` AS t FORCE INDEX (PRIMARY) ON t.`trigger_key` = v.`trigger_key`
  WHERE t.`trigger_key` IS NULL;
-- 2 arguments: 1, "[[\"j/t\",\"j\"],[\"j/t\",\"j\"]]"

-- when triggers are due that an insert found, not of the dispatch: management, 2
SELECT t.`trigger_key`, t.`next_fire_us`
  FROM `scheduler_triggers` AS t FORCE INDEX (PRIMARY)
  WHERE t.`trigger_key` IN (?, ?)
  FOR UPDATE OF t;
-- 2 arguments: "a", "b"

-- runs in flight
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`, r.`run_kind`, r.`run_state`, r.`running_on`, r.`node_id`, r.`incarnation`, r.`scheduled_us`, r.`started_us`, r.`completed_us`, r.`attempt`, r.`retry_of`, r.`cancel_requested_us`, r.`fence`, r.`sequence_no`, r.`run_data`, r.`run_result`, r.`error_code`, r.`error_text`, r.`version`, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))
  FROM `scheduler_runs` AS r
  WHERE r.`running_on` = ? AND r.`incarnation` = ?;
-- 2 arguments: "n", 3

-- claims in flight
SELECT t.`trigger_key`, t.`job_name`, t.`trigger_name`, t.`schedule_text`, t.`trigger_description`, t.`trigger_data`, t.`priority`, t.`misfire_policy`, t.`trigger_state`, t.`paused`, t.`is_local`, t.`is_exclusive`, t.`scheduled_us`, t.`next_fire_us`, t.`prev_fire_us`, t.`fire_count`, t.`claim_id`, t.`claimed_by`, t.`incarnation`, t.`claimed_us`, t.`run_as`, t.`attempt`, t.`retry_of`, t.`expires_us`, t.`error_code`, t.`error_text`, t.`zone_hash`, t.`version`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_state` = 2 AND t.`claimed_by` = ? AND t.`incarnation` = ? AND t.`next_fire_us` IS NOT NULL;
-- 2 arguments: "n", 3

-- lost runs
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`
  FROM `scheduler_runs` AS r
  WHERE r.`running_on` IS NOT NULL AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = r.`running_on` AND n.`incarnation` = r.`incarnation`
  LIMIT 1) IS NULL
  LIMIT 101;

-- lost claims
SELECT t.`trigger_key`, t.`job_name`, t.`claim_id`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_state` = 2 AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = t.`claimed_by` AND n.`incarnation` = t.`incarnation`
  LIMIT 1) IS NULL AND (t.`next_fire_us` IS NOT NULL OR (SELECT 1
  FROM `scheduler_runs` AS r FORCE INDEX (`idx_scheduler_runs_running`)
  WHERE r.`running_on` = t.`claimed_by` AND r.`incarnation` = t.`incarnation` AND COALESCE(r.`job_name`, '') = t.`job_name` AND r.`trigger_name` = t.`trigger_name`
  LIMIT 1) IS NULL)
  LIMIT 101;

-- stray jobs
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j
  WHERE (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 3 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NOT NULL AND (j.`allow_concurrent` = 1 OR NOT COALESCE((SELECT r.`run_state`
  FROM `scheduler_runs` AS r
  WHERE r.`run_id` = j.`active_run_id`), 0) = 1 AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 2 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NULL AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 1 + 0 * j.`allow_concurrent` AND t.`next_fire_us` <= ?
  LIMIT 1) IS NULL)
  LIMIT 101;
-- 1 arguments: 1

-- lost runs, 1 jobs passed over
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`
  FROM `scheduler_runs` AS r
  WHERE r.`running_on` IS NOT NULL AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = r.`running_on` AND n.`incarnation` = r.`incarnation`
  LIMIT 1) IS NULL AND r.`job_name` <> ?
  LIMIT 101;
-- 1 arguments: "a"

-- lost claims, 1 jobs passed over
SELECT t.`trigger_key`, t.`job_name`, t.`claim_id`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_state` = 2 AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = t.`claimed_by` AND n.`incarnation` = t.`incarnation`
  LIMIT 1) IS NULL AND (t.`next_fire_us` IS NOT NULL OR (SELECT 1
  FROM `scheduler_runs` AS r FORCE INDEX (`idx_scheduler_runs_running`)
  WHERE r.`running_on` = t.`claimed_by` AND r.`incarnation` = t.`incarnation` AND COALESCE(r.`job_name`, '') = t.`job_name` AND r.`trigger_name` = t.`trigger_name`
  LIMIT 1) IS NULL) AND t.`job_name` <> ?
  LIMIT 101;
-- 1 arguments: "a"

-- stray jobs, 1 jobs passed over
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j
  WHERE (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 3 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NOT NULL AND (j.`allow_concurrent` = 1 OR NOT COALESCE((SELECT r.`run_state`
  FROM `scheduler_runs` AS r
  WHERE r.`run_id` = j.`active_run_id`), 0) = 1 AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 2 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NULL AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 1 + 0 * j.`allow_concurrent` AND t.`next_fire_us` <= ?
  LIMIT 1) IS NULL) AND j.`job_name` <> ?
  LIMIT 101;
-- 2 arguments: 1, "a"

-- lost runs, 2 jobs passed over
SELECT r.`run_id`, r.`job_name`, r.`trigger_name`
  FROM `scheduler_runs` AS r
  WHERE r.`running_on` IS NOT NULL AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = r.`running_on` AND n.`incarnation` = r.`incarnation`
  LIMIT 1) IS NULL AND r.`job_name` NOT IN (?, ?)
  LIMIT 101;
-- 2 arguments: "a", "b"

-- lost claims, 2 jobs passed over
SELECT t.`trigger_key`, t.`job_name`, t.`claim_id`
  FROM `scheduler_triggers` AS t
  WHERE t.`trigger_state` = 2 AND (SELECT 1
  FROM `scheduler_nodes` AS n
  WHERE n.`node_id` = t.`claimed_by` AND n.`incarnation` = t.`incarnation`
  LIMIT 1) IS NULL AND (t.`next_fire_us` IS NOT NULL OR (SELECT 1
  FROM `scheduler_runs` AS r FORCE INDEX (`idx_scheduler_runs_running`)
  WHERE r.`running_on` = t.`claimed_by` AND r.`incarnation` = t.`incarnation` AND COALESCE(r.`job_name`, '') = t.`job_name` AND r.`trigger_name` = t.`trigger_name`
  LIMIT 1) IS NULL) AND t.`job_name` NOT IN (?, ?)
  LIMIT 101;
-- 2 arguments: "a", "b"

-- stray jobs, 2 jobs passed over
SELECT j.`job_name`
  FROM `scheduler_jobs` AS j
  WHERE (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 3 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NOT NULL AND (j.`allow_concurrent` = 1 OR NOT COALESCE((SELECT r.`run_state`
  FROM `scheduler_runs` AS r
  WHERE r.`run_id` = j.`active_run_id`), 0) = 1 AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 2 + 0 * j.`allow_concurrent`
  LIMIT 1) IS NULL AND (SELECT 1
  FROM `scheduler_triggers` AS t FORCE INDEX (`idx_scheduler_triggers_handback`)
  WHERE t.`job_name` = j.`job_name` AND t.`trigger_state` = 1 + 0 * j.`allow_concurrent` AND t.`next_fire_us` <= ?
  LIMIT 1) IS NULL) AND j.`job_name` NOT IN (?, ?)
  LIMIT 101;
-- 3 arguments: 1, "a", "b"

-- trigger names of runs
SELECT r.`trigger_name`
  FROM `scheduler_runs` AS r FORCE INDEX (`idx_scheduler_runs_job_sched`)
  WHERE r.`job_name` = ? AND r.`scheduled_us` >= ?;
-- 2 arguments: "j", 1

