// SPDX-License-Identifier: MIT

package cede

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestArraysAndDocumentsAreOneDoor(t *testing.T) {
	arrays, documents := newScene(t), loaded(t)
	equal(t, "the export", string(got(arrays.Export())(t)), string(got(documents.Export())(t)))
	one := got(arrays.PlanNumber(arrays.high, NowOfCluster))(t)
	defer one.Close()
	two := got(documents.Plan("high", NowOfCluster))(t)
	defer two.Close()
	equal(t, "the objective", one.Objective(), two.Objective())
	equal(t, "the reason", one.Reason(), two.Reason())
}

func TestNames(t *testing.T) {
	e := newEngine(t)
	numbers := got(e.Names("a", "ü", "a", strings.Repeat("x", 250)))(t)
	equal(t, "an equal name", numbers[0], numbers[2])
	equal(t, "the number of a name", got(e.Name("ü"))(t), numbers[1])
	equal(t, "the number found", e.FindName("ü"), numbers[1])
	equal(t, "the number of no name", e.FindName("nobody"), 0)
	equal(t, "the number of the empty name", e.FindName(""), 0)
	equal(t, "the name of a number", e.NameText(numbers[1]), "ü")
	equal(t, "the name of no number", e.NameText(4711), "")
	texts := got(e.NameTexts(numbers[3], 0, numbers[0]))(t)
	if !reflect.DeepEqual(texts, []string{strings.Repeat("x", 250), "", "a"}) {
		t.Errorf("the names are %q", texts)
	}
	equal(t, "the count of no names", len(got(e.NameTexts())(t)), 0)
	equal(t, "the count of no numbers", len(got(e.Names())(t)), 0)
	_, err := e.NameTexts(4711)
	wantStatus(t, err, ErrInvalid)
	_, err = e.Name("a\x00b")
	wantStatus(t, err, ErrInvalid)
	_, err = e.Names("fine", "")
	wantStatus(t, err, ErrInvalid)
	equal(t, "the number of a name beside an invalid one", e.FindName("fine"), 0)
	out := make([]Number, 2)
	wantStatus(t, e.NamesPacked([]byte("ab"), []uint64{0, 1}, out), ErrInvalid)
	wantStatus(t, e.NamesPacked([]byte("ab"), []uint64{0, 1, 3}, out), ErrInvalid)
	wantStatus(t, e.NamesPacked([]byte("ab"), []uint64{0, 2, 1}, out), ErrInvalid)
	must(t, e.NamesPacked([]byte("ab"), []uint64{0, 1, 2}, out))
	equal(t, "a packed name", e.NameText(out[1]), "b")
	must(t, e.Forget(numbers[1]))
	equal(t, "a forgotten name", e.FindName("ü"), 0)
	wantStatus(t, e.Forget(numbers[1]), ErrUnknown)
}

// One of everything that can be put, changed and removed.
func TestEveryObject(t *testing.T) {
	s := newScene(t)
	n := got(s.Names("n2", "night", "q", "extra", "gpu-model", "t9", "machine"))(t)
	node, night, queue, job, task, machine := n[0], n[1], n[2], n[3], n[5], n[6]
	labels := got(s.Part(PartLabels, `{"zone": "a"}`))(t)
	nodes := got(s.List(s.node))(t)
	must(t, s.PutQueues(Queue{Name: queue, Parent: s.root, Guaranteed: s.four, Kind: KindBatch}))
	must(t, s.ImportTopology(machine, []byte(`{"gpus": 8}`)))
	must(t, s.PutNodes(Node{Name: node, Resources: s.eight, Labels: labels, State: NodeDrain, Topology: machine}))
	must(t, s.PutReservations(Reservation{Name: night, From: sceneNow, Until: sceneNow.Add(1e9), Nodes: nodes, Queue: queue}))
	must(t, s.PutJobs([]Job{{Name: job, Queue: queue, TaskCount: 2}}, []Task{{Resources: s.four}, {Resources: s.four, Name: task}}))
	must(t, s.PutTasks(Task{Job: job, Name: task, Resources: s.eight}))
	out := string(got(s.Export())(t))
	for _, word := range []string{`"night"`, `"zone"`, `"extra"`, `"t9"`, `"drain"`, `"machine"`} {
		if !strings.Contains(out, word) {
			t.Errorf("no %s in %s", word, out)
		}
	}
	wantStatus(t, s.PutBudgets(Budget{Name: night, Queue: queue, LimitKind: BudgetMinAvailable, Limit: 1}), ErrVersion)
	must(t, s.PutBudgets())
	must(t, s.RemoveTasks(TaskName{Job: job, Task: task}))
	wantStatus(t, s.RemoveQueues(queue), ErrDocument)
	must(t, s.RemoveJobs(job))
	must(t, s.RemoveReservations(night))
	must(t, s.RemoveQueues(queue))
	must(t, s.RemoveNodes(node))
	must(t, s.RemoveTopologies(machine))
	wantStatus(t, s.RemoveDomains(night), ErrDocument)
	wantStatus(t, s.RemoveGroups(night), ErrDocument)
	wantStatus(t, s.RemoveBudgets(night), ErrVersion)
	wantStatus(t, s.PutLevels(night), ErrInvalid)
	if err := s.PutDomains(Domain{Name: night, Level: night}); err == nil {
		t.Error("a domain of no level")
	}
	err := s.PutJobs([]Job{s.lowJob, {Name: job, TaskCount: 1}}, []Task{s.lowTask, {Resources: s.four}})
	if err == nil || !strings.Contains(err.Error(), "jobs[1].queue") {
		t.Errorf("the error is %v", err)
	}
	wantStatus(t, s.PutJobs([]Job{s.lowJob}, nil), ErrInvalid)
	must(t, s.PutJobs(nil, nil))
}

func TestZeroIsNotNotGiven(t *testing.T) {
	s := newScene(t)
	job := s.lowJob
	job.Zero = ZeroCheckpointEstimate
	must(t, s.PutJobs([]Job{job}, []Task{s.lowTask}))
	if out := string(got(s.Export())(t)); !strings.Contains(out, `"estimate"`) {
		t.Errorf("no estimate of 0 in %s", out)
	}
}

func TestPartsAreReadOnce(t *testing.T) {
	e := newEngine(t)
	_, err := e.Part(PartRequirement, "{\"network\": [\n{\"lewel\": \"leaf\"}]}")
	wantStatus(t, err, ErrDocument)
	_, err = e.Part(PartKind(99), "{}")
	wantStatus(t, err, ErrInvalid)
	_, err = e.Part(PartLabels, "")
	wantStatus(t, err, ErrDocument)
	_, err = e.List(4711)
	wantStatus(t, err, ErrUnknown)
	_, err = e.Resources(Amount{Resource: 4711})
	wantStatus(t, err, ErrUnknown)
}

// A slice is passed as it is: what Go allocates does not depend on how many elements there are.
func TestElementsAreNotCopied(t *testing.T) {
	s := newScene(t, WithOption("audit", "0"))
	allocated := func(count int) float64 {
		jobs, tasks := make([]Job, count), make([]Task, count)
		for i := range jobs {
			name := got(s.Name("many" + strconv.Itoa(i)))(t)
			jobs[i], tasks[i] = Job{Name: name, Queue: s.root, TaskCount: 1}, Task{Resources: s.four}
		}
		return testing.AllocsPerRun(5, func() { must(t, s.PutJobs(jobs, tasks)) })
	}
	if one, many := allocated(1), allocated(1000); many > one {
		t.Errorf("%v allocations for 1,000 jobs, %v for one", many, one)
	}
}
