package dialects

import (
	"strings"
)

// textRows are the sizes of the list of texts beside a JSON document: it is
// filled up to the next one, so that there are few texts of statements and
// their plans are kept. The last one times four columns of text, with the other
// parameters of a statement, is within the 2,100 of a request.
var textRows = [...]int{1, 4, 16, 64, 256, 500}

// Source reads a JSON document of rows as a table. Columns of long text that
// have a value in any row come from a VALUES list, by the number that the
// document gives for the row.
func (d sqlserver) Source(alias string, columns []Column, rows [][]any) (Statement, error) {
	list := make([][]any, len(rows))
	for i, row := range rows {
		values, err := d.row(columns, row)
		if err != nil {
			return Statement{}, err
		}
		list[i] = values
	}
	beside := textColumns(columns, list)
	document, texts := splitTexts(columns, list, beside)
	text, err := encode(document)
	if err != nil {
		return Statement{}, err
	}
	w := &writer{d: d}
	w.put("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			w.put(", ")
		}
		name := d.Quote(c.Name)
		switch {
		case beside[i]:
			w.put("x." + name)
		case c.Type.kind == kindKey:
			w.put("o." + name + " COLLATE " + keyCollation + " AS " + name)
		default:
			w.put("o." + name)
		}
	}
	w.put(" FROM OPENJSON(?) WITH (", text)
	at := 0
	for i, c := range columns {
		if beside[i] {
			continue
		}
		if at > 0 {
			w.put(", ")
		}
		w.put(d.Quote(c.Name) + " " + d.travels(c.Type) + " '$[" + number(at) + "]'")
		at++
	}
	if len(texts) > 0 {
		w.put(`, "text_no" int '$[` + number(at) + "]'")
	}
	w.put(") AS o")
	if len(texts) > 0 {
		d.putTexts(w, columns, beside, texts)
	}
	return w.put(") AS " + alias).done(), nil
}

// textColumns says which columns are long text with a value in some row.
func textColumns(columns []Column, rows [][]any) []bool {
	beside := make([]bool, len(columns))
	for i, c := range columns {
		for _, row := range rows {
			beside[i] = beside[i] || c.Type.kind == kindText && row[i] != nil
		}
	}
	return beside
}

// splitTexts takes the columns beside out of the rows. Rows that have one of
// them end with its number in the list of texts.
func splitTexts(columns []Column, rows [][]any, beside []bool) (document, texts [][]any) {
	document = make([][]any, len(rows))
	for n, row := range rows {
		var rest, long []any
		some := false
		for i := range columns {
			if !beside[i] {
				rest = append(rest, row[i])
				continue
			}
			long = append(long, row[i])
			some = some || row[i] != nil
		}
		switch {
		case some:
			rest = append(rest, len(texts))
			texts = append(texts, long)
		case len(long) > 0:
			rest = append(rest, nil)
		}
		document[n] = rest
	}
	return document, texts
}

// putTexts joins the list of texts. The first row's types are the columns'.
func (d sqlserver) putTexts(w *writer, columns []Column, beside []bool, texts [][]any) {
	size := len(texts)
	for _, n := range textRows {
		if n >= len(texts) {
			size = n
			break
		}
	}
	w.put(" LEFT JOIN (VALUES ")
	for n := range size {
		values := make([]any, len(texts[0]))
		if n < len(texts) {
			copy(values, texts[n])
		}
		cell := ", ?"
		if n == 0 {
			cell = ", CAST(? AS " + sqlserverText + ")"
		} else {
			w.put(", ")
		}
		w.put("("+number(n)+strings.Repeat(cell, len(values))+")", values...)
	}
	w.put(`) AS x("text_no"`)
	for i, c := range columns {
		if beside[i] {
			w.put(", " + d.Quote(c.Name))
		}
	}
	w.put(`) ON x."text_no" = o."text_no"`)
}
