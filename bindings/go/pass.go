// SPDX-License-Identifier: MIT

package cede

// #include <stdlib.h>
// #include <cede/cede.h>
import "C"

import (
	"strings"
	"unsafe"
)

// What is passed to the library is passed in place: structs, numbers and texts of Go hold no pointers, so cgo keeps
// them where they are for the length of the call, and the library keeps nothing. Only lists of texts are copied,
// because in C they are pointers to pointers.

func sizeOf[T any]() C.size_t {
	var element T
	return C.size_t(unsafe.Sizeof(element))
}

func numbers(list []Number) (*C.uint32_t, C.size_t) {
	return (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(list))), C.size_t(len(list))
}

func document(text []byte) (*C.char, C.size_t) {
	if text != nil && len(text) == 0 {
		text = []byte{0} // an empty document is not the same as none
		return (*C.char)(unsafe.Pointer(&text[0])), 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.size_t(len(text))
}

func text(s string) (*C.char, C.size_t) {
	if s == "" {
		return document([]byte{})
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// cstring is a text that ends in a NUL. A text with a NUL inside would be cut short without a word.
func cstring(place, s string) (*C.char, error) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return nil, invalid("%s: %q has a NUL at byte %d", place, s, i)
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(append([]byte(s), 0)))), nil
}

// cpointers is room for pointers of C, in memory of C. Free it.
type pointers struct{ first unsafe.Pointer }

func cpointers(count int) pointers {
	return pointers{C.calloc(C.size_t(count)+1, C.size_t(unsafe.Sizeof(uintptr(0))))}
}

func (p pointers) at(i int, pointer unsafe.Pointer) {
	*(*unsafe.Pointer)(unsafe.Add(p.first, uintptr(i)*unsafe.Sizeof(pointer))) = pointer
}

func (p pointers) free() { C.free(p.first) }

// cstrings is a list of such texts in memory of C. Free it.
type cstrings struct {
	first **C.char
	count C.size_t
}

func newCStrings(place string, texts []string) (cstrings, error) {
	if len(texts) == 0 {
		return cstrings{}, nil
	}
	pointer := int(unsafe.Sizeof(uintptr(0)))
	size := len(texts) * pointer
	for i, s := range texts {
		if at := strings.IndexByte(s, 0); at >= 0 {
			return cstrings{}, invalid("%s[%d]: %q has a NUL at byte %d", place, i, s, at)
		}
		size += len(s) + 1
	}
	block := C.malloc(C.size_t(size)) // cgo ends the program if there is no memory; it never returns nil
	list := cstrings{(**C.char)(block), C.size_t(len(texts))}
	pointers := unsafe.Slice(list.first, len(texts))
	bytes := unsafe.Slice((*byte)(block), size)
	at := len(texts) * pointer
	for i, s := range texts {
		pointers[i] = (*C.char)(unsafe.Pointer(&bytes[at]))
		at += copy(bytes[at:], s)
		bytes[at] = 0
		at++
	}
	return list, nil
}

func (l cstrings) free() { C.free(unsafe.Pointer(l.first)) }
