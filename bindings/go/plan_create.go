// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import (
	"time"
	"unsafe"
)

// Each question can be asked in two ways: with texts (Plan, PlanBatch, PlanRelief, PlanClaim) and with numbers (the
// calls that end in Number). Equal questions get equal plans. `now` is NowOfCluster or a time; a time before the
// cluster's counts as the cluster's. An answer of "no" is a plan too: ask Outcome. Plans do not change the engine, so
// many goroutines may plan at once.

// Plan plans for one waiting job. `terms` are texts: "protect=JOB" leaves a job alone, "avoid=NODE" does not use a
// node, "only=NODE" (repeated for several) uses no other nodes. ErrUnknown for a job or node that does not exist.
func (e *Engine) Plan(job string, now Time, terms ...string) (*Plan, error) {
	name, err := cstring("job", job)
	if err != nil {
		return nil, err
	}
	return e.ask(terms, func(c *C.cede_engine, list cstrings, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_plan_create(c, name, C.int64_t(now), list.first, list.count, made, told)
	})
}

// PlanBatch plans for several waiting jobs in the order given, as if each plan were committed before the next job is
// planned. All plans are made or none. Commit them in the same order.
func (e *Engine) PlanBatch(jobs []string, now Time, terms ...string) ([]*Plan, error) {
	names, err := newCStrings("jobs", jobs)
	if err != nil {
		return nil, err
	}
	defer names.free()
	list, err := newCStrings("terms", terms)
	if err != nil {
		return nil, err
	}
	defer list.free()
	return e.askMany(len(jobs), func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_plan_create_batch(c, names.first, names.count, C.int64_t(now), list.first, list.count, made, told)
	})
}

// PlanRelief plans which jobs leave so that a node is within its capacity, or a queue or job within its `max`.
// `target` is "node:NAME", "queue:NAME" or "job:NAME". `group` is "" or, for a queue with jobs in several groups, the
// group to relieve. The terms are "protect=JOB" and "partial": if no set of victims is enough, the plan brings the
// target down as far as the rules allow.
func (e *Engine) PlanRelief(target, group string, now Time, terms ...string) (*Plan, error) {
	what, err := cstring("target", target)
	if err != nil {
		return nil, err
	}
	var in *C.char
	if group != "" {
		if in, err = cstring("group", group); err != nil {
			return nil, err
		}
	}
	return e.ask(terms, func(c *C.cede_engine, list cstrings, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_plan_create_relief(c, what, in, C.int64_t(now), list.first, list.count, made, told)
	})
}

// PlanClaim plans for a queue that claims nodes: every unit with a task there leaves, except those of the queue's own
// subtree, or none does. `reason` is "reclaim" or "sensitive". Only profile class-cost allows claims. The only term is
// "protect=JOB"; a sensitive claim ignores it.
func (e *Engine) PlanClaim(queue string, nodes []string, reason string, now Time, terms ...string) (*Plan, error) {
	name, err := cstring("queue", queue)
	if err != nil {
		return nil, err
	}
	why, err := cstring("reason", reason)
	if err != nil {
		return nil, err
	}
	names, err := newCStrings("nodes", nodes)
	if err != nil {
		return nil, err
	}
	defer names.free()
	return e.ask(terms, func(c *C.cede_engine, list cstrings, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_plan_create_claim(c, name, names.first, names.count, why, C.int64_t(now), list.first, list.count, made, told)
	})
}

// PlanNumber is Plan in numbers. A number that is 0 or not assigned is ErrInvalid; a field that the kind of a term does
// not use must be 0.
func (e *Engine) PlanNumber(job Number, now Time, terms ...Term) (*Plan, error) {
	first, count := termsOf(terms)
	return e.askOne(func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_engine_plan(c, C.uint32_t(job), C.int64_t(now), first, sizeOf[Term](), count, made, told)
	})
}

// PlanBatchNumber is PlanBatch in numbers.
func (e *Engine) PlanBatchNumber(jobs []Number, now Time, terms ...Term) ([]*Plan, error) {
	first, count := termsOf(terms)
	job, jobCount := numbers(jobs)
	return e.askMany(len(jobs), func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_engine_plan_batch(c, job, jobCount, C.int64_t(now), first, sizeOf[Term](), count, made, told)
	})
}

// PlanReliefNumber is PlanRelief in numbers. `kind` is ForNode, ForQueue or ForJobMax, and `target` the number of that
// node, queue or job; `group` may be 0.
func (e *Engine) PlanReliefNumber(kind Purpose, target, group Number, now Time, terms ...Term) (*Plan, error) {
	first, count := termsOf(terms)
	return e.askOne(func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_engine_plan_relief(c, C.int32_t(kind), C.uint32_t(target), C.uint32_t(group), C.int64_t(now),
			first, sizeOf[Term](), count, made, told)
	})
}

// PlanClaimNumber is PlanClaim in numbers. `reason` is ForReclaim or ForSensitive.
func (e *Engine) PlanClaimNumber(queue Number, nodes []Number, reason Purpose, now Time, terms ...Term) (*Plan, error) {
	first, count := termsOf(terms)
	node, nodeCount := numbers(nodes)
	return e.askOne(func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return C.cede_engine_plan_claim(c, C.uint32_t(queue), node, nodeCount, C.int32_t(reason), C.int64_t(now),
			first, sizeOf[Term](), count, made, told)
	})
}

func termsOf(terms []Term) (*C.cede_term, C.size_t) {
	return (*C.cede_term)(unsafe.Pointer(unsafe.SliceData(terms))), C.size_t(len(terms))
}

// ask asks a question in texts.
func (e *Engine) ask(terms []string, do func(*C.cede_engine, cstrings, **C.cede_plan, *C.cede_error) C.int32_t) (*Plan, error) {
	list, err := newCStrings("terms", terms)
	if err != nil {
		return nil, err
	}
	defer list.free()
	return e.askOne(func(c *C.cede_engine, made **C.cede_plan, told *C.cede_error) C.int32_t {
		return do(c, list, made, told)
	})
}

func (e *Engine) askOne(do func(*C.cede_engine, **C.cede_plan, *C.cede_error) C.int32_t) (*Plan, error) {
	asked := time.Now()
	var made *C.cede_plan
	if err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return do(c, &made, told) }); err != nil {
		return nil, err
	}
	return newPlan(made, time.Since(asked))
}

func (e *Engine) askMany(count int, do func(*C.cede_engine, **C.cede_plan, *C.cede_error) C.int32_t) ([]*Plan, error) {
	asked := time.Now()
	made := make([]*C.cede_plan, count)
	first := unsafe.SliceData(made)
	if err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return do(c, first, told) }); err != nil {
		return nil, err
	}
	waited := time.Since(asked)
	plans := make([]*Plan, 0, count)
	var failed error
	for _, plan := range made {
		p, err := newPlan(plan, waited/time.Duration(count))
		if err != nil {
			failed = err
			continue
		}
		plans = append(plans, p)
	}
	if failed != nil {
		for _, plan := range plans {
			_ = plan.Close()
		}
		return nil, failed
	}
	return plans, nil
}
