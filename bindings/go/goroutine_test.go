// SPDX-License-Identifier: MIT

package cede

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// What a plugin does all day, in many goroutines at once: objects come and go, jobs are planned, committed, stepped, and
// the state is saved. With -race and `audit`, any mistake shows.
func TestManyGoroutines(t *testing.T) {
	const rounds = 20
	s := newScene(t)
	s.SetLog(func(LogLevel, string) {})
	var all sync.WaitGroup
	every := func(work func(i int) error) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < rounds; i++ {
				if err := work(i); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for g := 0; g < 3; g++ {
		name := "extra" + string(rune('a'+g))
		every(func(i int) error {
			job, err := s.Name(name)
			if err != nil {
				return err
			}
			if err := s.PutJobs([]Job{{Name: job, Queue: s.root, JobClass: 1, TaskCount: 1}}, []Task{{Resources: s.four}}); err != nil {
				return err
			}
			plan, err := s.PlanNumber(job, NowOfCluster)
			if err != nil {
				return err
			}
			defer plan.Close()
			if err := s.RemoveJobs(job); err != nil {
				return err
			}
			return s.Forget(job)
		})
	}
	every(func(int) error {
		return s.Exclusive(context.Background(), func(e *Engine) error {
			plan, err := e.PlanNumber(s.high, NowOfCluster)
			if err != nil {
				return err
			}
			defer plan.Close()
			entry, err := e.Commit(plan, NowOfCluster)
			if err != nil {
				return err
			}
			return e.Cancel(entry, NowOfCluster)
		})
	})
	every(func(int) error {
		step, err := s.Step(NowOfCluster, nil, nil)
		if err != nil {
			return err
		}
		return step.Close()
	})
	every(func(int) error {
		if _, err := s.Save(); err != nil {
			return err
		}
		ledger, err := s.InFlight()
		if err != nil {
			return err
		}
		s.Revision()
		_, err = s.Export()
		return errors.Join(err, ledger.Close())
	})
	every(func(int) error {
		copied, err := s.Clone()
		if err != nil {
			return err
		}
		return errors.Join(copied.SetNow(sceneNow+1), copied.Close())
	})
	all.Wait()
}

// Whoever uses a plan while another goroutine closes it gets an answer or ErrClosed.
func TestCloseWhileOthersUse(t *testing.T) {
	e := got(New([]byte(scenePolicy)))(t)
	got(e.Load([]byte(sceneCluster)))(t)
	plan := got(e.Plan("high", NowOfCluster))(t)
	var all sync.WaitGroup
	for g := 0; g < 4; g++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				victims, err := plan.Victims()
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil || len(victims) != 1 {
					t.Error(victims, err)
				}
				if _, err := e.Plan("high", NowOfCluster); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
			}
		}()
	}
	must(t, e.Close())
	must(t, plan.Close())
	all.Wait()
}

func TestGateLetsInInOrder(t *testing.T) {
	var g gate
	ctx := context.Background()
	for i := 0; i < mostReaders; i++ {
		must(t, g.enter(ctx, false))
	}
	entered := make(chan string)
	queue := func(name string, write bool, length int) {
		go func() {
			must(t, g.enter(ctx, write))
			entered <- name
			g.leave(write)
		}()
		for { // until it waits
			g.mu.Lock()
			there := len(g.waiting)
			g.mu.Unlock()
			if there == length {
				return
			}
		}
	}
	queue("one reader more than may", false, 1)
	queue("writer", true, 2)
	queue("reader behind it", false, 3)
	g.leave(false)
	equal(t, "the first", <-entered, "one reader more than may")
	for i := 1; i < mostReaders; i++ {
		g.leave(false)
	}
	equal(t, "the second", <-entered, "writer")
	equal(t, "the third", <-entered, "reader behind it")
	// A writer that gives up does not hold up those behind it.
	must(t, g.enter(ctx, false))
	gone, cancel := context.WithCancel(ctx)
	left := make(chan error)
	go func() { left <- g.enter(gone, true) }()
	for waits := false; !waits; {
		g.mu.Lock()
		waits = len(g.waiting) == 1
		g.mu.Unlock()
	}
	queue("reader behind one that gives up", false, 2)
	cancel()
	equal(t, "why it left", <-left, context.Canceled)
	equal(t, "who comes", <-entered, "reader behind one that gives up")
	g.leave(false)
	must(t, g.enter(ctx, true)) // nothing is left inside
	g.leave(true)
	equal(t, "one that is done already", g.enter(gone, false), context.Canceled)
}
