module github.com/gormsched/gormsched/bench

go 1.25.0

require (
	github.com/adhocore/gronx v1.20.4
	github.com/gormsched/gormsched v0.0.0
	github.com/reugn/go-quartz v0.15.2
	github.com/robfig/cron/v3 v3.0.1
)

replace github.com/gormsched/gormsched => ../
