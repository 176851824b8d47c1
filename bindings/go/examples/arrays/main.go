// SPDX-License-Identifier: MIT

// A small resource manager that speaks arrays only. Names are given to the engine once, at the beginning; from there
// on everything is a number: the cluster, the plan, events, actions and what they lead to. It has no processes:
// perform shows where a real manager would act on them. The same in C is array_manager.c.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	cede "github.com/libcede/libcede/bindings/go"
)

const policy = `{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}`

// manager is what it knows of its cluster: one record for each job, one for its only task.
type manager struct {
	out    io.Writer
	engine *cede.Engine
	loop   *cede.Loop
	now    cede.Time // a real manager reads a clock

	root, gpu, group, policy, node, low, high, task cede.Number

	lowJob, highJob   cede.Job
	lowTask, highTask cede.Task
}

func (m *manager) gpus(count int64) cede.Number {
	number, err := m.engine.Resources(cede.Amount{Resource: m.gpu, Amount: count * 1000}) // in thousandths
	check(err)
	return number
}

func (m *manager) put(job cede.Job, task cede.Task) {
	job.TaskCount = 1
	check(m.engine.PutJobs([]cede.Job{job}, []cede.Task{task}))
}

// describe gives all names to the engine in one call, and then the cluster.
func (m *manager) describe() {
	n, err := m.engine.Names("root", "gpu", "g", "default", "n1", "low", "high", "worker")
	check(err)
	m.root, m.gpu, m.group, m.policy, m.node, m.low, m.high, m.task = n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]
	check(m.engine.SetNow(m.now))
	check(m.engine.PutGroups(cede.Group{Name: m.group, Policy: m.policy}))
	check(m.engine.PutQueues(cede.Queue{Name: m.root}))
	check(m.engine.PutNodes(cede.Node{Name: m.node, Resources: m.gpus(8)}))
	m.lowJob = cede.Job{Name: m.low, Queue: m.root, JobClass: 2, State: cede.JobRunning, Submitted: m.now - 10000000,
		Started: m.now - 10000000, CheckpointMode: cede.CheckpointAuto}
	m.lowTask = cede.Task{Name: m.task, Node: m.node, Resources: m.gpus(8), GPUs: 0xff}
	m.put(m.lowJob, m.lowTask)
	m.highJob = cede.Job{Name: m.high, Queue: m.root, JobClass: 8, Value: 100000, Submitted: m.now - 1000000}
	m.highTask = cede.Task{Name: m.task, Resources: m.gpus(4)}
	m.put(m.highJob, m.highTask)
}

// show says what the plan says, without any document.
func (m *manager) show(plan *cede.Plan) {
	facts := plan.Facts()
	victims, err := plan.Victims()
	check(err)
	fmt.Fprintf(m.out, "plan for job %d: %d of %d criteria proven, expected in %d s\n", facts.Target, facts.Proven,
		facts.CriterionCount, (facts.ExpectedStart-facts.Now)/1000)
	for _, victim := range victims {
		fmt.Fprintf(m.out, "victim: job %d, cost %d.%03d\n", victim.Job, victim.Cost/1000, victim.Cost%1000)
	}
}

var errStarted = errors.New("started")

// perform carries out the actions of one step and reports the results: first the change of the cluster, then the event.
func (m *manager) perform(_ context.Context, step *cede.Step) error {
	var started error
	for _, action := range step.Actions {
		switch action.Kind {
		case cede.DoCheckpointHint:
			fmt.Fprintf(m.out, "hint to job %d for job %d\n", action.Job, action.Target)
			// A real job needs time and reports this itself.
			m.loop.Tell(cede.Event{Kind: cede.EventCheckpointDone, Job: action.Job})
		case cede.DoSuspend:
			fmt.Fprintf(m.out, "stop job %d\n", action.Job)
			m.loop.Tell(cede.Event{Kind: cede.EventReleased, Job: action.Job})
		case cede.DoRequeue:
			how := "from the beginning"
			m.lowJob.Resume = cede.No
			if action.Resume.Set() {
				how, m.lowJob.Resume = "to resume", cede.Yes
			}
			fmt.Fprintf(m.out, "job %d waits again, %s\n", action.Job, how)
			m.lowJob.State, m.lowJob.Started = cede.JobPending, 0
			m.lowJob.Submitted, m.lowJob.WaitingSince = action.Submitted, action.WaitingSince
			m.lowJob.PreemptedCount = action.PreemptedCount
			m.lowTask.Node, m.lowTask.GPUs = 0, 0
			m.put(m.lowJob, m.lowTask)
		case cede.DoStart:
			place := step.PlacesOf(action)[0]
			fmt.Fprintf(m.out, "start job %d on node %d, devices %#x\n", action.Job, place.Node, place.GPUs)
			m.highJob.State, m.highJob.Started = cede.JobRunning, m.now
			m.highTask.Node, m.highTask.GPUs = place.Node, place.GPUs
			m.put(m.highJob, m.highTask)
			m.loop.Tell(cede.Event{Kind: cede.EventStarted, Job: action.Job})
			started = errStarted
		default: // release-hold: this manager keeps nothing off the node, so it drops nothing
		}
		m.loop.Tell(cede.Done(action))
	}
	m.now += 1000
	return started
}

func run(out io.Writer) error {
	engine, err := cede.New([]byte(policy))
	if err != nil {
		return err
	}
	defer engine.Close()
	m := &manager{out: out, engine: engine, now: 1760000000000}
	m.loop = &cede.Loop{Engine: engine, Perform: m.perform, Now: func() time.Time { return m.now.Time() }}
	m.describe()
	plan, err := engine.PlanNumber(m.high, m.now)
	if err != nil {
		return err
	}
	defer plan.Close()
	m.show(plan)
	if _, err := engine.Commit(plan, m.now); err != nil {
		return err
	}
	if err := m.loop.Run(context.Background()); err != errStarted {
		return err
	}
	for i := 0; i < 2; i++ { // the last answers; a real manager just goes on with Run
		if _, err := m.loop.Turn(context.Background()); err != nil {
			return err
		}
	}
	ledger, err := engine.InFlight()
	if err != nil {
		return err
	}
	defer ledger.Close()
	fmt.Fprintf(out, "%d entries left\n", len(ledger.Entries))
	return engine.Forget(m.root, m.gpu, m.group, m.policy, m.node, m.low, m.high, m.task)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() { check(run(os.Stdout)) }
