// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// open counts what has been made in the library and not been destroyed, for the tests.
var open atomic.Int64

// handle owns one immutable object of the library. Many goroutines may use it at once, also while another closes
// it: the last one to leave destroys it.
type handle struct {
	mu      sync.Mutex
	object  unsafe.Pointer
	users   int
	closed  bool
	destroy func(unsafe.Pointer)
}

func own(object unsafe.Pointer, destroy func(unsafe.Pointer)) *handle {
	open.Add(1)
	h := &handle{object: object, destroy: destroy}
	runtime.SetFinalizer(h, func(h *handle) { _ = h.close() }) // the net for whoever forgot Close
	return h
}

func (h *handle) enter() (unsafe.Pointer, error) {
	if h == nil {
		return nil, ErrClosed
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	h.users++
	return h.object, nil
}

func (h *handle) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.users--
	h.destroyIfDone()
}

func (h *handle) close() error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.destroyIfDone()
	return nil
}

func (h *handle) destroyIfDone() {
	if h.closed && h.users == 0 && h.object != nil {
		h.destroy(h.object)
		h.object = nil
		open.Add(-1)
		runtime.SetFinalizer(h, nil)
	}
}

// word returns a text that belongs to the object; empty if there is none or the object is closed.
func (h *handle) word(read func(unsafe.Pointer) *C.char) string {
	object, err := h.enter()
	if err != nil {
		return ""
	}
	defer h.leave()
	return C.GoString(read(object))
}

// list returns such texts until there is no more; nil if the object is closed.
func (h *handle) list(read func(unsafe.Pointer, C.size_t) *C.char) []string {
	object, err := h.enter()
	if err != nil {
		return nil
	}
	defer h.leave()
	var out []string
	for {
		text := read(object, C.size_t(len(out)))
		if text == nil {
			return out
		}
		out = append(out, C.GoString(text))
	}
}

// document is a text that the library makes about the object.
func (h *handle) document(call func(unsafe.Pointer, **C.cede_text, *C.cede_error) C.int32_t) ([]byte, error) {
	object, err := h.enter()
	if err != nil {
		return nil, err
	}
	defer h.leave()
	var told C.cede_error
	var text *C.cede_text
	if err := outcome(call(object, &text, &told), &told); err != nil {
		return nil, err
	}
	return takeText(text), nil
}

// array is what the calls that write an array are passed: at most `room` elements of `size` bytes go to `out`.
type array struct {
	of, out    unsafe.Pointer
	size, room C.size_t
	count      *C.size_t
	told       *C.cede_error
}

// all is everything that an array call gives: it asks for the count, and then has the library write straight
// into the slice.
func all[T any](h *handle, call func(array) C.int32_t) ([]T, error) {
	object, err := h.enter()
	if err != nil {
		return nil, err
	}
	defer h.leave()
	var count C.size_t
	var told C.cede_error
	a := array{of: object, size: sizeOf[T](), count: &count, told: &told}
	if err := outcome(call(a), &told); err != nil || count == 0 {
		return nil, err
	}
	list := make([]T, count)
	a.out, a.room = unsafe.Pointer(&list[0]), count
	if err := outcome(call(a), &told); err != nil {
		return nil, err
	}
	return list, nil
}
