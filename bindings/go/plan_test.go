// SPDX-License-Identifier: MIT

package cede

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestPlanSaysEverythingInNumbers(t *testing.T) {
	s := newScene(t)
	plan := got(s.PlanNumber(s.high, NowOfCluster))(t)
	defer plan.Close()
	facts := plan.Facts()
	equal(t, "the outcome", facts.Outcome, OutcomePreempt)
	equal(t, "the purpose", facts.Purpose, ForJob)
	equal(t, "the target", facts.Target, s.high)
	equal(t, "the time", facts.Now, sceneNow)
	equal(t, "optimal", facts.Optimal.Set(), true)
	equal(t, "the revision", plan.Revision(), s.Revision())
	victims := got(plan.Victims())(t)
	equal(t, "the number of victims", len(victims), 1)
	equal(t, "the victim", victims[0].Job, s.low)
	equal(t, "its action", victims[0].Action, ActionCheckpoint)
	tasks := got(plan.VictimTasks())(t)
	if !reflect.DeepEqual(tasks, []VictimTask{{Job: s.low, Task: s.worker, Node: s.node}}) {
		t.Errorf("the tasks are %v", tasks)
	}
	places := got(plan.Places())(t)
	equal(t, "the number of places", len(places), 1)
	equal(t, "a place", places[0].Node, s.node)
	equal(t, "its devices", places[0].GPUs, 0xf)
	criteria := got(plan.Criteria())(t)
	equal(t, "the number of criteria", uint32(len(criteria)), facts.CriterionCount)
	equal(t, "that of their names", len(plan.CriterionNames()), len(criteria))
	equal(t, "the number of parts", uint32(len(got(plan.CostParts())(t))), facts.CostPartCount)
	equal(t, "the number of moves", len(got(plan.Moves())(t)), 0)
	equal(t, "the number of violations", len(got(plan.Violations())(t)), 0)
	equal(t, "the number of jobs before it", len(got(plan.AfterJobs())(t)), 0)
	must(t, plan.Verify())
	if plan.Waited() <= 0 {
		t.Error("nobody waited")
	}
}

func TestPlanSaysEverythingInWords(t *testing.T) {
	e := loaded(t)
	plan := got(e.Plan("high", sceneNow))(t)
	defer plan.Close()
	equal(t, "the reason", plan.Reason(), "1 job gives way to 'high'")
	equal(t, "the rule", plan.Rule(), "")
	equal(t, "the cause", plan.Cause(), "priority")
	equal(t, "the policy", plan.Policy(), "default")
	equal(t, "the profile", plan.Profile(), "class-cost")
	words := [][]string{plan.VictimJobs(), plan.VictimTaskNames(0), plan.PlaceTasks(), plan.PlaceNodes(), plan.After(),
		plan.Met(), plan.Missed(), plan.VictimTaskNames(-1), plan.VictimTaskNames(7)}
	want := [][]string{{"low"}, {"worker"}, {"worker"}, {"n1"}, nil, nil, nil, nil, nil}
	if !reflect.DeepEqual(words, want) {
		t.Errorf("the words are %q", words)
	}
	document := got(plan.JSON())(t)
	var read struct{ Outcome, Cause string }
	must(t, json.Unmarshal(document, &read))
	equal(t, "the outcome", read.Outcome, plan.Outcome().String())
	equal(t, "the cause", read.Cause, plan.Facts().Cause.String())
	if long := got(plan.Explain())(t); len(long) <= len(document) || !json.Valid(long) {
		t.Errorf("the explanation is %s", long)
	}
	text := got(plan.Picture(PictureText, 80))(t)
	if !strings.Contains(text, "n1") {
		t.Errorf("the picture is %s", text)
	}
	for _, line := range strings.Split(text, "\n") {
		if len([]rune(line)) > 80 {
			t.Errorf("a line of %d", len([]rune(line)))
		}
	}
	if svg := got(plan.Picture(PictureSVG, 0))(t); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("the picture is %s", svg)
	}
	_, err := plan.Picture(PictureText, -1)
	wantStatus(t, err, ErrInvalid)
	_, err = plan.Picture(PictureText, 1<<32+80)
	wantStatus(t, err, ErrInvalid)
}

