package schedulingtest

import (
	"strings"
	"time"

	"github.com/gormsched/gormsched/scheduling/provider"
)

// Cases of texts that some database would refuse, cut or change: all stores
// refuse them in the same words, before anything is written.
var textCases = []Case{
	{Name: "EnqueueRefusesTexts", Rules: []string{"R227", "R152", "D10", "G3"},
		Explanation: "a one-shot whose text or name cannot be stored is refused alone, and the error names field and remedy",
		Run:         enqueueRefusesTexts},
	{Name: "AppTxRefusesTexts", Rules: []string{"R227", "D34"}, Needs: AppTransactions,
		Explanation: "the same in an application's transaction, which goes on",
		Run:         appTxRefusesTexts},
	{Name: "AddRefusesTexts", Rules: []string{"R227", "R152", "D38"},
		Explanation: "a trigger whose text or name cannot be stored is refused alone",
		Run:         addRefusesTexts},
	{Name: "SaveRefusesTexts", Rules: []string{"R103", "R152"},
		Explanation: "a definition with a text or name that cannot be stored is not saved, nor what stands beside it",
		Run:         saveRefusesTexts},
	{Name: "RunsRefuseTexts", Rules: []string{"R205", "R232"},
		Explanation: "a run with a text that cannot be stored is neither recorded nor started, nor what stands beside it",
		Run:         runsRefuseTexts},
	{Name: "CompleteRefusesTexts", Rules: []string{"D39"},
		Explanation: "a run does not end with a text that cannot be stored, and ends without it",
		Run:         completeRefusesTexts},
}

// badTexts are not to be stored, each with words that its error holds.
var badTexts = map[string]string{
	"\xff":                           "byte 0xff at 0",
	"ab\xed\xa0\x80":                 "byte 0xed at 2",
	"{\"x\":\"\x00\"}":               "NUL character at byte 6",
	strings.Repeat("é", 9) + "é"[:1]: "byte 0xc3 at 18",
}

// badShort are not to be stored where a short ASCII text stands.
var badShort = map[string]string{
	"\xff": "byte 0xff at 0", "a\x00": "byte 0x00 at 1", "é": "byte 0xc3 at 0", strings.Repeat("x", 129): "129 bytes long",
}

// badNames are no names (R152).
var badNames = map[string]string{
	"A": "capital letter", "a b": "' '", "a/b": "'/'", strings.Repeat("x", 129): "bytes long", "a\x00": `'\x00'`,
}

// refusedText fails unless err refuses a field in these words. What a text holds
// beside may be secret and stands in no error.
func (e *Env) refusedText(err error, field, words string) {
	e.Helper()
	e.is(err, provider.ErrInvalidDefinition, "a bad %s", field)
	if err != nil && (!strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret")) {
		e.Errorf("a bad %s: the error is %v, want field and %q in it, and no payload", field, err, words)
	}
}

// badShots are one-shots of job a that cannot be stored, with the field and words
// of their errors.
func badShots(e *Env, each func(shot provider.TriggerRecord, field, words string)) {
	for text, words := range badTexts {
		each(manual("a", "x", e.now, data(text+"secret")), "Data", words)
		each(manual("a", "x", e.now, func(t *provider.TriggerRecord) { t.Description = text + "secret" }), "Description", words)
	}
	for name, words := range badNames {
		each(manual("a", name, e.now), "Trigger", words)
	}
	each(manual("a", "x", e.now, func(t *provider.TriggerRecord) { t.RetryOf = strings.Repeat("r", 37) }), "RetryOf", "37 bytes long")
	each(provider.TriggerRecord{TriggerKey: key("a", "x"), NextFireAt: e.now}, "trigger", "not named as a one-shot")
}

func enqueueRefusesTexts(e *Env) {
	e.save(job("a"))
	badShots(e, func(bad provider.TriggerRecord, field, words string) {
		e.enqueuesBeside(e.Store, bad, field, words)
		errs, err := e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{manualKey("a", "good")})
		e.each(errs, err, nil)
	})
	if s := e.look(e.Store); len(s.triggers) != 0 {
		e.Errorf("there are %v, want none of what was refused", s.triggers)
	}
}

// enqueuesBeside enqueues a bad one-shot and a good one.
func (e *Env) enqueuesBeside(in provider.Enqueuer, bad provider.TriggerRecord, field, words string) {
	e.Helper()
	a, err := in.Enqueue(e.ctx, []provider.TriggerRecord{bad, manual("a", "good", e.now)})
	e.must(err, "Enqueue beside a bad %s", field)
	if len(a) != 2 || a[0].Key != bad.TriggerKey || a[0].Existed || a[1].Err != nil {
		e.Fatalf("a bad %s: the answers are %+v, want the second inserted", field, a)
	}
	e.refusedText(a[0].Err, field, words)
}

func appTxRefusesTexts(e *Env) {
	e.save(job("a"))
	tx := e.InTx(e.T)
	badShots(e, func(bad provider.TriggerRecord, field, words string) {
		e.enqueuesBeside(tx, bad, field, words)
	})
	e.must(tx.Commit(), "Commit")
	equal(e, len(e.look(e.Store).triggers), 1, "the triggers")
	e.trigger(manualKey("a", "good"))
}

