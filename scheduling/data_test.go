package scheduling_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gormsched/gormsched/scheduling"
)

// R137, R147: data is a JSON object, kept as it was given.
func TestNewData(t *testing.T) {
	type payload struct {
		Format string `json:"format"`
		Big    uint64 `json:"big"`
	}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nothing", nil, ""},
		{"data", scheduling.MustData(map[string]int{"a": 1}), `{"a":1}`},
		{"empty object is not nothing", map[string]any{}, "{}"},
		{"struct with a big number", payload{"pdf", math.MaxUint64}, `{"format":"pdf","big":18446744073709551615}`},
		{"pointer", &payload{Format: "pdf"}, `{"format":"pdf","big":0}`},
		{"raw text as it is", json.RawMessage(` {"a" : 1.00} `), ` {"a" : 1.00} `},
		{"markup is not escaped", map[string]string{"a": "<b>&"}, `{"a":"<b>&"}`},
		{"keys are sorted", map[string]int{"b": 2, "a": 1}, `{"a":1,"b":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := scheduling.NewData(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "text", got.String(), tt.want)
			equal(t, "zero", got.IsZero(), tt.want == "")
			again, err := scheduling.ParseData(got.String())
			if err != nil || again != got {
				t.Errorf("parsed again: %v, %v", again, err)
			}
		})
	}
}

// Bad data is refused with the field, what is wrong, and the remedy; the data
// itself is not shown.
func TestBadData(t *testing.T) {
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"list", []int{1}, "JSON array: wrap it in an object"},
		{"number", 7, "JSON number"},
		{"text", "secret", "JSON string"},
		{"nil pointer", (*struct{})(nil), "JSON null"},
		{"channel", make(chan int), "encoding/json can encode"},
		{"not a number", map[string]float64{"a": math.NaN()}, "encoding/json can encode"},
		{"raw nonsense", json.RawMessage("{secret"), "not valid JSON"},
		{"too large", map[string]string{"a": strings.Repeat("x", scheduling.MaxData)}, "use at most 1048576"},
		{"too deep", json.RawMessage(strings.Repeat(`{"a":`, 100) + "{}" + strings.Repeat("}", 100)), "use at most 100"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := scheduling.NewData(tt.in)
			if !errors.Is(err, scheduling.ErrInvalidDefinition) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "Data") {
				t.Errorf("error %v, want Data … %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the data: %v", err)
			}
			if !got.IsZero() {
				t.Errorf("data %v beside an error", got)
			}
		})
	}
	defer func() {
		if recover() == nil {
			t.Error("MustData did not panic")
		}
	}()
	scheduling.MustData(7)
}

// Big numbers survive Bind, in fields and in any.
func TestDataBind(t *testing.T) {
	d := scheduling.MustData(json.RawMessage(`{"big":9007199254740993,"any":123456789012345678901234567890}`))
	var v struct {
		Big int64
		Any any
	}
	if err := d.Bind(&v); err != nil {
		t.Fatal(err)
	}
	equal(t, "field", v.Big, int64(9007199254740993))
	equal(t, "any", v.Any, any(json.Number("123456789012345678901234567890")))

	v.Big = 5
	if err := (scheduling.Data{}).Bind(&v); err != nil || v.Big != 5 {
		t.Errorf("no data: %v, %v; want it left alone", v, err)
	}
	var wrong struct{ Big string }
	if err := d.Bind(&wrong); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("wrong type: %v", err)
	}
}

func TestDataJSON(t *testing.T) {
	type holder struct{ A, B scheduling.Data }
	in := holder{A: scheduling.MustData(json.RawMessage(`{"n":1.50}`))}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "text", string(text), `{"A":{"n":1.50},"B":null}`)
	out := holder{B: scheduling.MustData(map[string]int{"x": 1})}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	equal(t, "read back", out, in)
	before := out
	if err := json.Unmarshal([]byte(`{"A":[1]}`), &out); !errors.Is(err, scheduling.ErrInvalidDefinition) {
		t.Errorf("list: %v", err)
	}
	equal(t, "after an error", out.A, before.A)
}
