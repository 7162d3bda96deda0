package scheduling

import (
	"github.com/gormsched/gormsched/scheduling/provider"
)

// codeRecord is a code job as the start writes it: source Code, with the
// fingerprint of its definition and the version of the program (R145, D40).
func codeRecord(d JobDefinition, version int64) provider.JobRecord {
	job := d.record()
	job.Source = provider.SourceCode
	job.Fingerprint = fingerprint(d)
	job.CodeVersion = version
	return job
}

// syncAction is what the start does with one code job.
type syncAction uint8

const (
	// syncKeep leaves the stored job as it is.
	syncKeep syncAction = iota
	// syncCreate stores the job, if there still is none.
	syncCreate
	// syncReplace replaces the stored job, if it still is the one that was
	// read; the progress of its triggers is kept (D12).
	syncReplace
)

// syncVerdict is an action with what should be logged about it, once.
type syncVerdict struct {
	action syncAction
	// overrides: a change made at run time is lost (R246): warn.
	overrides bool
	// outdated: a higher version of the program has written the job, and this
	// one leaves it (D40): log.
	outdated bool
}

// judgeSync decides over one code job (R245, R246, D28, D40). stored is zero
// (empty Name) where there is none. Whoever loses a race reads again and asks
// again; the pause is never touched (R247).
//
// A job that the same code has written is kept: what was added to or removed
// from it at run time survives until the code changes, as a replacement does.
func judgeSync(stored, code provider.JobRecord) syncVerdict {
	switch {
	case stored.Name == "":
		return syncVerdict{action: syncCreate}
	case stored.CodeVersion > code.CodeVersion:
		return syncVerdict{outdated: stored.Fingerprint != code.Fingerprint}
	case stored.Source == provider.SourceOverridden && stored.Fingerprint == code.Fingerprint:
		return syncVerdict{} // R245
	case stored.Source == provider.SourceCode && stored.Fingerprint == code.Fingerprint &&
		stored.CodeVersion == code.CodeVersion:
		return syncVerdict{} // D28: another node has just written it
	}
	return syncVerdict{action: syncReplace, overrides: stored.Source != provider.SourceCode}
}

// syncItem is the save that carries a verdict out.
func syncItem(v syncVerdict, stored, code provider.JobRecord, triggers []provider.TriggerRecord) provider.SaveItem {
	item := provider.SaveItem{Job: code, Triggers: triggers, Condition: provider.IfAbsent, KeepProgress: true}
	if v.action == syncReplace {
		item.Condition, item.Version = provider.IfVersion, stored.Version
	}
	return item
}

// orphaned reports whether a stored job is a code job that this program does
// not declare (D40). One that a higher version of the program has written is
// that version's business.
func orphaned(stored provider.JobRecord, declared bool, version int64) bool {
	return !declared && stored.CodeVersion <= version &&
		(stored.Source == provider.SourceCode || stored.Source == provider.SourceOverridden)
}

// runtimeRecord is a job as [Scheduler.Schedule] stores it: a code job becomes
// Overridden and keeps what the code has written about itself, so that the next
// start can tell whether the code has changed since (R243). code is the
// program's own declaration, zero where there is none: a code job that was
// deleted, or not yet stored, is overridden too.
func runtimeRecord(d JobDefinition, stored, code provider.JobRecord) provider.JobRecord {
	job := d.record()
	job.Source = provider.SourceRuntime
	switch {
	case stored.Source == provider.SourceCode || stored.Source == provider.SourceOverridden:
		job.Source, job.Fingerprint, job.CodeVersion = provider.SourceOverridden, stored.Fingerprint, stored.CodeVersion
	case stored.Name == "" && code.Name != "":
		job.Source, job.Fingerprint, job.CodeVersion = provider.SourceOverridden, code.Fingerprint, code.CodeVersion
	}
	return job
}
