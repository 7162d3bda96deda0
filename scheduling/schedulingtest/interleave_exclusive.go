package schedulingtest

import "github.com/gormsched/gormsched/scheduling/provider"

// beginning readies a due trigger of concurrent job a and returns a party that
// begins it.
type beginning func(e *Env) func(s provider.Store) error

func (e *Env) beginClaimed() func(s provider.Store) error {
	n := e.node("n")
	items := e.items(e.acquire(n, 1)...)
	return func(s provider.Store) error { _, err := e.beginAll(s, n, items); return err }
}

func (e *Env) claimAll() func(s provider.Store) error {
	r := e.claimRequest(e.node("n"), 5, decide)
	return func(s provider.Store) error {
		for range 3 { // a pass may only mend a hint, or find the job held
			if _, err := s.(provider.Claimer).Claim(e.ctx, r); err != nil {
				return err
			}
		}
		return nil
	}
}

// exclusiveDuel lets a begin meet the save that makes its job exclusive.
func exclusiveDuel(b beginning, saveFirst bool) func(e *Env) bout {
	return func(e *Env) bout {
		e.save(job("a"), cron("t", e.now))
		begin := b(e)
		save := func(s provider.Store) error {
			_, err := s.SaveJobs(e.ctx, []provider.SaveItem{item(job("a", exclusive), cron("t", Start))})
			return err
		}
		out := bout{
			first:  func() error { return begin(e.Store) },
			second: save,
			judge: func(bool) {
				s := e.look(e.Store)
				for id, r := range s.runs {
					if r.State == provider.RunRunning && s.jobs["a"].ActiveRunID != id {
						e.Errorf("run %s of the exclusive job is Running and the job is occupied by %q", id, s.jobs["a"].ActiveRunID)
					}
				}
			},
		}
		if saveFirst {
			out.first, out.second = func() error { return save(e.Store) }, begin
		}
		return out
	}
}
