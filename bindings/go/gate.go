// SPDX-License-Identifier: MIT

package cede

import (
	"context"
	"sync"
)

// mostReaders limits how many goroutines may be inside the library with one engine at once. Each of them keeps a
// thread of the system, and a Go program dies of too many.
const mostReaders = 64

// gate lets one writer in at a time, or many readers, in the order in which they came: neither can starve the
// other. It is not a sync.RWMutex because whoever waits can give up.
type gate struct {
	mu      sync.Mutex
	readers int
	writing bool
	waiting []*waiter // the longest first
}

type waiter struct {
	write bool
	in    chan struct{} // closed when it has been let in
}

func (g *gate) enter(ctx context.Context, write bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	if len(g.waiting) == 0 && g.free(write) {
		g.take(write)
		g.mu.Unlock()
		return nil
	}
	w := &waiter{write: write, in: make(chan struct{})}
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	select {
	case <-w.in:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting {
		if other == w {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			g.admit() // those behind it may have waited for it alone
			return ctx.Err()
		}
	}
	return nil // it was let in at the same moment
}

func (g *gate) leave(write bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if write {
		g.writing = false
	} else {
		g.readers--
	}
	g.admit()
}

func (g *gate) free(write bool) bool {
	if write {
		return !g.writing && g.readers == 0
	}
	return !g.writing && g.readers < mostReaders
}

func (g *gate) take(write bool) {
	if write {
		g.writing = true
	} else {
		g.readers++
	}
}

func (g *gate) admit() {
	for len(g.waiting) > 0 && g.free(g.waiting[0].write) {
		g.take(g.waiting[0].write)
		close(g.waiting[0].in)
		g.waiting[0] = nil
		g.waiting = g.waiting[1:]
	}
}