func TestTerms(t *testing.T) {
	s := newScene(t)
	for _, terms := range [][]Term{
		{{Kind: TermProtect, Job: s.low}}, {{Kind: TermAvoid, Node: s.node}},
	} {
		plan := got(s.PlanNumber(s.high, NowOfCluster, terms...))(t)
		if plan.Outcome() == OutcomePreempt {
			t.Errorf("%v does not count", terms)
		}
		must(t, plan.Close())
	}
	for _, term := range []string{"protect=low", "avoid=n1"} {
		plan := got(s.Plan("high", NowOfCluster, term))(t)
		if plan.Outcome() == OutcomePreempt {
			t.Errorf("%v does not count", term)
		}
		must(t, plan.Close())
	}
	only := got(s.Plan("high", NowOfCluster, "only=n1"))(t)
	equal(t, "the outcome", only.Outcome(), OutcomePreempt)
	must(t, only.Close())
	_, err := s.PlanNumber(s.high, NowOfCluster, Term{Kind: TermRefused, Job: s.high, Node: s.node, Task: s.worker})
	wantStatus(t, err, ErrVersion)
	_, err = s.PlanNumber(0, NowOfCluster)
	wantStatus(t, err, ErrInvalid)
	_, err = s.PlanNumber(s.high, NowOfCluster, Term{Kind: TermProtect, Job: 4711})
	wantStatus(t, err, ErrInvalid)
	_, err = s.Plan("nobody", NowOfCluster)
	wantStatus(t, err, ErrUnknown)
	_, err = s.Plan("high\x00", NowOfCluster) // in C it would be "high"
	wantStatus(t, err, ErrInvalid)
	_, err = s.Plan("high", NowOfCluster, "protect=low\x00x")
	wantStatus(t, err, ErrInvalid)
}

