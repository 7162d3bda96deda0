package mutation

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// What becomes of a piece of code; the words stand in the table.
const (
	alwaysTrue  = "always true"
	alwaysFalse = "always false"
	turned      = "turned round"
	leftOut     = "left out"
	notCalled   = "not called"
	zeroed      = "zero value"
)

// visit makes the mutants of one node.
func (s *source) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		s.cond(n.Cond)
		if a, ok := n.Init.(*ast.AssignStmt); ok {
			s.errorCall(a)
		}
	case *ast.ForStmt:
		if n.Cond != nil {
			s.cond(n.Cond)
		}
	case *ast.CaseClause:
		if sw, ok := s.grandparent().(*ast.SwitchStmt); ok && sw.Tag == nil {
			for _, e := range n.List {
				s.cond(e)
			}
		}
	case *ast.BinaryExpr:
		s.binary(n)
	case *ast.CallExpr:
		s.callExpr(n)
	case *ast.BasicLit:
		s.literal(n)
	case *ast.CompositeLit:
		s.composite(n)
	case *ast.AssignStmt:
		s.assignment(n)
	case *ast.ExprStmt:
		if c, ok := n.X.(*ast.CallExpr); ok && s.inList(n) && droppable(c) {
			s.drop(n)
		}
	case *ast.IncDecStmt:
		if s.inList(n) {
			s.drop(n)
		}
	case *ast.BranchStmt:
		if n.Tok == token.CONTINUE && s.inList(n) {
			s.drop(n)
		}
	case *ast.ReturnStmt:
		s.results(n)
	}
}

func (s *source) grandparent() ast.Node {
	if len(s.stack) < 2 {
		return nil
	}
	return s.stack[len(s.stack)-2]
}

// inList reports whether a statement stands in a block or clause, where it can
// be put into an if.
func (s *source) inList(n ast.Stmt) bool {
	switch p := s.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != n
	}
	return false
}

// cond makes a condition always true and always false.
func (s *source) cond(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		return
	}
	s.call(e, "Cond", s.add(e, s.flat(e), alwaysTrue, alwaysFalse), "")
}

var boundary = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}

func (s *source) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND, token.LOR: // a term is taken out
		s.cond(n.X)
		s.cond(n.Y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		s.replace(n, boundary[n.Op])
	case token.EQL, token.NEQ:
		switch s.parent().(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.CaseClause, *ast.BinaryExpr:
		default:
			s.call(n, "Not", s.add(n, s.flat(n), turned), "")
		}
	case token.ADD:
		s.replace(n, "-")
	case token.SUB:
		s.replace(n, "+")
	}
}

// replace puts another operator between the operands.
func (s *source) replace(n *ast.BinaryExpr, op string) {
	result := "bool"
	if op == "+" || op == "-" {
		var ok bool
		if result, ok = s.numeric(n); !ok {
			return
		}
	}
	s.other(n, result, s.of(n.X)+" "+op+" "+s.of(n.Y), op)
}

// other puts another expression in place of one. Both are on one line.
func (s *source) other(n ast.Expr, result, changed, change string) {
	if strings.Contains(s.of(n), "\n") {
		return
	}
	id := strconv.Itoa(s.add(n, s.flat(n), change))
	s.wrap(n, alias+".Other("+id+", func() "+result+" { return ", " }, func() "+result+" { return "+changed+" })")
}

// callExpr turns orders, bounds and conditions of instants round.
func (s *source) callExpr(n *ast.CallExpr) {
	for _, arg := range n.Args {
		s.lockMode(arg)
	}
	name := calledName(n)
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if (name == "min" || name == "max") && len(n.Args) >= 2 {
			if result, ok := s.numeric(n); ok {
				to := map[string]string{"min": "max", "max": "min"}[name]
				s.other(n, result, to+s.of(n)[len(name):], to)
			}
		}
	case *ast.SelectorExpr:
		opposite := map[string]string{"After": "Before", "Before": "After"}[name]
		switch {
		case opposite != "" && len(n.Args) == 1 && s.isBool(n):
			s.other(n, "bool", "!"+s.of(f.X)+"."+opposite+"("+s.of(n.Args[0])+")", "at that instant too, or not")
		case name == "Compare" && s.isInt(n):
			s.call(n, "Negative", s.add(n, s.flat(n), turned), "")
		case name == "Add" && len(n.Args) == 1 && s.isDuration(n.Args[0]):
			s.call(n.Args[0], "Zero", s.add(n, s.flat(n), "nothing is added"), "")
		}
	}
}

