package mutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// typeOf is an expression's type, nil for what is none.
func (s *source) typeOf(e ast.Expr) types.Type {
	if id, ok := e.(*ast.Ident); ok {
		if o := s.info.ObjectOf(id); o != nil {
			return o.Type()
		}
	}
	return s.info.Types[e].Type
}

func (s *source) isBasic(e ast.Expr, kinds ...types.BasicKind) bool {
	b, ok := s.typeOf(e).(*types.Basic)
	return ok && slices.Contains(kinds, b.Kind())
}

func (s *source) isBool(e ast.Expr) bool {
	return s.isBasic(e, types.Bool, types.UntypedBool)
}
func (s *source) isInt(e ast.Expr) bool    { return s.isBasic(e, types.Int) }
func (s *source) isString(e ast.Expr) bool { return s.isBasic(e, types.String, types.UntypedString) }

func (s *source) isError(e ast.Expr) bool {
	return s.typeOf(e) != nil && types.Identical(s.typeOf(e), types.Universe.Lookup("error").Type())
}

func (s *source) isDuration(e ast.Expr) bool {
	return s.typeOf(e) != nil && s.typeOf(e).String() == "time.Duration" && s.info.Types[e].Value == nil
}

// plain: values whose absence the code can live with.
func (s *source) plain(id *ast.Ident) bool {
	o := s.info.Defs[id]
	if o == nil {
		return false // it was there before
	}
	switch t := o.Type().Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0
	case *types.Slice:
		return true
	}
	return false
}

// numeric is the written form of an expression's type, if it counts.
func (s *source) numeric(e ast.Expr) (string, bool) {
	tv := s.info.Types[e]
	if tv.Value != nil || tv.Type == nil {
		return "", false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 || b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	return s.written(tv.Type)
}

// zeroType is the type argument that Zero needs: none, but for constants
// without a type.
func (s *source) zeroType(e ast.Expr) (string, bool) {
	tv := s.info.Types[e]
	if tv.Type == nil || !tv.IsValue() {
		return "", false
	}
	if _, ok := tv.Type.Underlying().(*types.Signature); ok {
		return "", false
	}
	if tv.Value == nil {
		return "", !tv.IsNil()
	}
	name, ok := s.written(types.Default(tv.Type))
	return "[" + name + "]", ok
}

// written is a type as this file can write it.
func (s *source) written(t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		name, found := s.imported(p.Path())
		ok = ok && found
		return name
	})
	return text, ok
}

// imported is the name of a package that the file imports.
func (s *source) imported(path string) (string, bool) {
	for _, i := range s.tree.Imports {
		if strings.Trim(i.Path.Value, `"`) != path {
			continue
		}
		if i.Name != nil {
			return i.Name.Name, token.IsIdentifier(i.Name.Name)
		}
		return path[strings.LastIndexByte(path, '/')+1:], true
	}
	return "", false
}
