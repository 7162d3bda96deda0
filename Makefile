.DEFAULT_GOAL := help

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

test: ## Runs the tests; databases that are not at hand are named and left out.
	go test ./...

settings: ## Runs the whole store suite under each setting that an application may have.
	GORMSCHED_TEST_SETTINGS=all go test . -run '^TestConformance$$' -timeout 2h

plans: ## Prints and judges the plans of every operation with 100,000 triggers and 1,000,000 runs, on each database.
	GORMSCHED_TEST_PLANS=full go test . -run '^TestPlansAtScale$$' -count=1 -timeout 1h -v | grep -v -e '=== '

race: ## Runs the tests under the race detector.
	go test -race ./...

lint: ## Runs gofmt, go vet and golangci-lint.
	@test -z "$$(gofmt -l .)" || (gofmt -l . && false)
	go vet ./...
	golangci-lint run ./...

ci: ## Runs what CI runs, on a clone of the committed state.
	.ci/run

quickstart: ## Runs the quickstart on a file in the temporary folder.
	go run ./examples/quickstart

fuzz: ## Fuzzes each target for a minute.
	@for p in $$(go list ./scheduling/...); do \
		for f in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]+' $$(go list -f '{{.Dir}}' $$p)/*_test.go 2>/dev/null | sed 's/func //'); do \
			go test $$p -run '^$$' -fuzz "^$$f\$$" -fuzztime 1m || exit 1; \
		done; \
	done

sim sim-long sim-year: SHELL := bash
sim sim-long sim-year: .SHELLFLAGS := -o pipefail -c

sim: ## Simulates 2,000 clusters for 20 minutes each (GORMSCHED_SIM_FIRST: from another seed).
	GORMSCHED_SIM_SEEDS=2000 GORMSCHED_SIM_MINUTES=20 go test -run '^TestSimulation$$' -count=1 -timeout 3h -v ./scheduling/simulation | grep -v -e '=== ' -e '--- PASS'

FIRST ?= 1
LAST ?= 10000
PART ?= 50
sim-long: ## Simulates 10,000 clusters for 2 hours each, in parts (FIRST=, LAST=, PART=: a shard, or the rest).
	go test -c -o sim-long.test ./scheduling/simulation
	for ((seed = $(FIRST); seed <= $(LAST); seed += $(PART))); do \
		n=$$(($(LAST) - seed + 1 < $(PART) ? $(LAST) - seed + 1 : $(PART))); \
		GORMSCHED_SIM_FIRST=$$seed GORMSCHED_SIM_SEEDS=$$n GORMSCHED_SIM_MINUTES=120 ./sim-long.test -test.run '^TestSimulation$$' -test.timeout 0 -test.v \
			| grep -v -e '=== ' -e '--- PASS' || { echo "stopped: go on with make sim-long FIRST=$$seed"; exit 1; }; \
	done

sim-year: ## Simulates a year of daily, weekly and monthly schedules over the clock changes of three zones.
	GORMSCHED_SIM_YEAR=1 go test -run '^TestYear$$' -timeout 1h -v ./scheduling/simulation | grep -v -e '=== ' -e '--- PASS'

mutants: ## Replays the table of mutants: no case may pass in spite of one of its own.
	go run ./internal/mutation/mutants replay

mutants-mend: ## Finds mutants for cases that have none, and takes out what the code has no more.
	go run ./internal/mutation/mutants mend

report: ## Prints each case with its mutants and each rule with its cases.
	@go run ./internal/mutation/mutants report

bench: ## Measures the workloads one after the other; takes about an hour (docs/performance.md).
	@for w in cron drain exclusive idle acquire recurring punctuality herd failover history memory; do go run ./bench $$w || exit 1; done

BENCHSTAT := go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

bench-store: ## Measures each store operation, into bench/baseline/new.txt.
	go test -run '^$$' -bench '^BenchmarkStore$$' -benchtime 20x -count 6 . | tee bench/baseline/new.txt

bench-compare: ## Compares bench/baseline/new.txt with the committed baseline.
	$(BENCHSTAT) bench/baseline/store.txt bench/baseline/new.txt

.PHONY: help test settings plans race lint ci quickstart fuzz sim sim-long sim-year mutants mutants-mend report bench bench-store bench-compare
