// SPDX-License-Identifier: MIT

package cede

import (
	"encoding/json"
	"strings"
	"testing"
)

func committed(t *testing.T, s *scene) uint64 {
	t.Helper()
	plan := got(s.PlanNumber(s.high, NowOfCluster))(t)
	defer plan.Close()
	return got(s.Commit(plan, NowOfCluster))(t)
}

// step makes a step, and checks that its numbers and its words say the same.
func step(t *testing.T, s *scene, now Time, events ...Event) *Step {
	t.Helper()
	made := got(s.Step(now, events, nil))(t)
	t.Cleanup(func() { must(t, made.Close()) })
	equal(t, "the number of answers", len(made.Applied), len(events))
	var document struct {
		Actions []struct {
			Do, For, Job, Cause, How string
		}
	}
	must(t, json.Unmarshal(got(made.JSON())(t), &document))
	equal(t, "the number of actions", len(made.Actions), len(document.Actions))
	for i, action := range made.Actions {
		text, in := made.ActionText(i), document.Actions[i]
		equal(t, "the action", action.Kind.String(), in.Do)
		equal(t, "the purpose", action.Purpose.String(), in.For)
		equal(t, "the cause", action.Cause.String(), text.Cause)
		equal(t, "the job", s.NameText(action.Job), text.Job)
		if action.Kind == DoRequeue {
			equal(t, "how it left", action.How.String(), in.How)
		}
		equal(t, "the number of tasks", len(made.TasksOf(action)), len(text.Tasks))
		equal(t, "the number of places", len(made.PlacesOf(action)), len(text.Places))
		for k, place := range made.PlacesOf(action) {
			equal(t, "a place", s.NameText(place.Node), text.Places[k].Node)
		}
	}
	return made
}

func only(t *testing.T, made *Step, kind Do) Action {
	t.Helper()
	for _, action := range made.Actions {
		if action.Kind == kind {
			return action
		}
	}
	t.Fatalf("no %v among %v", kind, made.Actions)
	return Action{}
}

func TestFromPlanToStarted(t *testing.T) {
	s := newScene(t)
	entry := committed(t, s)
	now := sceneNow
	hint := only(t, step(t, s, now), DoCheckpointHint)
	equal(t, "the entry", hint.Entry, entry)
	equal(t, "the job", hint.Job, s.low)
	suspend := only(t, step(t, s, now, Done(hint), Event{Kind: EventCheckpointDone, Job: s.low}), DoSuspend)
	released := step(t, s, now, Done(suspend), Event{Kind: EventReleased, Job: s.low})
	requeue, start := only(t, released, DoRequeue), only(t, released, DoStart)
	equal(t, "how it left", requeue.How, HowSaved)
	place := released.PlacesOf(start)[0]
	s.lowJob.State, s.lowJob.Started, s.lowJob.PreemptedCount = JobPending, 0, requeue.PreemptedCount
	s.lowTask.Node, s.lowTask.GPUs = 0, 0
	s.highJob.State, s.highJob.Started = JobRunning, now
	s.highTask.Node, s.highTask.GPUs = place.Node, place.GPUs
	must(t, s.PutJobs([]Job{s.lowJob, s.highJob}, []Task{s.lowTask, s.highTask}))
	last := step(t, s, now, Done(requeue), Done(start), Event{Kind: EventStarted, Job: s.high})
	for _, action := range last.Actions {
		step(t, s, now, Done(action))
	}
	ledger := got(s.InFlight())(t)
	defer ledger.Close()
	equal(t, "the number of entries left", len(ledger.Entries), 0)
}

