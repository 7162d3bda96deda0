package gormsched

import (
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"github.com/gormsched/gormsched/dialects"
)

// Key is the type of key columns: names, ids, resources and short codes. They
// compare and sort by their bytes on every database, whatever its default
// collation is (D32). The column's length is the size in the field's tag.
type Key string

// GormDBDataType gives the column's type: a bytewise collation with the length
// of the field. On a database that is not named here it is empty, and the
// dialector's own text type is used.
func (Key) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	switch db.Name() {
	case "sqlite":
		return "text" // BINARY is the default collation
	case "postgres":
		return fmt.Sprintf(`varchar(%d) COLLATE "C"`, field.Size)
	case "mysql":
		return fmt.Sprintf("varchar(%d) CHARACTER SET ascii COLLATE ascii_bin", field.Size)
	case "sqlserver":
		// nvarchar: the driver sends text as nvarchar, and a varchar column
		// would be converted row by row.
		return fmt.Sprintf("nvarchar(%d) COLLATE Latin1_General_100_BIN2", field.Size)
	}
	return ""
}

// Small is the type of columns of 16 bits: flags and enumerations.
type Small int16

// Int is the type of columns of 32 bits: small numbers.
type Int int32

// GormDBDataType is the dialector's own type, "", except on SQL Server, whose
// dialector would take the next larger one.
func (Small) GormDBDataType(db *gorm.DB, _ *schema.Field) string {
	if db.Name() == "sqlserver" {
		return "smallint"
	}
	return ""
}

// GormDBDataType is "", as of [Small], except on SQL Server.
func (Int) GormDBDataType(db *gorm.DB, _ *schema.Field) string {
	if db.Name() == "sqlserver" {
		return "int"
	}
	return ""
}

// columnTypes are the types of all columns, by name. A name means the same in
// every table that has it.
var columnTypes = map[string]dialects.Type{
	"job_name": dialects.Key(128), "trigger_name": dialects.Key(128), "trigger_key": dialects.Key(257),
	"handler_key": dialects.Key(128), "fingerprint": dialects.Key(128), "active_run_id": dialects.Key(36),
	"job_description": dialects.LongText, "job_data": dialects.LongText,
	"allow_concurrent": dialects.Small, "every_instance": dialects.Small, "requests_recovery": dialects.Small,
	"paused": dialects.Small, "job_source": dialects.Small, "code_version": dialects.Big,
	"max_retries": dialects.Int, "retry_delay_ms": dialects.Big, "retry_max_delay_ms": dialects.Big,
	"retry_backoff": dialects.Small, "timeout_ms": dialects.Big,

	"schedule_text": dialects.LongText, "trigger_description": dialects.LongText, "trigger_data": dialects.LongText,
	"priority": dialects.Int, "misfire_policy": dialects.Small, "trigger_state": dialects.Small,
	"is_local": dialects.Small, "is_exclusive": dialects.Small,
	"scheduled_us": dialects.Big, "next_fire_us": dialects.Big, "prev_fire_us": dialects.Big, "fire_count": dialects.Big,
	"claim_id": dialects.Big, "claimed_by": dialects.Key(128), "incarnation": dialects.Big, "claimed_us": dialects.Big,
	"run_as": dialects.Small, "attempt": dialects.Int, "retry_of": dialects.Key(36), "expires_us": dialects.Big,
	"error_code": dialects.Key(64), "error_text": dialects.LongText, "zone_hash": dialects.Key(64),

	"run_id": dialects.Key(36), "run_kind": dialects.Small, "run_state": dialects.Small,
	"running_on": dialects.Key(128), "node_id": dialects.Key(128),
	"started_us": dialects.Big, "completed_us": dialects.Big, "cancel_requested_us": dialects.Big,
	"sequence_no": dialects.Big, "run_data": dialects.LongText, "run_result": dialects.LongText,

	"heartbeat_us": dialects.Big, "heartbeat_ms": dialects.Big, "host": dialects.Key(255),
	"boot_id": dialects.Key(64), "pid_namespace": dialects.Key(64), "process_id": dialects.Big,

	"lease_name": dialects.Key(128), "holder": dialects.Key(128), "token": dialects.Key(64), "ttl_ms": dialects.Big,

	"fence": dialects.Big, "version": dialects.Big,
}

// sourceColumns gives named columns for a row source or an insert.
func sourceColumns(names ...string) []dialects.Column {
	list := make([]dialects.Column, len(names))
	for i, name := range names {
		list[i] = dialects.Column{Name: name, Type: columnTypes[name]}
	}
	return list
}
