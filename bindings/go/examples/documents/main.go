// SPDX-License-Identifier: MIT

// A small resource manager that speaks documents: load, plan, commit, step, save, and go on after a crash. It has no
// processes: perform shows where a real manager would act on them. The same in C is custom_manager.c.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	cede "github.com/libcede/libcede/bindings/go"
)

const policy = `{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}`

const cluster = `{"format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "g", "policy": "default"}],
 "queues": [{"id": "root"}], "nodes": [{"id": "n1", "resources": {"gpu": 8}}], "jobs": [
 {"id": "low", "queue": "root", "class": 2, "state": "running", "started": 1759990000, "checkpoint": {"mode": "auto"},
  "tasks": [{"node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
 {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000, "tasks": [{"resources": {"gpu": 4}}]}]}`

const removed = `{"format": "cede-changes/1", "remove": {"jobs": ["low"]}}`

const requeued = `{"format": "cede-changes/1", "put": {"jobs": [
 {"id": "low", "queue": "root", "class": 2, "submitted": 1759990000, "resume": true, "preempted_count": 1,
  "checkpoint": {"mode": "auto"}, "tasks": [{"resources": {"gpu": 8}}]}]}}`

type event struct {
	Event  string `json:"event"`
	Job    string `json:"job,omitempty"`
	Action uint64 `json:"action,omitempty"`
}

type manager struct {
	out    io.Writer
	engine *cede.Engine
	now    cede.Time // a real manager reads a clock
	events []event   // since the last step
	saved  []byte    // a real manager writes this to a disk
}

func (m *manager) tell(e event) { m.events = append(m.events, e) }

// perform carries out one action and reports the result: first the change of the cluster, then the event.
func (m *manager) perform(step *cede.Step, index int) (started bool, err error) {
	action, text := step.Actions[index], step.ActionText(index)
	switch action.Kind {
	case cede.DoCheckpointHint:
		fmt.Fprintf(m.out, "hint to %s for %s\n", text.Job, text.Preemptor)
		m.tell(event{Event: "checkpoint-done", Job: text.Job}) // a real job needs time and reports this itself
	case cede.DoSuspend:
		fmt.Fprintf(m.out, "stop %s\n", text.Job)
		_, err = m.engine.Apply([]byte(removed))
		m.tell(event{Event: "released", Job: text.Job})
	case cede.DoRequeue:
		how := "from the beginning"
		if action.Resume.Set() {
			how = "to resume"
		}
		fmt.Fprintf(m.out, "%s waits again, %s\n", text.Job, how)
		_, err = m.engine.Apply([]byte(requeued))
	case cede.DoStart:
		fmt.Fprintf(m.out, "start %s on %s, devices %#x\n", text.Job, text.Places[0].Node, step.PlacesOf(action)[0].GPUs)
		m.tell(event{Event: "started", Job: text.Job})
		started = true
	}
	m.tell(event{Event: "action-done", Action: action.ID})
	return started, err
}

// turn makes one step. The state is saved before any action is performed: after a crash the engine restores it and lists
// again every action without an answer.
func (m *manager) turn() (started bool, err error) {
	document, err := json.Marshal(map[string]any{"format": "cede-events/1", "events": append([]event{}, m.events...)})
	if err != nil {
		return false, err
	}
	step, err := m.engine.StepDocument(m.now, document)
	if err != nil {
		return false, err
	}
	defer step.Close()
	m.events = nil
	if m.saved, err = m.engine.Save(); err != nil {
		return false, err
	}
	for i := range step.Actions {
		now, err := m.perform(step, i)
		if err != nil {
			return false, err
		}
		started = started || now
	}
	m.now += 1000
	return started, nil
}

func run(out io.Writer) error {
	m := &manager{out: out, now: 1760000000000}
	if err := m.begin(); err != nil {
		return err
	}
	// As after a crash: a new engine, the state that was saved, the cluster as it is now.
	m.engine.Close()
	m.events = nil
	var err error
	if m.engine, err = cede.New([]byte(policy)); err != nil {
		return err
	}
	defer m.engine.Close()
	if err := m.engine.Restore(m.saved); err != nil {
		return err
	}
	if _, err := m.engine.Load([]byte(cluster)); err != nil {
		return err
	}
	fmt.Fprintln(out, "restored")
	for started := false; !started; {
		if started, err = m.turn(); err != nil {
			return err
		}
	}
	_, err = m.turn() // the last answers
	return err
}

func (m *manager) begin() (err error) {
	if m.engine, err = cede.New([]byte(policy)); err != nil {
		return err
	}
	if _, err = m.engine.Load([]byte(cluster)); err != nil {
		return err
	}
	plan, err := m.engine.Plan("high", m.now)
	if err != nil {
		return err
	}
	defer plan.Close()
	fmt.Fprintln(m.out, plan.Reason())
	if _, err = m.engine.Commit(plan, m.now); err != nil {
		return err
	}
	_, err = m.turn()
	return err
}

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}
