// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import (
	"math"
	"time"
	"unsafe"
)

// Plan is the answer to one question: which running jobs give way to a waiting job and where that job goes; or which
// jobs leave because of relief or a claim. It never changes, keeps the state of the cluster it was made on, and may
// outlive its engine. Close it.
type Plan struct {
	*handle
	facts  PlanFacts
	waited time.Duration
}

func destroyPlan(plan unsafe.Pointer) { C.cede_plan_destroy((*C.cede_plan)(plan)) }

func newPlan(plan *C.cede_plan, waited time.Duration) (*Plan, error) {
	p := &Plan{handle: own(unsafe.Pointer(plan), destroyPlan), waited: waited}
	var told C.cede_error
	out := (*C.cede_plan_facts)(unsafe.Pointer(&p.facts))
	if err := outcome(C.cede_plan_get(plan, out, sizeOf[PlanFacts](), &told), &told); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// Close frees the plan. Closing it again, or a nil plan, does nothing.
func (p *Plan) Close() error {
	if p == nil {
		return nil
	}
	return p.close()
}

// Facts is everything about the plan that is a number. It needs no call, and holds when the plan is closed, too.
func (p *Plan) Facts() PlanFacts { return p.facts }

// Outcome is Facts().Outcome.
func (p *Plan) Outcome() Outcome { return p.facts.Outcome }

// Revision is the engine's revision the plan was made on.
func (p *Plan) Revision() uint64 { return p.facts.Revision }

// Waited is how long the caller waited for the plan, the wait for the engine included. Commit, Extend and Note pass it
// on to the metrics. The plans of a batch share it.
func (p *Plan) Waited() time.Duration { return p.waited }

// Rule is the rule that decided, empty if the outcome is OutcomePreempt.
func (p *Plan) Rule() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_rule((*C.cede_plan)(o)) })
}

// Reason is one sentence for people.
func (p *Plan) Reason() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_reason((*C.cede_plan)(o)) })
}

// Cause is why preemption is needed, in words.
func (p *Plan) Cause() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_cause((*C.cede_plan)(o)) })
}

// Policy is the name of the policy that decided.
func (p *Plan) Policy() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_policy((*C.cede_plan)(o)) })
}

// Profile is the profile that decided.
func (p *Plan) Profile() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_profile((*C.cede_plan)(o)) })
}

// Objective is the list of values compared, as in the plan document: [["last-resort", 0], ...].
func (p *Plan) Objective() string {
	return p.word(func(o unsafe.Pointer) *C.char { return C.cede_plan_objective((*C.cede_plan)(o)) })
}

// JSON is the plan as a cede-plan/1 document.
func (p *Plan) JSON() ([]byte, error) {
	return p.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_plan_json((*C.cede_plan)(o), text, told)
	})
}

// Explain adds the reason for every unit considered, alternatives, and the work counted.
func (p *Plan) Explain() ([]byte, error) {
	return p.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_plan_explain((*C.cede_plan)(o), text, told)
	})
}

// Picture draws the nodes that the plan touches, with what leaves, stays and comes on each device. A width of 0 is 100
// characters or 800 pixels.
func (p *Plan) Picture(format PictureFormat, width int) (string, error) {
	drawn, err := p.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_plan_picture((*C.cede_plan)(o), C.int32_t(format), pixels(width), text, told)
	})
	return string(drawn), err
}

// pixels keeps a width that C cannot hold from becoming one that it can.
func pixels(width int) C.uint32_t {
	if width < 0 || width > math.MaxInt32 {
		return math.MaxUint32
	}
	return C.uint32_t(width)
}

// Verify checks the plan again against the cluster it was made on, independently of the search. The error names what
// fails.
func (p *Plan) Verify() error {
	object, err := p.enter()
	if err != nil {
		return err
	}
	defer p.leave()
	var told C.cede_error
	return outcome(C.cede_plan_verify((*C.cede_plan)(object), &told), &told)
}

// BatchJSON is the plans of a batch as one document: {"format": "cede-plan/1", "batch": [...]}.
func BatchJSON(plans ...*Plan) ([]byte, error) {
	list := cpointers(len(plans))
	defer list.free()
	for i, plan := range plans {
		if plan == nil {
			return nil, invalid("plans[%d]: nil is not a plan", i)
		}
		object, err := plan.enter()
		if err != nil {
			return nil, err
		}
		defer plan.leave()
		list.at(i, object)
	}
	var text *C.cede_text
	var told C.cede_error
	first := (**C.cede_plan)(list.first)
	if err := outcome(C.cede_plan_batch_json(first, C.size_t(len(plans)), &text, &told), &told); err != nil {
		return nil, err
	}
	return takeText(text), nil
}
