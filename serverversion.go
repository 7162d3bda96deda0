package gormsched

import (
	"fmt"
	"reflect"

	"gorm.io/gorm"
)

// serverVersion is the server's version as the dialector has read it. It is
// needed for MySQL and MariaDB, which share one dialector: there the server is
// asked where the application told the dialector not to. Elsewhere it is "".
func serverVersion(db *gorm.DB) (string, error) {
	if db.Name() != "mysql" {
		return "", nil
	}
	if version := stringField(reflect.ValueOf(db.Dialector), "ServerVersion"); version != "" {
		return version, nil
	}
	var version string
	if err := db.Raw("SELECT VERSION()").Row().Scan(&version); err != nil {
		return "", fmt.Errorf("asking the mysql server for its version: %w", err)
	}
	return version, nil
}

// stringField reads a field of a struct, or of one that it embeds.
func stringField(v reflect.Value, name string) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return ""
	}
	field, ok := v.Type().FieldByName(name)
	if !ok {
		return ""
	}
	f, err := v.FieldByIndexErr(field.Index)
	if err != nil || f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}