// lockMode has a lock that waits skip what is locked instead.
func (s *source) lockMode(arg ast.Expr) {
	name := s.of(arg)
	pkg := name[:strings.LastIndexByte(name, '.')+1]
	if mode := name[len(pkg):]; mode != "LockWait" && mode != "LockAlone" {
		return
	}
	t := s.info.Types[arg].Type
	if t == nil {
		return
	}
	if result, ok := s.written(t); ok {
		s.other(arg, result, pkg+"LockSkip", "to LockSkip")
	}
}

func calledName(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// droppable: what is not called must not leave everything locked or a program
// that does not end.
func droppable(n *ast.CallExpr) bool {
	switch name := calledName(n); name {
	case "panic", "Lock", "Unlock", "RLock", "RUnlock", "Close", "Done", "Wait", "":
		return false
	default:
		return name != "close"
	}
}

// drop takes out a statement.
func (s *source) drop(n ast.Stmt) {
	id := strconv.Itoa(s.add(n, s.flat(n), leftOut))
	s.wrap(n, "if "+alias+".Stmt("+id+") { ", " }")
}

// assignment takes out an assignment, or what a new variable got.
func (s *source) assignment(n *ast.AssignStmt) {
	if !s.inList(n) {
		return
	}
	if n.Tok != token.DEFINE {
		if id, ok := n.Lhs[0].(*ast.Ident); !ok || id.Name != "_" || len(n.Lhs) > 1 {
			s.drop(n)
		}
		return
	}
	for _, e := range n.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" || id.Name == "err" || !s.plain(id) {
			continue
		}
		at := strconv.Itoa(s.add(n, s.flat(n), id.Name+" is "+zeroed))
		s.wrap(n, "", "; "+alias+".Reset("+at+", &"+id.Name+")")
	}
}

// errorCall does not make a call whose only result is an error.
func (s *source) errorCall(a *ast.AssignStmt) {
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return
	}
	if c, ok := a.Rhs[0].(*ast.CallExpr); ok && s.isError(c) {
		s.wrapErrorCall(c)
	}
}

func (s *source) wrapErrorCall(c *ast.CallExpr) {
	id := strconv.Itoa(s.add(c, s.flat(c), notCalled))
	s.wrap(c, alias+".Call("+id+", func() error { return ", " })")
}

// results turns truth values round, and does not make calls that answer an
// error.
func (s *source) results(n *ast.ReturnStmt) {
	for _, e := range n.Results {
		switch e := e.(type) {
		case *ast.Ident:
			if (e.Name == "true" || e.Name == "false") && s.isBool(e) {
				s.call(e, "Not", s.add(n, s.flat(n), turned), "")
			}
		case *ast.CallExpr:
			switch {
			case len(n.Results) > 1:
			case s.isBool(e):
				s.call(e, "Not", s.add(n, s.flat(n), turned), "")
			case s.isError(e):
				s.wrapErrorCall(e)
			}
		}
	}
}

// composite leaves fields and elements out.
func (s *source) composite(n *ast.CompositeLit) {
	array, isArray := n.Type.(*ast.ArrayType)
	isAny := isArray && s.of(array.Elt) == "any"
	for _, e := range n.Elts {
		switch e := e.(type) {
		case *ast.KeyValueExpr:
			if key, ok := e.Key.(*ast.Ident); ok && key.Name != "SQL" && key.Name != "Args" {
				s.zero(e.Value, s.flat(e))
			}
		case ast.Expr:
			if isAny {
				s.zero(e, s.flat(e))
			}
		}
	}
	if isArray && !isAny && array.Len == nil && len(n.Elts) > 0 && !keyed(n) {
		var changes []string
		for _, e := range n.Elts {
			changes = append(changes, "without "+s.flat(e))
		}
		s.call(n, "Without", s.add(n, s.flat(n), changes...), "")
	}
}

func keyed(n *ast.CompositeLit) bool {
	_, ok := n.Elts[0].(*ast.KeyValueExpr)
	return ok
}

// zero leaves a value out.
func (s *source) zero(e ast.Expr, original string) {
	switch s.of(e) {
	case "nil", "0", `""`, "false":
		return
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return
	case *ast.CompositeLit:
		if e.Type == nil {
			return
		}
	}
	kind, ok := s.zeroType(e)
	if !ok {
		return
	}
	s.call(e, "Zero"+kind, s.add(e, original, zeroed), "")
}

// literal changes the text of a statement to the database.
func (s *source) literal(n *ast.BasicLit) {
	if !s.sql || n.Kind != token.STRING || !s.isString(n) {
		return
	}
	text, err := strconv.Unquote(n.Value)
	if err != nil {
		return
	}
	changed := changesOf(text)
	if len(changed) == 0 {
		return
	}
	var said, rest []string
	for _, c := range changed {
		said, rest = append(said, "to "+strconv.Quote(c)), append(rest, strconv.Quote(c))
	}
	s.call(n, "Text", s.add(n, s.flat(n), said...), ", "+strings.Join(rest, ", "))
}
