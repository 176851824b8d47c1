// SPDX-License-Identifier: MIT

package cede

// #cgo pkg-config: cede
// #include <cede/cede.h>
import "C"

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// The header whose structs this package has. The library takes those of older headers, and says so if it is itself
// older.
const headerVersion = 2000

// Engine is one cluster, one policy, and everything decided so far. Engines are independent of each other. Make one
// with New; any number of goroutines may use it.
type Engine struct {
	core *core
	held atomic.Int32 // what a section already holds for this view of the engine
}

// core is what the engine and the views of its sections share.
type core struct {
	gate   gate
	engine *C.cede_engine
	log    *logSink
}

const (
	heldNothing int32 = iota
	heldShared
	heldExclusive
	heldNoMore
)

var (
	errSectionOver = errors.New("cede: the engine of a section is used after the section")
	errInShared    = errors.New("cede: a call that changes the engine inside Shared; use Exclusive")
	errInSection   = errors.New("cede: a section inside a section")
)

// Option is an argument of New.
type Option func(*options)

type options struct {
	texts []string
	log   func(LogLevel, string)
}

// WithThreads limits how many threads one decision or one large slice of jobs may use. 0: as many as the machine
// allows, which is the default.
func WithThreads(threads int) Option { return WithOption("threads", strconv.Itoa(threads)) }

// WithOption sets any option by its name; Options lists them.
func WithOption(name, value string) Option {
	return func(o *options) { o.texts = append(o.texts, name+"="+value) }
}

// WithLog is SetLog from the beginning.
func WithLog(log func(level LogLevel, text string)) Option {
	return func(o *options) { o.log = log }
}

// New makes an engine without a cluster. `policy` is a cede-policy/1 document. If it is nil, the engine loads, checks
// and exports clusters without a policy, and does not check what depends on one.
func New(policy []byte, opts ...Option) (*Engine, error) {
	var chosen options
	for _, option := range opts {
		option(&chosen)
	}
	texts, err := newCStrings("options", chosen.texts)
	if err != nil {
		return nil, err
	}
	defer texts.free()
	var told C.cede_error
	var engine *C.cede_engine
	data, size := document(policy)
	status := C.cede_engine_create(data, size, texts.first, texts.count, headerVersion, &engine, &told)
	if err := outcome(status, &told); err != nil {
		return nil, err
	}
	made := adopt(engine)
	if chosen.log != nil {
		made.SetLog(chosen.log)
	}
	return made, nil
}

func adopt(engine *C.cede_engine) *Engine {
	open.Add(1)
	c := &core{engine: engine, log: &logSink{}}
	runtime.SetFinalizer(c, (*core).destroy) // the net for whoever forgot Close
	return &Engine{core: c}
}

func (c *core) destroy() {
	if c.engine == nil {
		return
	}
	C.cede_engine_destroy(c.engine)
	c.engine = nil
	c.log.drop()
	open.Add(-1)
	runtime.SetFinalizer(c, nil)
}

// Close frees the engine once the calls that are running have returned. What it has made lives on. Closing it again
// does nothing.
func (e *Engine) Close() error {
	if e == nil || e.core == nil {
		return nil
	}
	if e.held.Load() != heldNothing {
		return errInSection
	}
	if err := e.core.gate.enter(context.Background(), true); err != nil {
		return err
	}
	defer e.core.gate.leave(true)
	e.core.destroy()
	return nil
}

// Clone makes an independent engine in the same state, for what-if questions or to plan for long. Its cost depends
// on what is changed in it later, not on the size of the cluster. The clone has no log. It knows the numbers of this
// engine, and a plan made on it can be committed to this one.
func (e *Engine) Clone() (*Engine, error) {
	var engine *C.cede_engine
	err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return C.cede_engine_clone(c, &engine, told) })
	if err != nil {
		return nil, err
	}
	return adopt(engine), nil
}

// Exclusive calls `section` with an engine that nobody else reads or changes meanwhile, so several calls are one
// step: a change and the event about it, a plan and its commit. Nothing is taken back if it fails. It waits until the
// engine is free or `ctx` is done. Inside, use only the engine that is passed, in that goroutine, and be brief.
func (e *Engine) Exclusive(ctx context.Context, section func(*Engine) error) error {
	return e.section(ctx, heldExclusive, section)
}

// Shared calls `section` with an engine that nobody changes meanwhile: several reads see the same state. Otherwise it
// is like Exclusive.
func (e *Engine) Shared(ctx context.Context, section func(*Engine) error) error {
	return e.section(ctx, heldShared, section)
}

