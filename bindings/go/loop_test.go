// SPDX-License-Identifier: MIT

package cede

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func newLoop(s *scene) *Loop {
	return &Loop{Engine: s.Engine, Now: func() time.Time { return sceneNow.Time() }}
}

// One goroutine runs the loop; the manager's answers come from others.
func TestLoopLeadsToStarted(t *testing.T) {
	s := newScene(t)
	loop := newLoop(s)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var saved int
	loop.Save = func(_ context.Context, state []byte) error {
		if len(state) == 0 {
			t.Error("an empty state")
		}
		saved++
		return nil
	}
	var answers sync.WaitGroup
	var kinds []string
	loop.Perform = func(_ context.Context, step *Step) error {
		if saved == 0 {
			t.Error("performed before it was saved")
		}
		for _, action := range step.Actions {
			kinds = append(kinds, action.Kind.String())
			events := []Event{Done(action)}
			switch action.Kind {
			case DoCheckpointHint:
				events = append(events, Event{Kind: EventCheckpointDone, Job: action.Job})
			case DoSuspend:
				events = append(events, Event{Kind: EventReleased, Job: action.Job})
			case DoStart:
				stop()
			}
			answers.Add(1)
			go func() {
				defer answers.Done()
				loop.Tell(events...)
			}()
		}
		return nil
	}
	committed(t, s)
	loop.Wake()
	if err := loop.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	answers.Wait()
	if all := strings.Join(kinds, " "); all != "checkpoint-hint suspend requeue start" {
		t.Errorf("the actions are %s", all)
	}
}

func TestLoopKeepsEventsThatNoStepTook(t *testing.T) {
	s := newScene(t)
	loop := newLoop(s)
	committed(t, s)
	var hint Action
	loop.Perform = func(_ context.Context, step *Step) error {
		hint = step.Actions[0]
		return nil
	}
	ctx := context.Background()
	got(loop.Turn(ctx))(t)
	loop.Fail(hint, "first")
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := loop.Turn(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	loop.Fail(Action{ID: 4711}, "second")
	var ignored []Event
	loop.Ignored = func(event Event, why error) {
		must(t, why)
		ignored = append(ignored, event)
	}
	loop.giveBack(nil, nil)
	equal(t, "the texts", string(loop.texts), "firstsecond")
	got(loop.Turn(ctx))(t)
	if len(ignored) != 1 || ignored[0].Action != 4711 || ignored[0].Text != 5 || ignored[0].TextSize != 6 {
		t.Errorf("ignored is %v", ignored)
	}
}

func TestLoopOutlivesAMalformedEvent(t *testing.T) {
	s := newScene(t)
	loop := newLoop(s)
	loop.Perform = func(context.Context, *Step) error { return nil }
	ctx := context.Background()
	events := []Event{{Kind: EventReleased, Job: s.low}, {Kind: EventReleased, Job: 4711}, {Kind: EventExited, Job: s.low}}
	loop.Tell(events...)
	_, err := loop.Turn(ctx)
	wantStatus(t, err, ErrInvalid)
	equal(t, "how many are left", len(loop.events), 2)
	var wrong, unknown int
	loop.Ignored = func(event Event, why error) {
		if why == nil {
			unknown++
		} else if event.Job == 4711 {
			wrong++
		}
	}
	loop.Tell(events[1], events[1])
	got(loop.Turn(ctx))(t)
	equal(t, "how many are left", len(loop.events), 0)
	equal(t, "malformed", wrong, 2)
	equal(t, "not known to the ledger", unknown, 2)
}

func TestLoopStopsForItsManager(t *testing.T) {
	s := newScene(t)
	committed(t, s)
	loop := newLoop(s)
	if err := loop.Run(context.Background()); err == nil {
		t.Error("no Perform")
	}
	own := errors.New("mine")
	loop.Perform = func(context.Context, *Step) error { t.Error("performed without being saved"); return nil }
	loop.Save = func(context.Context, []byte) error { return own }
	if err := loop.Run(context.Background()); err != own {
		t.Errorf("the error is %v", err)
	}
}

// A step that is due is made without an event: what is asked of a job has a deadline.
func TestLoopWaitsForWhatIsDue(t *testing.T) {
	s := newScene(t)
	committed(t, s)
	now := sceneNow
	loop := &Loop{Engine: s.Engine, Now: func() time.Time { return now.Time() }}
	own := errors.New("the next action came")
	first := true
	loop.Perform = func(_ context.Context, step *Step) error {
		if !first {
			return own
		}
		first = false
		now = step.NextDue // as if that time had passed
		return nil
	}
	if err := loop.Run(context.Background()); err != own {
		t.Errorf("the error is %v", err)
	}
}

// The cluster changes in the middle: the node of the plan goes down, the entry is short, and another plan extends it.
func TestLoopPlansAgainWhenTheClusterChanges(t *testing.T) {
	s := newScene(t)
	n := got(s.Names("n2", "other"))(t)
	second, other := n[0], n[1]
	must(t, s.PutNodes(Node{Name: second, Resources: s.eight}))
	job, task := s.lowJob, s.lowTask
	job.Name, task.Node = other, second
	must(t, s.PutJobs([]Job{job}, []Task{task}))
	entry := committed(t, s)
	loop := newLoop(s)
	done := errors.New("extended")
	var asked []Number
	loop.Perform = func(_ context.Context, step *Step) error {
		for _, action := range step.Actions {
			loop.Tell(Done(action))
			switch action.Kind {
			case DoCheckpointHint:
				asked = append(asked, action.Job)
				if len(asked) == 2 {
					return done
				}
				lost := step.TasksOf(action)[0].Node
				must(t, s.PutNodes(Node{Name: lost, Resources: s.eight, State: NodeDown}))
				loop.Tell(Event{Kind: EventNodeDown, Node: lost})
			case DoReplan:
				equal(t, "the entry", action.Entry, entry)
				plan := got(s.PlanNumber(action.Target, NowOfCluster))(t)
				defer plan.Close()
				must(t, s.Extend(action.Entry, plan, NowOfCluster))
				loop.Wake()
			}
		}
		return nil
	}
	if err := loop.Run(context.Background()); err != done {
		t.Errorf("the error is %v", err)
	}
	if len(asked) != 2 || asked[0] == asked[1] {
		t.Errorf("asked were %v", asked)
	}
}