func TestLedgerInNumbersAndWords(t *testing.T) {
	s := newScene(t)
	entry := committed(t, s)
	step(t, s, sceneNow)
	ledger := got(s.InFlight())(t)
	equal(t, "the number of entries", len(ledger.Entries), 1)
	in := ledger.Entries[0]
	equal(t, "the entry", in.Entry, entry)
	equal(t, "its state", in.State, EntryWaiting)
	equal(t, "its target", in.Target, s.high)
	victim := ledger.VictimsOf(in)[0]
	equal(t, "the victim", victim.Job, s.low)
	equal(t, "its task", ledger.TasksOf(victim)[0].Task, s.worker)
	equal(t, "its place", ledger.PlacesOf(in)[0].Node, s.node)
	text := ledger.EntryText(0)
	equal(t, "the requester", text.Requester, "high")
	equal(t, "the cause", text.Cause, in.Cause.String())
	equal(t, "the victim", text.Victims[0], VictimText{"low", victim.Phase.String()})
	document := string(got(ledger.JSON())(t))
	if !strings.Contains(document, `"`+in.State.String()+`"`) {
		t.Errorf("no state in %s", document)
	}
	must(t, ledger.Close())
	equal(t, "a text after the end", ledger.EntryText(0).Requester, "")
	must(t, s.Cancel(entry, sceneNow))
	wantStatus(t, s.Cancel(entry, sceneNow), ErrInvalid)
	wantStatus(t, s.Cancel(4711, sceneNow), ErrUnknown)
	wantStatus(t, s.GiveUp(4711, sceneNow), ErrUnknown)
}

func TestEventsThatAreWrong(t *testing.T) {
	s := newScene(t)
	committed(t, s)
	hint := only(t, step(t, s, sceneNow), DoCheckpointHint)
	_, err := s.Step(sceneNow, []Event{Done(hint), {Kind: EventReleased}}, nil)
	wantStatus(t, err, ErrInvalid)
	if !strings.Contains(err.Error(), "events[1].job") {
		t.Errorf("the error is %v", err)
	}
	why := []byte("no such pod")
	failed := Event{Kind: EventActionFailed, Action: hint.ID, TextSize: uint32(len(why))}
	made := got(s.Step(sceneNow, []Event{failed, {Kind: EventReleased, Job: s.root}}, why))(t)
	defer made.Close()
	equal(t, "the first", made.Applied[0], true)
	equal(t, "one about a job that is no victim", made.Applied[1], false)
	failed.TextSize++
	_, err = s.Step(sceneNow, []Event{failed}, why)
	wantStatus(t, err, ErrInvalid)
	_, err = s.StepDocument(sceneNow, []byte(`{"format": "cede-events/1", "events": [{"event": "gone"}]}`))
	wantStatus(t, err, ErrDocument)
}

// The words of events are those that documents use.
func TestWordsOfEvents(t *testing.T) {
	e := loaded(t)
	for kind := EventCheckpointProgress; kind <= EventActionFailed; kind++ {
		document := `{"format": "cede-events/1", "events": [{"event": "` + kind.String() + `", "more": 1}]}`
		_, err := e.StepDocument(NowOfCluster, []byte(document))
		if err == nil || strings.Contains(err.Error(), kind.String()) {
			t.Errorf("%v: %v", kind, err)
		}
	}
	equal(t, "a number of a newer library", Do(99).String(), "?99")
}

func TestStale(t *testing.T) {
	s := newScene(t)
	plan := got(s.PlanNumber(s.high, NowOfCluster))(t)
	defer plan.Close()
	must(t, s.Note(plan, NowOfCluster))
	wantStatus(t, s.Extend(4711, plan, NowOfCluster), ErrInvalid)
	must(t, s.RemoveJobs(s.low))
	_, err := s.Commit(plan, NowOfCluster)
	wantStatus(t, err, ErrStale)
	_, err = s.Commit(nil, NowOfCluster)
	wantStatus(t, err, ErrInvalid)
}

func TestSaveAndRestore(t *testing.T) {
	s := newScene(t)
	entry := committed(t, s)
	hint := only(t, step(t, s, sceneNow), DoCheckpointHint)
	state := got(s.Save())(t)
	must(t, s.Close())

	again := newScene(t)
	must(t, again.Restore(state))
	listed := only(t, step(t, again, sceneNow), DoCheckpointHint)
	equal(t, "the action", listed.ID, hint.ID)
	equal(t, "its entry", listed.Entry, entry)
	state[len(state)/2] ^= 1
	wantStatus(t, again.Restore(state), ErrDamaged)
	wantStatus(t, again.Restore([]byte{}), ErrDamaged)
}
