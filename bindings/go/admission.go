// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Ruling is first the values that count for the job (for a refused job: those it asks for), then what it may ask for. If
// the priority may not be changed, its range is the default alone. If MaxPriority is below MinPriority, the rules allow
// no priority. Opting out means "preemptible": false; a job of last resort still gives way.
type Ruling struct {
	Priority        int32
	JobClass        int32       // 0..10
	Preemptible     Preemptible // the most protected of its tasks
	MinPriority     int32
	MaxPriority     int32
	DefaultPriority int32 // if the job states none
	MaxClass        int32
	MayChange       Flag // whether the priority may differ from the default
	MayOptOut       Flag // whether it may be "preemptible": false at its priority
	// The priorities at which it may; if the second is below the first, it may at none.
	MinOptOutPriority int32
	MaxOptOutPriority int32
}

// Admission is whether the policy's admission rules for a job's project and user accept it as it was submitted, and
// what a frontend may offer its owner. It never changes and may outlive its engine. Close it.
type Admission struct {
	*handle
	Admitted bool
	Ruling   Ruling
}

func destroyAdmission(admission unsafe.Pointer) {
	C.cede_admission_destroy((*C.cede_admission)(admission))
}

// Admit asks about one job: as it is loaded or, if `changes` is not nil, as it would be after this cede-changes/1
// document. The engine is not changed. An answer of "no" is an admission too: look at Admitted.
func (e *Engine) Admit(job string, changes []byte) (*Admission, error) {
	name, err := cstring("job", job)
	if err != nil {
		return nil, err
	}
	data, size := document(changes)
	return e.admit(func(c *C.cede_engine, made **C.cede_admission, told *C.cede_error) C.int32_t {
		return C.cede_engine_admit(c, name, data, size, made, told)
	})
}

// AdmitNumber is the same for a job in the cluster. To ask about a job before it is put, put it into a Clone.
func (e *Engine) AdmitNumber(job Number) (*Admission, error) {
	return e.admit(func(c *C.cede_engine, made **C.cede_admission, told *C.cede_error) C.int32_t {
		return C.cede_engine_admit_job(c, C.uint32_t(job), made, told)
	})
}

func (e *Engine) admit(do func(*C.cede_engine, **C.cede_admission, *C.cede_error) C.int32_t) (*Admission, error) {
	var made *C.cede_admission
	if err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return do(c, &made, told) }); err != nil {
		return nil, err
	}
	a := &Admission{handle: own(unsafe.Pointer(made), destroyAdmission), Admitted: C.cede_admission_admitted(made) == 1}
	var told C.cede_error
	out := (*C.cede_ruling)(unsafe.Pointer(&a.Ruling))
	if err := outcome(C.cede_admission_get(made, out, sizeOf[Ruling](), &told), &told); err != nil {
		_ = a.Close()
		return nil, err
	}
	return a, nil
}

// Close frees the admission. Its fields stay.
func (a *Admission) Close() error {
	if a == nil {
		return nil
	}
	return a.close()
}

// Rule is the rule that refused it ("priority", "class", "opt-out"), empty if it is admitted.
func (a *Admission) Rule() string {
	return a.word(func(o unsafe.Pointer) *C.char { return C.cede_admission_rule((*C.cede_admission)(o)) })
}

// Reason is one sentence for people.
func (a *Admission) Reason() string {
	return a.word(func(o unsafe.Pointer) *C.char { return C.cede_admission_reason((*C.cede_admission)(o)) })
}

// Quota is, under profile quota, one sentence that says whether the job's waiting tasks are within their quotas now;
// empty under other profiles and if no task waits.
func (a *Admission) Quota() string {
	return a.word(func(o unsafe.Pointer) *C.char { return C.cede_admission_quota((*C.cede_admission)(o)) })
}

// JSON is all of it as a cede-admission/1 document.
func (a *Admission) JSON() ([]byte, error) {
	return a.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_admission_json((*C.cede_admission)(o), text, told)
	})
}
