// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// The library performs nothing itself. Committing a plan writes an entry into the engine's ledger: its victims are
// reserved, and their space and that of the placement are kept for the requester alone. From then on Step takes what
// happened (events) and returns what is to be done (actions), until the requester has started. Every action is
// answered with EventActionDone or EventActionFailed. A manager reports a change of the cluster first, then the event
// about it. cede.h says what completes each action; Loop does the turns.

// Commit commits a plan whose outcome is OutcomeFits or OutcomePreempt and returns the number of its entry. It verifies
// the plan against the cluster and what is in flight at this moment. If a check fails, the error is ErrStale and
// nothing has changed: ask for another plan. A plan for a job whose entry is short extends that entry.
func (e *Engine) Commit(plan *Plan, now Time) (entry uint64, err error) {
	var number C.uint64_t
	err = e.about(plan, func(c *C.cede_engine, p *C.cede_plan, micros C.int64_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_commit(c, p, C.int64_t(now), micros, &number, told)
	})
	return uint64(number), err
}

// Extend gives an entry that is short (see DoReplan) a new plan for the same requester.
func (e *Engine) Extend(entry uint64, plan *Plan, now Time) error {
	return e.about(plan, func(c *C.cede_engine, p *C.cede_plan, micros C.int64_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_extend(c, C.uint64_t(entry), p, C.int64_t(now), micros, told)
	})
}

// Note counts a plan that was not committed, as an attempt of its requester and in the metrics.
func (e *Engine) Note(plan *Plan, now Time) error {
	return e.about(plan, func(c *C.cede_engine, p *C.cede_plan, micros C.int64_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_note(c, p, C.int64_t(now), micros, told)
	})
}

func (e *Engine) about(plan *Plan, do func(*C.cede_engine, *C.cede_plan, C.int64_t, *C.cede_error) C.int32_t) error {
	if plan == nil {
		return invalid("plan: nil is not a plan")
	}
	object, err := plan.enter()
	if err != nil {
		return err
	}
	defer plan.leave()
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return do(c, (*C.cede_plan)(object), C.int64_t(plan.waited.Microseconds()), told)
	})
}

// Cancel ends an entry: its hold is released, and victims that are not yet being terminated run on. ErrUnknown for a
// number that is not in the ledger, ErrInvalid for an entry that has ended.
func (e *Engine) Cancel(entry uint64, now Time) error {
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_cancel(c, C.uint64_t(entry), C.int64_t(now), told)
	})
}

// GiveUp is Cancel for an entry that is short and has no other plan; it counts as failed.
func (e *Engine) GiveUp(entry uint64, now Time) error {
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_give_up(c, C.uint64_t(entry), C.int64_t(now), told)
	})
}

// Step reports what happened and returns what is to be done now, timeouts included. `texts` are the reasons that failed
// actions give: an event's is texts[Text:][:TextSize]. If an event is malformed, the error is ErrInvalid and names its
// place, and no event is applied.
func (e *Engine) Step(now Time, events []Event, texts []byte) (*Step, error) {
	first := (*C.cede_event)(unsafe.Pointer(unsafe.SliceData(events)))
	data, size := document(texts)
	var step *C.cede_step
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_step(c, C.int64_t(now), first, sizeOf[Event](), C.size_t(len(events)), data, size, &step, told)
	})
	return newStep(step, err)
}

// StepDocument is Step for managers that use documents: a cede-events/1 document, or nil if nothing has happened.
func (e *Engine) StepDocument(now Time, events []byte) (*Step, error) {
	data, size := document(events)
	var step *C.cede_step
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_step_document(c, C.int64_t(now), data, size, &step, told)
	})
	return newStep(step, err)
}

// Save is everything the engine knows beyond the cluster document: ledger, clocks, storm windows, counters. Numbers are
// not part of it.
func (e *Engine) Save() ([]byte, error) {
	return e.text(func(c *C.cede_engine, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_engine_save(c, text, told)
	})
}

// Restore replaces what is in flight by a saved state. ErrDamaged for damaged bytes, ErrVersion for those of a version
// that the library does not know; then nothing has changed.
func (e *Engine) Restore(state []byte) error {
	data, size := document(state)
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_restore(c, data, size, told)
	})
}
