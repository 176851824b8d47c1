// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Objects are removed by name. Each must exist, and nothing may refer to it after all of them are removed.

// RemoveTopologies removes topologies.
func (e *Engine) RemoveTopologies(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_topologies(c, first, count, told)
	})
}

// RemoveDomains removes domains.
func (e *Engine) RemoveDomains(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_domains(c, first, count, told)
	})
}

// RemoveGroups removes groups.
func (e *Engine) RemoveGroups(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_groups(c, first, count, told)
	})
}

// RemoveReservations removes reservations.
func (e *Engine) RemoveReservations(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_reservations(c, first, count, told)
	})
}

// RemoveQueues removes queues.
func (e *Engine) RemoveQueues(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_queues(c, first, count, told)
	})
}

// RemoveNodes removes nodes.
func (e *Engine) RemoveNodes(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_nodes(c, first, count, told)
	})
}

// RemoveBudgets removes budgets.
func (e *Engine) RemoveBudgets(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_budgets(c, first, count, told)
	})
}

// RemoveJobs removes jobs.
func (e *Engine) RemoveJobs(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_jobs(c, first, count, told)
	})
}

// RemoveTasks removes single tasks; the others keep their names. The last task of a job can only be removed with the
// job.
func (e *Engine) RemoveTasks(list ...TaskName) error {
	first := (*C.cede_task_name)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_remove_tasks(c, first, sizeOf[TaskName](), C.size_t(len(list)), told)
	})
}
