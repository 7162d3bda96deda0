package schedulingtest

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// diff returns "" if got equals want, else every field that differs. Instants
// are equal if they are the same instant, in UTC both.
func diff(got, want any) string {
	var out []string
	compare("", reflect.ValueOf(got), reflect.ValueOf(want), &out)
	const most = 12
	if len(out) > most {
		out = append(out[:most], fmt.Sprintf("and %d more", len(out)-most))
	}
	return strings.Join(out, "; ")
}

var timeType = reflect.TypeFor[time.Time]()

func compare(path string, got, want reflect.Value, out *[]string) {
	differs := func() {
		*out = append(*out, fmt.Sprintf("%s got %s, want %s", strings.TrimPrefix(path, "."), show(got), show(want)))
	}
	switch {
	case !got.IsValid() || !want.IsValid():
		if got.IsValid() != want.IsValid() {
			differs()
		}
	case got.Type() != want.Type():
		differs()
	case got.Type() == timeType:
		g, w := got.Interface().(time.Time), want.Interface().(time.Time)
		if !g.Equal(w) || g.IsZero() != w.IsZero() || !g.IsZero() && g.Location() != time.UTC {
			differs()
		}
	case got.Kind() == reflect.Struct:
		for i := range got.NumField() {
			if got.Type().Field(i).IsExported() {
				compare(path+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i), out)
			}
		}
	case got.Kind() == reflect.Slice:
		if got.Len() != want.Len() {
			*out = append(*out, fmt.Sprintf("%s got %d items %s, want %d items %s", strings.TrimPrefix(path, "."),
				got.Len(), show(got), want.Len(), show(want)))
			return
		}
		for i := range got.Len() {
			compare(fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i), out)
		}
	case got.Kind() == reflect.Pointer:
		if got.IsNil() || want.IsNil() {
			if got.IsNil() != want.IsNil() {
				differs()
			}
			return
		}
		compare(path, got.Elem(), want.Elem(), out)
	default:
		if !reflect.DeepEqual(got.Interface(), want.Interface()) {
			differs()
		}
	}
}

// show renders a value, cut to what one can read.
func show(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	var text string
	switch x := v.Interface().(type) {
	case string:
		text = fmt.Sprintf("%q", x)
	case time.Time:
		if x.IsZero() {
			return "no instant"
		}
		text = x.Format("2006-01-02T15:04:05.999999999Z07:00")
	default:
		text = fmt.Sprintf("%+v", x)
	}
	const most = 300
	if len(text) > most {
		cut := most
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = fmt.Sprintf("%s… (%d bytes)", text[:cut], len(text))
	}
	return text
}
