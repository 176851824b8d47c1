// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Step is what is to be done now. It is plain data and never changes; Close frees what the texts and JSON need.
type Step struct {
	*handle
	Actions []Action     // in the order of their numbers
	Tasks   []VictimTask // of all actions: those of one are Tasks[a.FirstTask:][:a.TaskCount]
	Places  []Place      // likewise
	Applied []bool       // for each event: false if it was about something the ledger does not know
	NextDue Time         // when the next step is due if nothing happens before; Never if it is not
}

func destroyStep(step unsafe.Pointer) { C.cede_step_destroy((*C.cede_step)(step)) }

func newStep(step *C.cede_step, err error) (*Step, error) {
	if err != nil {
		return nil, err
	}
	s := &Step{handle: own(unsafe.Pointer(step), destroyStep), NextDue: Time(C.cede_step_next_due(step))}
	if err := s.read(); err != nil {
		_ = s.Close()
		return nil, err
	}
	for i := C.size_t(0); ; i++ {
		answer := C.cede_step_answer(step, i)
		if answer < 0 {
			return s, nil
		}
		s.Applied = append(s.Applied, answer != 0)
	}
}

func (s *Step) read() (err error) {
	s.Actions, err = all[Action](s.handle, func(a array) C.int32_t {
		return C.cede_step_actions((*C.cede_step)(a.of), (*C.cede_action)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return err
	}
	s.Tasks, err = all[VictimTask](s.handle, func(a array) C.int32_t {
		return C.cede_step_tasks((*C.cede_step)(a.of), (*C.cede_victim_task)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return err
	}
	s.Places, err = all[Place](s.handle, func(a array) C.int32_t {
		return C.cede_step_places((*C.cede_step)(a.of), (*C.cede_place)(a.out), a.size, a.room, a.count, a.told)
	})
	return err
}

// Close frees the step. Its fields stay.
func (s *Step) Close() error {
	if s == nil {
		return nil
	}
	return s.close()
}

// TasksOf are the tasks of one of its actions that are not gone yet.
func (s *Step) TasksOf(action Action) []VictimTask {
	return part(s.Tasks, action.FirstTask, action.TaskCount)
}

// PlacesOf are the places of one of its actions.
func (s *Step) PlacesOf(action Action) []Place {
	return part(s.Places, action.FirstPlace, action.PlaceCount)
}

func part[T any](list []T, first, count uint32) []T { return list[first : uint64(first)+uint64(count)] }

// ActionText is an action in words. An empty text: there is none.
type ActionText struct {
	Job       string // the victim; of start, the job to start
	Preemptor string // what the entry is for; relief: "node:NAME"
	Cause     string // why
	Tasks     []string
	Places    []PlaceText
}

// PlaceText is a place in words.
type PlaceText struct{ Task, Node string }

// ActionText is one of its actions, from 0, in words. After Close it is empty.
func (s *Step) ActionText(action int) ActionText {
	var out ActionText
	object, err := s.enter()
	if err != nil || action < 0 {
		return out
	}
	defer s.leave()
	step, i := (*C.cede_step)(object), C.size_t(action)
	out.Job = C.GoString(C.cede_step_action_job(step, i))
	out.Preemptor = C.GoString(C.cede_step_action_preemptor(step, i))
	out.Cause = C.GoString(C.cede_step_action_cause(step, i))
	out.Tasks = s.list(func(_ unsafe.Pointer, k C.size_t) *C.char { return C.cede_step_action_task(step, i, k) })
	tasks := s.list(func(_ unsafe.Pointer, k C.size_t) *C.char { return C.cede_step_place_task(step, i, k) })
	nodes := s.list(func(_ unsafe.Pointer, k C.size_t) *C.char { return C.cede_step_place_node(step, i, k) })
	for k, node := range nodes {
		place := PlaceText{Node: node}
		if k < len(tasks) {
			place.Task = tasks[k]
		}
		out.Places = append(out.Places, place)
	}
	return out
}

// JSON is all of it as a cede-actions/1 document: the actions, an answer per event, and when the next step is due.
func (s *Step) JSON() ([]byte, error) {
	return s.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_step_json((*C.cede_step)(o), text, told)
	})
}