func addRefusesTexts(e *Env) {
	e.save(job("a"))
	refuses := func(bad provider.TriggerRecord, field, words string) {
		good := cron("good", e.now)
		bad.Job, good.Job = "a", "a"
		errs, err := e.Store.AddTriggers(e.ctx, []provider.TriggerRecord{bad, good})
		e.must(err, "AddTriggers beside a bad %s", field)
		if len(errs) != 2 || errs[1] != nil {
			e.Fatalf("a bad %s: the answers are %v, want the second added", field, errs)
		}
		e.refusedText(errs[0], field, words)
		errs, err = e.Store.RemoveTriggers(e.ctx, []provider.TriggerKey{key("a", "good")})
		e.each(errs, err, nil)
	}
	for text, words := range badTexts {
		refuses(cron("t", e.now, data(text)), "Data", words)
		refuses(trigger("t", text, e.now), "Schedule", words)
	}
	for name, words := range badNames {
		refuses(cron(name, e.now), "Trigger", words)
	}
	equal(e, len(e.look(e.Store).triggers), 0, "the triggers")
}

func saveRefusesTexts(e *Env) {
	refuses := func(bad provider.JobRecord, field, words string, triggers ...provider.TriggerRecord) {
		e.unchanged("saving a bad "+field, func() {
			_, err := e.Store.SaveJobs(e.ctx, []provider.SaveItem{{Job: job("good")}, {Job: bad, Triggers: triggers}})
			e.refusedText(err, field, words)
		})
	}
	for text, words := range badTexts {
		refuses(job("b", func(j *provider.JobRecord) { j.Data = text }), "Data", words)
		refuses(job("b", func(j *provider.JobRecord) { j.Description = text }), "Description", words)
		refuses(job("b"), "Data", words, cron("t", e.now, data(text)))
	}
	for text, words := range badShort {
		refuses(job("b", func(j *provider.JobRecord) { j.Handler = text }), "Handler", words)
		refuses(job("b", func(j *provider.JobRecord) { j.Fingerprint = text }), "Fingerprint", words)
	}
	for name, words := range badNames {
		refuses(job(name), "Name", words)
		refuses(job("b"), "Trigger", words, cron(name, e.now))
	}
}

func runsRefuseTexts(e *Env) {
	n := e.node("n")
	e.save(job("a"))
	run := func(mods ...func(*provider.RunRecord)) provider.RunRecord {
		r := provider.RunRecord{ID: e.runID(), Job: "a", Kind: provider.KindManual, State: provider.RunSucceeded, Node: n.ID, Incarnation: n.Incarnation,
			ScheduledAt: e.now, StartedAt: e.now, CompletedAt: e.now, Attempt: 1}
		for _, mod := range mods {
			mod(&r)
		}
		return r
	}
	refuses := func(field, words string, mod func(*provider.RunRecord)) {
		e.unchanged("a bad "+field, func() {
			e.refusedText(e.Store.Record(e.ctx, []provider.RunRecord{run(), run(mod)}), field, words)
			_, err := e.Store.Start(e.ctx, provider.StartRequest{Node: n, Runs: []provider.RunRecord{run(), run(mod)}})
			e.refusedText(err, field, words)
		})
	}
	for text, words := range badTexts {
		refuses("Data", words, func(r *provider.RunRecord) { r.Data = text })
		refuses("Result", words, func(r *provider.RunRecord) { r.Result = text })
		refuses("ErrorText", words, func(r *provider.RunRecord) { r.ErrorText = text })
	}
	for text, words := range badShort {
		refuses("Node", words, func(r *provider.RunRecord) { r.Node = text })
		refuses("TriggerName", words, func(r *provider.RunRecord) { r.TriggerName = text })
	}
	refuses("ID", "is empty", func(r *provider.RunRecord) { r.ID = "" })
	refuses("ID", "37 bytes long", func(r *provider.RunRecord) { r.ID = strings.Repeat("i", 37) })
	refuses("ErrorCode", "65 bytes long", func(r *provider.RunRecord) { r.ErrorCode = strings.Repeat("E", 65) })
}

func completeRefusesTexts(e *Env) {
	n := e.node("n")
	e.save(job("a"), cron("t", e.now), cron("t2", e.now))
	begun := e.pass(n, 2)
	if len(begun) != 2 {
		e.Fatalf("%d runs have begun, want 2", len(begun))
	}
	first, second := begun[0], begun[1]
	for text, words := range badTexts {
		for field, bad := range map[string]provider.Completion{"Result": {Result: text}, "ErrorText": {ErrorText: text}} {
			bad.RunID, bad.Job, bad.State = second.Run.ID, "a", provider.RunSucceeded
			e.unchanged("a bad "+field, func() {
				_, err := e.Store.Complete(e.ctx, provider.CompleteRequest{Node: n, Items: []provider.Completion{
					{RunID: first.Run.ID, Job: "a", State: provider.RunSucceeded}, bad}})
				e.refusedText(err, field, words)
			})
		}
	}
	e.advance(time.Second)
	e.finish(n, first, second)
}
