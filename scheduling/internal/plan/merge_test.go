package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// TestMerge: job, trigger, request, key by key, values byte for byte (R137,
// R240).
func TestMerge(t *testing.T) {
	tests := []struct {
		name   string
		layers []string
		want   string
	}{
		{"nothing", nil, ""},
		{"absent layers", []string{"", "", ""}, ""},
		{"empty is not absent", []string{"", "{}"}, "{}"},
		{"two empty ones", []string{"{}", " { } "}, "{}"},
		{"a single layer stays as it is", []string{"", ` { "b" : 1 , "a":[ 1 ] } `, ""}, ` { "b" : 1 , "a":[ 1 ] } `},
		{"an empty layer adds nothing", []string{`{"a": 1}`, `{}`}, `{"a":1}`},
		{"later overrides", []string{`{"a":1,"b":1}`, `{"b":2,"c":2}`, `{"c":3}`}, `{"a":1,"b":2,"c":3}`},
		{"first level only", []string{`{"a":{"x":1,"y":1}}`, `{"a":{"y":2}}`}, `{"a":{"y":2}}`},
		{"null overrides", []string{`{"a":1}`, `{"a":null}`}, `{"a":null}`},
		{"big numbers survive", []string{`{"n":123456789012345678901234567890}`, `{"f":1.0e+400}`}, `{"n":123456789012345678901234567890,"f":1.0e+400}`},
		{"spaces inside values survive", []string{`{"a":[1, 2]}`, `{"b":{ "c" : "d" }}`}, `{"a":[1, 2],"b":{ "c" : "d" }}`},
		{"escapes in strings survive", []string{`{"a":"\u00e9\n\"}"}`, `{"b":"\\"}`}, `{"a":"\u00e9\n\"}","b":"\\"}`},
		{"one key, two spellings", []string{`{"\u0061":1}`, `{"a":2}`}, `{"\u0061":2}`},
		{"a repeated key: the last value", []string{`{"a":1,"a":2}`, `{"b":3}`}, `{"a":2,"b":3}`},
		{"keys with braces and commas", []string{`{"}":1,",":2}`, `{"{":3}`}, `{"}":1,",":2,"{":3}`},
		{"empty key", []string{`{"":1}`, `{"":2}`}, `{"":2}`},
		{"values of every kind", []string{`{"a":true,"b":null,"c":-1.5e3,"d":"x","e":[],"f":{}}`, `{"g":false}`},
			`{"a":true,"b":null,"c":-1.5e3,"d":"x","e":[],"f":{},"g":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Merge(tt.layers...)
			if err != nil || got != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestMergeRefuses what is no object, and shows no payload.
func TestMergeRefuses(t *testing.T) {
	for _, bad := range []string{"[]", `"secret"`, "1", "null", "true", "{", `{"a":}`, "secret", `{} {}`, " "} {
		for _, layers := range [][]string{{bad}, {`{"a":1}`, bad}, {bad, `{"a":1}`}} {
			got, err := Merge(layers...)
			if err == nil || got != "" {
				t.Errorf("Merge(%q) = %q, %v; want an error", layers, got, err)
			} else if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the data: %v", err)
			}
		}
	}
}

// TestCheckData: the limits of one layer, each with its remedy.
func TestCheckData(t *testing.T) {
	nested := func(levels int) string {
		return strings.Repeat(`{"a":`, levels-1) + "{}" + strings.Repeat("}", levels-1)
	}
	sized := func(bytes int) string { return `{"a":"` + strings.Repeat("x", bytes-8) + `"}` }
	tests := []struct {
		name, text, want string
	}{
		{"absent", "", ""},
		{"empty object", "{}", ""},
		{"as deep as may be", nested(MaxDepth), ""},
		{"one level deeper", nested(MaxDepth + 1), "nested 101 levels deep: use at most 100"},
		{"arrays count too", `{"a":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + "}", "101 levels"},
		{"brackets in strings do not", `{"a":"` + strings.Repeat("[{", 200) + `\""}`, ""},
		{"nor behind an escaped quote", `{"a":"\"` + strings.Repeat("[{", 200) + `"}`, ""},
		{"as large as may be", sized(MaxData), ""},
		{"one byte larger", sized(MaxData + 1), "1048577 bytes of JSON: use at most 1048576"},
		{"deeper than any decoder goes", nested(20_000), "not valid JSON"},
		{"array", "[1]", "is a JSON array: wrap it in an object"},
		{"string", `"x"`, "is a JSON string"},
		{"number", "-1", "is a JSON number"},
		{"boolean", " false", "is a JSON boolean"},
		{"null", "null", "is a JSON null"},
		{"nonsense", "secret", "is not valid JSON (6 bytes)"},
		{"two values", "{}{}", "is not valid JSON"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "is not valid UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckData("Job.Data", tt.text)
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "Job.Data ") {
				t.Fatalf("error %v, want Job.Data … %q", err, tt.want)
			}
			if e, ok := err.(*provider.Error); !ok || e.Code != provider.CodeInvalidDefinition {
				t.Errorf("error %T %v, want SCHEDULING_VALIDATION_001", err, err)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the data: %v", err)
			}
		})
	}
}

// FuzzMerge compares with what encoding/json says about each layer: never a
// panic, the same members, the last layer's bytes.
func FuzzMerge(f *testing.F) {
	f.Add(`{"a":1,"b":{"c":[1,2]}}`, `{"b":2}`, ``)
	f.Add(`{"\u0061":1}`, `{"a":123456789012345678901234567890}`, `{"":null}`)
	f.Add(` { "x" : "}\"," } `, `{}`, `{"x":"\\"}`)
	f.Add(`[]`, `{"a":1}`, `nil`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		layers := []string{a, b, c}
		got, err := Merge(layers...)
		want, legal, present := map[string]json.RawMessage{}, true, 0
		for _, layer := range layers {
			if layer == "" {
				continue
			}
			present++
			var m map[string]json.RawMessage
			if json.Unmarshal([]byte(layer), &m) != nil || m == nil {
				legal = false
				break
			}
			for k, v := range m {
				want[k] = v
			}
		}
		if (err == nil) != legal {
			t.Fatalf("error %v, legal %v", err, legal)
		}
		if !legal {
			return
		}
		if present == 0 {
			if got != "" {
				t.Fatalf("%q from nothing", got)
			}
			return
		}
		var have map[string]json.RawMessage
		if err := json.Unmarshal([]byte(got), &have); err != nil {
			t.Fatalf("result %q: %v", got, err)
		}
		if len(have) != len(want) {
			t.Fatalf("result %q has %d members, want %d", got, len(have), len(want))
		}
		for k, v := range want {
			if string(have[k]) != string(v) {
				t.Fatalf("member %q is %s, want %s", k, have[k], v)
			}
		}
		if again, err := Merge(got, "{}"); err != nil || present > 1 && again != got {
			t.Fatalf("merging the result again: %q, %v; want %q", again, err, got)
		}
	})
}
