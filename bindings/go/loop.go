// SPDX-License-Identifier: MIT

package cede

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Loop leads what is committed in one engine to its end. It steps the engine whenever there are events, somebody wakes
// it or a step is due, and has the actions performed. Set the fields, then call Run in one goroutine; Tell, Fail and
// Wake may come from any.
type Loop struct {
	Engine *Engine
	// Perform carries out the actions of one step and then tells their results: Tell(Done(action)), Fail(action, why),
	// and what else happened. It need not wait for anything; results may come later, from any goroutine. An error ends
	// Run.
	Perform func(ctx context.Context, step *Step) error
	// Save keeps the state where it survives a crash. It is called after every step that has actions, before they are
	// performed. nil: nothing is kept. An error ends Run; the actions are listed again after the setting
	// action_timeout, or by the next engine that restores the last state kept.
	Save func(ctx context.Context, state []byte) error
	// Now is the time of a step; nil: the system's clock.
	Now func() time.Time
	// Ignored learns of every event that changed nothing: it was about something the ledger does not know (nil), or it
	// is malformed, for example because its number has been given back (the error). If it is not set, a malformed event
	// ends Run. Either way the other events are applied.
	Ignored func(event Event, why error)

	mu     sync.Mutex
	events []Event
	texts  []byte
	signal chan struct{} // has room for one: something is new
}

// Done is the event that an action has been carried out.
func Done(action Action) Event { return Event{Kind: EventActionDone, Action: action.ID} }

// Tell reports what happened. The next step takes it. Change the cluster first (Apply or the arrays), then tell the
// event about it. The events of one call stay together. The Text of an event is set by Fail alone.
func (l *Loop) Tell(events ...Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		event.Text, event.TextSize = 0, 0
		l.events = append(l.events, event)
	}
	l.wake()
}

// Fail reports that an action could not be carried out, and why.
func (l *Loop) Fail(action Action, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	event := Event{Kind: EventActionFailed, Action: action.ID}
	if why != "" {
		event.Text, event.TextSize = uint32(len(l.texts)), uint32(len(why))
		l.texts = append(l.texts, why...)
	}
	l.events = append(l.events, event)
	l.wake()
}

// Wake has the next step made now: after a commit, a cancel or a change of the cluster that it should see.
func (l *Loop) Wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wake()
}

func (l *Loop) wake() {
	select {
	case l.news() <- struct{}{}:
	default:
	}
}

// news is made by whoever needs it first; call it locked.
func (l *Loop) news() chan struct{} {
	if l.signal == nil {
		l.signal = make(chan struct{}, 1)
	}
	return l.signal
}

// Run makes steps until `ctx` is done or something fails, and returns why. It starts with a step. It may be called
// again afterwards: events that no step has taken are kept.
func (l *Loop) Run(ctx context.Context) error {
	l.mu.Lock()
	news := l.news()
	l.mu.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		due, err := l.Turn(ctx)
		if err != nil {
			return err
		}
		if err := l.wait(ctx, news, due); err != nil {
			return err
		}
	}
}

// Turn makes one step and has its actions performed: what Run does again and again. It returns when the next step is due
// if nothing happens before.
func (l *Loop) Turn(ctx context.Context) (due Time, err error) {
	if l.Engine == nil || l.Perform == nil {
		return Never, errors.New("cede: a loop needs Engine and Perform")
	}
	l.mu.Lock()
	events, texts := l.events, l.texts
	l.events, l.texts = nil, nil
	l.mu.Unlock()
	var step *Step
	var state []byte
	err = l.Engine.Exclusive(ctx, func(engine *Engine) (err error) {
		if step, err = engine.Step(At(l.now()), events, texts); err == nil && l.Save != nil && len(step.Actions) > 0 {
			state, err = engine.Save()
		}
		return err
	})
	if step == nil {
		if err := l.withdraw(events, texts, err); err != nil {
			return Never, err
		}
		return l.Turn(ctx) // without the malformed event
	}
	defer step.Close()
	if err != nil {
		return Never, err
	}
	if l.Ignored != nil {
		for i, applied := range step.Applied {
			if !applied {
				l.Ignored(events[i], nil)
			}
		}
	}
	if len(step.Actions) == 0 {
		return step.NextDue, nil
	}
	if l.Save != nil {
		if err := l.Save(ctx, state); err != nil {
			return Never, err
		}
	}
	return step.NextDue, l.Perform(ctx, step)
}

// withdraw keeps the events of a step that failed for the next one, without the event that it failed for. nil: there was
// such an event, and Ignored knows.
func (l *Loop) withdraw(events []Event, texts []byte, err error) error {
	var told *Error
	var wrong int
	malformed := errors.As(err, &told) && told.Status == ErrInvalid
	if malformed {
		found, _ := fmt.Sscanf(told.Text, "events[%d]", &wrong)
		malformed = found == 1 && wrong >= 0 && wrong < len(events)
	}
	if !malformed {
		l.giveBack(events, texts)
		return err
	}
	event := events[wrong]
	l.giveBack(append(events[:wrong:wrong], events[wrong+1:]...), texts)
	if l.Ignored == nil {
		return err
	}
	l.Ignored(event, err)
	return nil
}

// giveBack puts events that no step took before those that came since.
func (l *Loop) giveBack(events []Event, texts []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.events {
		if l.events[i].TextSize > 0 {
			l.events[i].Text += uint32(len(texts))
		}
	}
	l.events = append(events, l.events...)
	l.texts = append(texts, l.texts...)
}

// wait returns when something is new or `due` has come.
func (l *Loop) wait(ctx context.Context, news <-chan struct{}, due Time) error {
	var alarm <-chan time.Time
	if due != Never {
		timer := time.NewTimer(due.Time().Sub(l.now()))
		defer timer.Stop()
		alarm = timer.C
	}
	select {
	case <-news:
	case <-alarm:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (l *Loop) now() time.Time {
	if l.Now != nil {
		return l.Now()
	}
	return time.Now()
}
