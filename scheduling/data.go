package scheduling

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gormsched/gormsched/scheduling/internal/plan"
	"github.com/gormsched/gormsched/scheduling/provider"
)

// The limits of the data of one job, trigger or request. A run's merged data
// has up to three such layers.
const (
	// MaxData is the largest data, in bytes of JSON.
	MaxData = plan.MaxData
	// MaxDataDepth is how deep objects and arrays may be nested; the data
	// object itself is the first level.
	MaxDataDepth = plan.MaxDepth
)

// Data is what a job, a trigger or a request hands to the handler: one JSON
// object, kept as text, so that big numbers and everything else arrive as they
// were given. The zero value is no data, which is not the same as the empty
// object. Data is immutable and comparable; == compares the texts.
//
// The handler sees the job's data overlaid by the trigger's, overlaid by the
// request's, key by key on the first level (R137).
type Data struct{ text string }

// NewData encodes v, which must give a JSON object: a struct, a map with string
// keys, or a [json.RawMessage] that holds one. nil gives no data. Errors match
// [ErrInvalidDefinition]: v cannot be encoded, is no object, is larger than
// [MaxData] or deeper than [MaxDataDepth].
func NewData(v any) (Data, error) {
	switch v := v.(type) {
	case nil:
		return Data{}, nil
	case Data:
		return v, nil
	case json.RawMessage:
		return ParseData(string(v)) // encoding it would compact it
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Data{}, provider.Invalidf("Data of type %T: %v: give it a value that encoding/json can encode", v, err)
	}
	return ParseData(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

// ParseData takes a JSON object as text, and keeps it byte for byte. "" gives
// no data.
func ParseData(text string) (Data, error) {
	if err := plan.CheckData("Data", text); err != nil {
		return Data{}, err
	}
	return Data{text: text}, nil
}

// MustData is [NewData] for literals; it panics on an error.
func MustData(v any) Data { return must(NewData(v)) }

// IsZero reports whether there is no data; the empty object is data.
func (d Data) IsZero() bool { return d.text == "" }

// String returns the JSON text; "" for no data.
func (d Data) String() string { return d.text }

// Bind decodes the data into v, as [json.Unmarshal] does; numbers in an
// interface value become [json.Number], so that big ones survive. No data
// leaves v as it is.
func (d Data) Bind(v any) error {
	if d.text == "" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(d.text)))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("scheduling: data does not fit into %T: %w", v, err)
	}
	return nil
}

// MarshalJSON returns the object, or null for no data.
func (d Data) MarshalJSON() ([]byte, error) {
	if d.text == "" {
		return []byte("null"), nil
	}
	return []byte(d.text), nil
}

// UnmarshalJSON takes an object, or null for no data. On an error d is left as
// it was.
func (d *Data) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*d = Data{}
		return nil
	}
	read, err := ParseData(string(text))
	if err != nil {
		return err
	}
	*d = read
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
