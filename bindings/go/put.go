// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Each call here is one change like Apply, all or nothing. Every element replaces the whole object of its name or
// adds it. What it refers to must exist once the call is done. Errors name their place as "jobs[17].queue". A field of
// 0 means "not given"; to give the value 0, set the field's bit in Zero.

// SetNow sets the cluster's time; a time earlier than the present one is ignored.
func (e *Engine) SetNow(now Time) error {
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_set_now(c, C.int64_t(now), told)
	})
}

// PutLevels sets the network's levels, nearest first. They cannot be changed later: ErrInvalid once there is a level,
// a domain or a job.
func (e *Engine) PutLevels(names ...Number) error {
	return e.named(names, func(c *C.cede_engine, first *C.uint32_t, count C.size_t, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_levels(c, first, count, told)
	})
}

// ImportTopology adds a topology under that name: hwloc XML, NCCL XML, or the JSON object of the compact form. Read
// untrusted texts in a process that may crash: hwloc is large.
func (e *Engine) ImportTopology(name Number, topology []byte) error {
	data, size := document(topology)
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_import_topology(c, C.uint32_t(name), data, size, told)
	})
}

// PutGroups puts groups.
func (e *Engine) PutGroups(list ...Group) error {
	first := (*C.cede_group)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_groups(c, first, sizeOf[Group](), C.size_t(len(list)), told)
	})
}

// PutDomains puts domains.
func (e *Engine) PutDomains(list ...Domain) error {
	first := (*C.cede_domain)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_domains(c, first, sizeOf[Domain](), C.size_t(len(list)), told)
	})
}

// PutQueues puts queues.
func (e *Engine) PutQueues(list ...Queue) error {
	first := (*C.cede_queue)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_queues(c, first, sizeOf[Queue](), C.size_t(len(list)), told)
	})
}

// PutNodes puts nodes.
func (e *Engine) PutNodes(list ...Node) error {
	first := (*C.cede_node)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_nodes(c, first, sizeOf[Node](), C.size_t(len(list)), told)
	})
}

// PutReservations puts reservations.
func (e *Engine) PutReservations(list ...Reservation) error {
	first := (*C.cede_reservation)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_reservations(c, first, sizeOf[Reservation](), C.size_t(len(list)), told)
	})
}

// PutJobs puts jobs with all their tasks. The first job has the first TaskCount elements of `tasks`, the second job the
// elements after those, and so on; no element may be left over.
func (e *Engine) PutJobs(jobs []Job, tasks []Task) error {
	firstJob := (*C.cede_job)(unsafe.Pointer(unsafe.SliceData(jobs)))
	firstTask := (*C.cede_task)(unsafe.Pointer(unsafe.SliceData(tasks)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_jobs(c, firstJob, sizeOf[Job](), C.size_t(len(jobs)),
			firstTask, sizeOf[Task](), C.size_t(len(tasks)), told)
	})
}

// PutTasks puts single tasks of existing jobs; the rest of the job stays as it is. A task replaces the task of its
// name in its job. If the job has none of that name, or the task has no name, it is added after the last.
func (e *Engine) PutTasks(list ...Task) error {
	first := (*C.cede_task)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_tasks(c, first, sizeOf[Task](), C.size_t(len(list)), told)
	})
}

// PutBudgets is laid out and not available yet: budgets are ErrVersion.
func (e *Engine) PutBudgets(list ...Budget) error {
	first := (*C.cede_budget)(unsafe.Pointer(unsafe.SliceData(list)))
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_put_budgets(c, first, sizeOf[Budget](), C.size_t(len(list)), told)
	})
}

// named makes a change by a list of names.
func (e *Engine) named(names []Number, do func(*C.cede_engine, *C.uint32_t, C.size_t, *C.cede_error) C.int32_t) error {
	first, count := numbers(names)
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return do(c, first, count, told) })
}
