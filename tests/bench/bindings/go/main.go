// SPDX-License-Identifier: MIT

// What a call costs from Go: bindings_bench.c once more, with the same two lines.
package main

import (
	"fmt"
	"log"
	"math"
	"strconv"
	"syscall"
	"time"

	cede "github.com/libcede/libcede/bindings/go"
)

const (
	nodes   = 1000
	devices = 8
	plans   = 1000
	puts    = 5
	jobs    = 100000
)

func got[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// clock is the processor time of the process, in microseconds: the garbage collector's too.
func clock() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / float64(time.Microsecond)
}

func name(engine *cede.Engine, prefix string, index int) cede.Number {
	return got(engine.Name(prefix + strconv.Itoa(index)))
}

func gpus(engine *cede.Engine, count int64) cede.Number {
	return got(engine.Resources(cede.Amount{Resource: got(engine.Name("gpu")), Amount: count * 1000}))
}

// fullCluster is nodes, a queue, and on every device a job of one task.
func fullCluster() *cede.Engine {
	policy := `{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}`
	engine := got(cede.New([]byte(policy), cede.WithThreads(1)))
	root := got(engine.Name("root"))
	check(engine.SetNow(1760000000000))
	check(engine.PutGroups(cede.Group{Name: got(engine.Name("g")), Policy: got(engine.Name("default"))}))
	check(engine.PutQueues(cede.Queue{Name: root}))
	var all []cede.Node
	for i := 0; i < nodes; i++ {
		all = append(all, cede.Node{Name: name(engine, "n", i), Resources: gpus(engine, devices)})
	}
	check(engine.PutNodes(all...))
	var running []cede.Job
	var tasks []cede.Task
	one := gpus(engine, 1)
	for i := 0; i < nodes*devices; i++ {
		running = append(running, cede.Job{Name: name(engine, "running", i), Queue: root, JobClass: int32(1 + i%5),
			State: cede.JobRunning, Started: cede.Time(1760000000000 - 1000*(600+i%3600)), TaskCount: 1})
		tasks = append(tasks, cede.Task{Node: all[i/devices].Name, Resources: one, GPUs: 1 << (i % devices)})
	}
	check(engine.PutJobs(running, tasks))
	return engine
}

func measurePlan(engine *cede.Engine) {
	train := got(engine.Name("train"))
	check(engine.PutJobs([]cede.Job{{Name: train, Queue: got(engine.Name("root")), JobClass: 8, Value: 1000000, TaskCount: 1}},
		[]cede.Task{{Resources: gpus(engine, 3)}}))
	start, sum := clock(), 0
	for i := 0; i < plans; i++ {
		plan := got(engine.PlanNumber(train, cede.NowOfCluster))
		if plan.Outcome() != cede.OutcomePreempt {
			log.Fatal(plan.Reason())
		}
		sum += len(got(plan.Victims())) + len(got(plan.Places()))
		check(plan.Close())
	}
	fmt.Printf("plan %.3f\n", (clock()-start)/plans)
	if sum != plans*4 {
		log.Fatal(sum)
	}
}

func measurePut(engine *cede.Engine) {
	root, one := got(engine.Name("root")), gpus(engine, 1)
	names := make([]cede.Number, jobs)
	for i := range names {
		names[i] = name(engine, "waiting", i)
	}
	best := math.Inf(1)
	for round := 0; round < puts; round++ {
		copied := got(engine.Clone())
		start := clock()
		all := make([]cede.Job, jobs)
		tasks := make([]cede.Task, jobs)
		for i := range all {
			job := &all[i]
			job.Name, job.Queue, job.JobClass = names[i], root, int32(i%10)
			if job.JobClass == 0 {
				job.Zero = cede.ZeroClass
			}
			job.Submitted, job.TaskCount = cede.Time(1759990000000+i), 1
			tasks[i].Resources = one
		}
		check(copied.PutJobs(all, tasks))
		best = math.Min(best, clock()-start)
		check(copied.Close())
	}
	fmt.Printf("put %.0f\n", best)
}

func main() {
	engine := fullCluster()
	defer engine.Close()
	measurePlan(engine)
	measurePut(engine)
}
