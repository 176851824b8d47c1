// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Victims come by job, in the order of their names, then holds. Tasks, cost parts and moves come in the order of the
// victims: those of one victim are tasks[v.FirstTask:][:v.TaskCount]. No plan has moves or violations yet.

// Victims are the jobs that give way.
func (p *Plan) Victims() ([]Victim, error) {
	return all[Victim](p.handle, func(a array) C.int32_t {
		return C.cede_plan_victims((*C.cede_plan)(a.of), (*C.cede_victim)(a.out), a.size, a.room, a.count, a.told)
	})
}

// VictimTasks are the tasks of all victims.
func (p *Plan) VictimTasks() ([]VictimTask, error) {
	return all[VictimTask](p.handle, func(a array) C.int32_t {
		return C.cede_plan_victim_tasks((*C.cede_plan)(a.of), (*C.cede_victim_task)(a.out), a.size, a.room, a.count, a.told)
	})
}

// Places are where the job goes, task by task.
func (p *Plan) Places() ([]Place, error) {
	return all[Place](p.handle, func(a array) C.int32_t {
		return C.cede_plan_places((*C.cede_plan)(a.of), (*C.cede_place)(a.out), a.size, a.room, a.count, a.told)
	})
}

// Moves are where victims that move go.
func (p *Plan) Moves() ([]Place, error) {
	return all[Place](p.handle, func(a array) C.int32_t {
		return C.cede_plan_moves((*C.cede_plan)(a.of), (*C.cede_place)(a.out), a.size, a.room, a.count, a.told)
	})
}

// CostParts are what the costs of the victims consist of.
func (p *Plan) CostParts() ([]CostPart, error) {
	return all[CostPart](p.handle, func(a array) C.int32_t {
		return C.cede_plan_cost_parts((*C.cede_plan)(a.of), (*C.cede_cost_part)(a.out), a.size, a.room, a.count, a.told)
	})
}

// Criteria are the values that were compared, the most important first.
func (p *Plan) Criteria() ([]Criterion, error) {
	return all[Criterion](p.handle, func(a array) C.int32_t {
		return C.cede_plan_criteria((*C.cede_plan)(a.of), (*C.cede_criterion)(a.out), a.size, a.room, a.count, a.told)
	})
}

// Violations are the disruption budgets that the plan breaks.
func (p *Plan) Violations() ([]Violation, error) {
	return all[Violation](p.handle, func(a array) C.int32_t {
		return C.cede_plan_violations((*C.cede_plan)(a.of), (*C.cede_violation)(a.out), a.size, a.room, a.count, a.told)
	})
}

// AfterJobs are, for a plan of a batch, the earlier jobs that it depends on: it uses space of their victims, or takes
// their hold. Committing it while one of them has no entry in progress is ErrStale.
func (p *Plan) AfterJobs() ([]Number, error) {
	return all[Number](p.handle, func(a array) C.int32_t {
		return C.cede_plan_after_jobs((*C.cede_plan)(a.of), (*C.uint32_t)(a.out), a.room, a.count, a.told)
	})
}

// The same as texts, for managers that use documents.

// VictimJobs are the names of the jobs of the victims; for a hold, of its requester.
func (p *Plan) VictimJobs() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_victim_job((*C.cede_plan)(o), i) })
}

// PlaceTasks are the names of the tasks of the places.
func (p *Plan) PlaceTasks() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_place_task((*C.cede_plan)(o), i) })
}

// PlaceNodes are the names of the nodes of the places.
func (p *Plan) PlaceNodes() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_place_node((*C.cede_plan)(o), i) })
}

// After are the names of AfterJobs.
func (p *Plan) After() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_after((*C.cede_plan)(o), i) })
}

// CriterionNames are the names of the criteria: "price", "victims" ...
func (p *Plan) CriterionNames() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_criterion_name((*C.cede_plan)(o), i) })
}

// Met is what of the job's topology requirement the placement meets.
func (p *Plan) Met() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_met((*C.cede_plan)(o), i) })
}

// Missed is which of its preferences the placement misses.
func (p *Plan) Missed() []string {
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_plan_missed((*C.cede_plan)(o), i) })
}

// VictimTaskNames are the names of the tasks of one victim, from 0.
func (p *Plan) VictimTaskNames(victim int) []string {
	if victim < 0 {
		return nil
	}
	return p.list(func(o unsafe.Pointer, i C.size_t) *C.char {
		return C.cede_plan_victim_task((*C.cede_plan)(o), C.size_t(victim), i)
	})
}
