// SPDX-License-Identifier: MIT

package cede

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
)

// The scene of these tests: a node of 8 GPUs, full of `low`, for which `high` waits. Once as a document, once as arrays.

const scenePolicy = `{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}`

const sceneNow Time = 1760000000000

const sceneCluster = `{"format": "cede-cluster/1", "now": 1760000000, "groups": [{"id": "g", "policy": "default"}],
 "queues": [{"id": "root"}], "nodes": [{"id": "n1", "resources": {"gpu": 8}}], "jobs": [
 {"id": "low", "queue": "root", "class": 2, "state": "running", "submitted": 1759990000, "started": 1759990000,
  "checkpoint": {"mode": "auto"},
  "tasks": [{"id": "worker", "node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
 {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
  "tasks": [{"id": "worker", "resources": {"gpu": 4}}]}]}`

type scene struct {
	*Engine
	root, gpu, group, policy, node, low, high, worker Number
	eight, four                                       Number
	lowJob, highJob                                   Job
	lowTask, highTask                                 Task
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func newEngine(t testing.TB, opts ...Option) *Engine {
	t.Helper()
	e := got(New([]byte(scenePolicy), append([]Option{WithThreads(1), WithOption("audit", "1")}, opts...)...))(t)
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

func loaded(t testing.TB, opts ...Option) *Engine {
	t.Helper()
	e := newEngine(t, opts...)
	got(e.Load([]byte(sceneCluster)))(t)
	return e
}

func newScene(t testing.TB, opts ...Option) *scene {
	t.Helper()
	s := &scene{Engine: newEngine(t, opts...)}
	n := got(s.Names("root", "gpu", "g", "default", "n1", "low", "high", "worker"))(t)
	s.root, s.gpu, s.group, s.policy, s.node, s.low, s.high, s.worker = n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]
	s.eight = got(s.Resources(Amount{Resource: s.gpu, Amount: 8000}))(t)
	s.four = got(s.Resources(Amount{Resource: s.gpu, Amount: 4000}))(t)
	must(t, s.SetNow(sceneNow))
	must(t, s.PutGroups(Group{Name: s.group, Policy: s.policy}))
	must(t, s.PutQueues(Queue{Name: s.root}))
	must(t, s.PutNodes(Node{Name: s.node, Resources: s.eight}))
	s.lowJob = Job{Name: s.low, Queue: s.root, JobClass: 2, State: JobRunning, Submitted: sceneNow - 10000000,
		Started: sceneNow - 10000000, CheckpointMode: CheckpointAuto, TaskCount: 1}
	s.lowTask = Task{Name: s.worker, Node: s.node, Resources: s.eight, GPUs: 0xff}
	s.highJob = Job{Name: s.high, Queue: s.root, JobClass: 8, Value: 100000, Submitted: sceneNow - 1000000, TaskCount: 1}
	s.highTask = Task{Name: s.worker, Resources: s.four}
	must(t, s.PutJobs([]Job{s.lowJob, s.highJob}, []Task{s.lowTask, s.highTask}))
	return s
}

func wantStatus(t testing.TB, err error, status Status) {
	t.Helper()
	if !errors.Is(err, status) {
		var told *Error
		_ = errors.As(err, &told)
		t.Errorf("the error is %v (%#v), not %v", err, told, status)
	}
}

func equal[T comparable](t testing.TB, what string, is, want T) {
	t.Helper()
	if is != want {
		t.Errorf("%s is %v, not %v", what, is, want)
	}
}

// collect runs finalizers until nothing of the library is left that nobody holds.
func collect() {
	for i := 0; i < 100 && open.Load() > 0; i++ {
		runtime.GC()
		done := make(chan struct{})
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { close(done) })
		runtime.GC()
		<-done // finalizers run one after the other, so those before it have run
	}
}

// At the end of all tests, nothing is left: no object of the library, no goroutine.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	status := m.Run()
	collect()
	if left := open.Load(); left != 0 {
		fmt.Println("objects of the library are left:", left)
		status = 1
	}
	for i := 0; i < 10000 && runtime.NumGoroutine() > before; i++ {
		time.Sleep(time.Millisecond) // one that is about to end counts until the system lets it
	}
	if left := runtime.NumGoroutine() - before; left > 0 {
		fmt.Println("goroutines are left:", left)
		_ = pprof.Lookup("goroutine").WriteTo(os.Stdout, 1)
		status = 1
	}
	os.Exit(status)
}