func TestBatch(t *testing.T) {
	s := newScene(t)
	second := got(s.Name("second"))(t)
	job, task := s.highJob, s.highTask
	job.Name = second
	must(t, s.PutJobs([]Job{job}, []Task{task}))
	numbers := got(s.PlanBatchNumber([]Number{s.high, second}, NowOfCluster))(t)
	texts := got(s.PlanBatch([]string{"high", "second"}, NowOfCluster))(t)
	equal(t, "the batch", string(got(BatchJSON(texts...))(t)), string(got(BatchJSON(numbers...))(t)))
	after := got(numbers[1].AfterJobs())(t)
	if !reflect.DeepEqual(after, []Number{s.high}) || !reflect.DeepEqual(texts[1].After(), []string{"high"}) {
		t.Errorf("the second comes after %v, %v", after, texts[1].After())
	}
	_, err := s.Commit(numbers[1], NowOfCluster)
	wantStatus(t, err, ErrStale)
	for _, plan := range numbers {
		got(s.Commit(plan, NowOfCluster))(t)
	}
	for _, plan := range append(numbers, texts...) {
		must(t, plan.Close())
	}
	_, err = s.PlanBatch([]string{"high", "high"}, NowOfCluster)
	wantStatus(t, err, ErrInvalid)
	none, err := s.PlanBatch(nil, NowOfCluster)
	if len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

func TestRelief(t *testing.T) {
	s := newScene(t)
	must(t, s.PutNodes(Node{Name: s.node, Resources: s.eight, OvercommitSince: sceneNow - 1}))
	numbers := got(s.PlanReliefNumber(ForNode, s.node, 0, NowOfCluster, Term{Kind: TermPartial}))(t)
	defer numbers.Close()
	texts := got(s.PlanRelief("node:n1", "", NowOfCluster, "partial"))(t)
	defer texts.Close()
	equal(t, "the purpose", numbers.Facts().Purpose, ForNode)
	equal(t, "the plan", string(got(numbers.JSON())(t)), string(got(texts.JSON())(t)))
	_, err := s.PlanRelief("n1", "", NowOfCluster)
	wantStatus(t, err, ErrInvalid)
	_, err = s.PlanRelief("queue:root", "none", NowOfCluster)
	wantStatus(t, err, ErrUnknown)
}

func TestClaim(t *testing.T) {
	s := newScene(t)
	queue := got(s.Name("owner"))(t)
	must(t, s.PutQueues(Queue{Name: queue, Parent: s.root}))
	must(t, s.PutNodes(Node{Name: s.node, Resources: s.eight, Home: queue}))
	numbers := got(s.PlanClaimNumber(queue, []Number{s.node}, ForReclaim, NowOfCluster))(t)
	defer numbers.Close()
	texts := got(s.PlanClaim("owner", []string{"n1"}, "reclaim", NowOfCluster))(t)
	defer texts.Close()
	equal(t, "the purpose", numbers.Facts().Purpose, ForReclaim)
	equal(t, "the outcome", numbers.Outcome(), OutcomePreempt)
	equal(t, "the plan", string(got(numbers.JSON())(t)), string(got(texts.JSON())(t)))
	_, err := s.PlanClaim("owner", nil, "reclaim", NowOfCluster)
	wantStatus(t, err, ErrInvalid)
}

func TestOthersAnswersForManagers(t *testing.T) {
	s := newScene(t)
	numbers := got(s.AdmitNumber(s.high))(t)
	defer numbers.Close()
	texts := got(s.Admit("high", nil))(t)
	defer texts.Close()
	equal(t, "admitted", numbers.Admitted, true)
	equal(t, "the class", numbers.Ruling.JobClass, 8)
	equal(t, "the ruling", numbers.Ruling, texts.Ruling)
	equal(t, "the rule", texts.Rule(), "")
	equal(t, "the quota", texts.Quota(), "")
	if texts.Reason() == "" || !json.Valid(got(texts.JSON())(t)) {
		t.Error("no reason or document")
	}
	_, err := s.Admit("new", []byte(`{"format": "cede-changes/1", "remove": {"jobs": ["x"]}}`))
	wantStatus(t, err, ErrDocument)
	_, err = s.AdmitNumber(4711)
	wantStatus(t, err, ErrInvalid)
	_, err = s.Shares("", NowOfCluster)
	wantStatus(t, err, ErrInvalid)
	_, err = s.Shares("none", NowOfCluster)
	wantStatus(t, err, ErrUnknown)
	fair := got(New([]byte(`{"format": "cede-policy/1", "policies": {"default": {"profile": "fair-share"}}}`)))(t)
	defer fair.Close()
	got(fair.Load([]byte(strings.Replace(sceneCluster, `"class": 2, `, "", 1))))(t)
	if shares := got(fair.Shares("g", NowOfCluster))(t); !json.Valid(shares) {
		t.Errorf("the shares are %s", shares)
	}
	if metrics := string(got(s.Metrics())(t)); !strings.HasSuffix(metrics, "# EOF\n") {
		t.Errorf("the metrics are %s", metrics)
	}
}

func TestTopology(t *testing.T) {
	conf := []byte("SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n3\nSwitchName=spine Switches=leaf[1-2]\n")
	topology := got(NewTopology(conf, TopologyAny, ""))(t)
	defer topology.Close()
	equal(t, "the kind", topology.Facts.Kind, TopologySlurm)
	equal(t, "the number of nodes", topology.Facts.Nodes, 3)
	equal(t, "the number of levels", uint32(len(topology.LevelNames())), topology.Facts.Levels)
	if domains := topology.DomainNames(0); !reflect.DeepEqual(domains, []string{"leaf1", "leaf2"}) {
		t.Errorf("the domains are %v", domains)
	}
	equal(t, "the length of the signature", len(topology.Signature()), 32)
	if !json.Valid(got(topology.JSON())(t)) || got(topology.Picture(PictureText, 0))(t) == "" {
		t.Error("no document or picture")
	}
	_, err := NewTopology([]byte("SwitchName=a\nNonsense"), TopologySlurm, "x")
	wantStatus(t, err, ErrDocument)
	_, err = NewTopology(conf, TopologyAny, "a\x00")
	wantStatus(t, err, ErrInvalid)
}