func (e *Engine) section(ctx context.Context, held int32, section func(*Engine) error) error {
	if e == nil || e.core == nil {
		return ErrClosed
	}
	if e.held.Load() != heldNothing {
		return errInSection
	}
	write := held == heldExclusive
	if err := e.core.gate.enter(ctx, write); err != nil {
		return err
	}
	defer e.leave(write)
	if e.core.engine == nil {
		return ErrClosed
	}
	view := &Engine{core: e.core}
	view.held.Store(held)
	defer view.held.Store(heldNoMore)
	return section(view)
}

// leave ends a call or a section. The lines it logged are handed over when the engine is free again, so that a log
// function may do as it likes.
func (e *Engine) leave(write bool) {
	lines, log := e.core.log.take()
	e.core.gate.leave(write)
	for _, line := range lines {
		log(line.level, line.text)
	}
}

type call func(*C.cede_engine, *C.cede_error) C.int32_t

// read makes a call that does not change the engine, write makes one that does. Remarks are dropped.
func (e *Engine) read(do call) error {
	_, err := e.run(false, do)
	return err
}

func (e *Engine) write(do call) error {
	_, err := e.run(true, do)
	return err
}

func (e *Engine) run(write bool, do call) (C.int32_t, error) {
	if e == nil || e.core == nil {
		return 0, ErrClosed
	}
	switch e.held.Load() {
	case heldNothing:
		if err := e.core.gate.enter(context.Background(), write); err != nil {
			return 0, err
		}
		defer e.leave(write)
	case heldShared:
		if write {
			return 0, errInShared
		}
	case heldNoMore:
		return 0, errSectionOver
	}
	if e.core.engine == nil {
		return 0, ErrClosed
	}
	var told C.cede_error
	status := do(e.core.engine, &told)
	return status, outcome(status, &told)
}

// take is a change by a document. `warnings` is true if something in it is legal but odd; Check lists what.
func (e *Engine) take(do call) (warnings bool, err error) {
	status, err := e.run(true, do)
	return status == C.CEDE_REMARK_WARNINGS, err
}

// Load replaces the cluster with a cede-cluster/1 document, all or nothing. `warnings` is true if something is legal
// but odd. The error is the first mistake; Check lists them all.
func (e *Engine) Load(cluster []byte) (warnings bool, err error) {
	data, size := document(cluster)
	return e.take(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return C.cede_engine_load(c, data, size, told) })
}

// Apply applies a cede-changes/1 document, all or nothing. Each object under "put" replaces the whole object of its
// id or adds it; each id under "remove" must exist. The order inside the document does not matter.
func (e *Engine) Apply(changes []byte) (warnings bool, err error) {
	data, size := document(changes)
	return e.take(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return C.cede_engine_apply(c, data, size, told) })
}

// SetPolicy replaces the policy with a cede-policy/1 document, all or nothing; the cluster must agree with it.
func (e *Engine) SetPolicy(policy []byte) (warnings bool, err error) {
	data, size := document(policy)
	return e.take(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_set_policy(c, data, size, told)
	})
}

// Revision grows with every change of the cluster or policy. If two revisions of one engine are equal, so is its
// state. A closed engine has the revision 0.
func (e *Engine) Revision() uint64 {
	var revision uint64
	_ = e.read(func(c *C.cede_engine, _ *C.cede_error) C.int32_t {
		revision = uint64(C.cede_engine_revision(c))
		return 0
	})
	return revision
}

// Export is the cluster as a cede-cluster/1 document that loads back to the same model, objects ordered by name.
func (e *Engine) Export() ([]byte, error) {
	return e.text(func(c *C.cede_engine, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_engine_export(c, text, told)
	})
}

// Metrics is what the engine has counted, as OpenMetrics text.
func (e *Engine) Metrics() ([]byte, error) {
	return e.text(func(c *C.cede_engine, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_engine_metrics(c, text, told)
	})
}

// Shares is a cede-shares/1 document about one group whose profile is fair-share or, with "", about all such groups.
func (e *Engine) Shares(group string, now Time) ([]byte, error) {
	var name *C.char
	if group != "" {
		var err error
		if name, err = cstring("group", group); err != nil {
			return nil, err
		}
	}
	return e.text(func(c *C.cede_engine, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_engine_shares(c, name, C.int64_t(now), text, told)
	})
}

// text is what a reading call hands out as a text.
func (e *Engine) text(do func(*C.cede_engine, **C.cede_text, *C.cede_error) C.int32_t) ([]byte, error) {
	var text *C.cede_text
	err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return do(c, &text, told) })
	if err != nil {
		return nil, err
	}
	return takeText(text), nil
}

// takeText turns a text that the library made into bytes of Go.
func takeText(text *C.cede_text) []byte {
	defer C.cede_text_destroy(text)
	// Not C.GoBytes, which cannot count beyond 2 GiB.
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(C.cede_text_data(text))), int(C.cede_text_size(text)))
	return append(make([]byte, 0, len(bytes)), bytes...)
}
