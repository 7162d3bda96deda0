package mutation

import (
	"slices"
	"strings"
)

// Target is a store under test and the code that is changed under it.
type Target struct {
	// Name stands in the table.
	Name string
	// Test is the folder of the test, Run the levels of its name above suite
	// and case.
	Test, Run string
	// Packages are changed, in one build.
	Packages []Package
	// Env are settings of the run, Needs a variable that must be set.
	Env   []string
	Needs string
}

// Package is a folder whose code is changed.
type Package struct {
	Dir string
	// Suites are those whose cases its mutants count for.
	Suites []string
	// SQL: texts of statements are changed too.
	SQL bool
	// Leave names files that are not changed.
	Leave []string
}

var (
	storeSuites     = []string{"store", "election"}
	schedulerSuites = []string{"scheduler"}

	memoryPackages = []Package{
		{Dir: "scheduling/inmemory", Suites: storeSuites, Leave: []string{"invariants.go", "invariants_index.go", "options.go", "doc.go"}},
		{Dir: "scheduling", Suites: schedulerSuites, Leave: []string{"doc.go"}},
		{Dir: "scheduling/internal/plan", Suites: schedulerSuites, Leave: []string{"doc.go"}},
	}
	// The schema is made before any case begins; its own tests judge it.
	databasePackages = []Package{
		{Dir: ".", Suites: storeSuites, SQL: true, Leave: []string{"schema.go", "schema_compare.go", "schema_error.go", "doc.go", "options.go", "statementlog.go"}},
		{Dir: "dialects", Suites: storeSuites, SQL: true, Leave: []string{"schema.go", "postgres_schema.go", "mysql_schema.go", "sqlite_schema.go", "sqlserver_schema.go", "columntype.go", "doc.go"}},
	}
)

// Targets are all there are.
var Targets = []Target{
	{Name: "memory", Test: "scheduling/inmemory", Run: "TestConformance", Packages: memoryPackages},
	{Name: "memory unshared", Test: "scheduling/inmemory", Run: "TestConformanceOfTheOptions", Packages: memoryPackages},
	{Name: "sqlite", Test: ".", Run: "TestConformance/sqlite", Packages: databasePackages, Env: []string{"GORMSCHED_TEST_DATABASES=sqlite", "GORMSCHED_TEST_REQUIRE="}},
	{Name: "postgres", Test: ".", Run: "TestConformance/postgres", Packages: databasePackages, Env: []string{"GORMSCHED_TEST_DATABASES=postgres", "GORMSCHED_TEST_REQUIRE=postgres"}, Needs: "GORMSCHED_TEST_POSTGRES_DSN"},
}

// TargetNamed finds a target.
func TargetNamed(name string) (Target, bool) {
	i := slices.IndexFunc(Targets, func(t Target) bool { return t.Name == name })
	if i < 0 {
		return Target{}, false
	}
	return Targets[i], true
}

// suites are those that a file's mutants count for.
func (t Target) suites(file string) []string {
	dir := "."
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dir = file[:i]
	}
	for _, p := range t.Packages {
		if p.Dir == dir {
			return p.Suites
		}
	}
	return nil
}

// has reports whether mutants of the target count for a suite.
func (t Target) has(suite string) bool {
	return slices.ContainsFunc(t.Packages, func(p Package) bool { return slices.Contains(p.Suites, suite) })
}

// pattern is what go test's -run asks for.
func (t Target) pattern(suite string, cases []string) string {
	levels := strings.Split(t.Run+"/"+suite, "/")
	for i, level := range levels {
		levels[i] = "^" + level + "$"
	}
	return strings.Join(levels, "/") + "/^(" + strings.Join(cases, "|") + ")$"
}
