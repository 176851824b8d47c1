// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Number stands for a name, and for anything that has more than one value: resources, a list of names, a
// requirement. 0 is not a number: it means "not given".
//
// Numbers belong to one engine and its later clones. A number you asked for is valid until you give it back with
// Forget, whatever is loaded or removed. Every name in an answer has a number too; one that you never asked for is
// valid while the cluster has an object of that name, and in a committed plan until its entry leaves the ledger. So
// give back the number of a job when the ledger is done with the job: after DoRequeue or DoGone of a victim, after
// DoReleaseHold of a requester.
type Number uint32

// Name is the number of a name; equal texts have equal numbers. It does not change the cluster.
func (e *Engine) Name(name string) (Number, error) {
	var number C.uint32_t
	data, size := text(name)
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_name(c, data, size, &number, told)
	})
	return Number(number), err
}

// Names are the numbers of many names, in one call. If any name is invalid, none is assigned.
func (e *Engine) Names(names ...string) ([]Number, error) {
	size := 0
	for _, name := range names {
		size += len(name)
	}
	texts := make([]byte, 0, size)
	offsets := make([]uint64, 1, len(names)+1)
	for _, name := range names {
		texts = append(texts, name...)
		offsets = append(offsets, uint64(len(texts)))
	}
	out := make([]Number, len(names))
	if err := e.NamesPacked(texts, offsets, out); err != nil {
		return nil, err
	}
	return out, nil
}

// NamesPacked is Names without a string for each: name i is texts[offsets[i]:offsets[i+1]], so there is one offset
// more than names, and `out` has room for a number per name. Nothing is copied.
func (e *Engine) NamesPacked(texts []byte, offsets []uint64, out []Number) error {
	if len(offsets) != len(out)+1 {
		return invalid("offsets: there are %d for %d names; there must be one more than names", len(offsets), len(out))
	}
	data, size := document(texts)
	places := (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(offsets)))
	first, count := numbers(out)
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_names_packed(c, data, size, places, count, first, told)
	})
}

// FindName is the number of a name if it has one, else 0.
func (e *Engine) FindName(name string) Number {
	var number C.uint32_t
	data, size := text(name)
	_ = e.read(func(c *C.cede_engine, _ *C.cede_error) C.int32_t {
		number = C.cede_engine_find_name(c, data, size)
		return 0
	})
	return Number(number)
}

// NameText is the name of a number, empty if the number is not assigned to a name.
func (e *Engine) NameText(number Number) string {
	var name string
	_ = e.read(func(c *C.cede_engine, _ *C.cede_error) C.int32_t {
		name = C.GoString(C.cede_engine_name_text(c, C.uint32_t(number)))
		return 0
	})
	return name
}

// NameTexts are the names of many numbers. The number 0 has the empty name; any other number without a name is
// ErrInvalid.
func (e *Engine) NameTexts(list ...Number) ([]string, error) {
	texts, offsets, err := e.NameTextsPacked(list)
	if err != nil {
		return nil, err
	}
	// One string for all: each name is a part of it.
	whole := string(texts)
	names := make([]string, len(list))
	for i := range names {
		names[i] = whole[offsets[i]:offsets[i+1]]
	}
	return names, nil
}

// NameTextsPacked is the opposite of NamesPacked: name i is texts[offsets[i]:offsets[i+1]].
func (e *Engine) NameTextsPacked(list []Number) (texts []byte, offsets []uint64, err error) {
	first, count := numbers(list)
	offsets = make([]uint64, len(list)+1)
	places := (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(offsets)))
	texts = make([]byte, 24*len(list)) // what is usually enough
	err = e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		for {
			var size C.size_t
			data, room := document(texts)
			status := C.cede_engine_name_texts(c, first, count, data, room, &size, places, told)
			if status < 0 {
				return status
			}
			if size <= room {
				texts = texts[:size]
				return status
			}
			texts = make([]byte, size)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return texts, offsets, nil
}

// Resources is the number of a vector of resources, each named once. A resource that is left out is zero; in a limit
// it is unlimited.
func (e *Engine) Resources(amounts ...Amount) (Number, error) {
	var number C.uint32_t
	first := (*C.cede_amount)(unsafe.Pointer(unsafe.SliceData(amounts)))
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_resources(c, first, sizeOf[Amount](), C.size_t(len(amounts)), &number, told)
	})
	return Number(number), err
}

// List is the number of a list of names.
func (e *Engine) List(names ...Number) (Number, error) {
	var number C.uint32_t
	first, count := numbers(names)
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_list(c, first, count, &number, told)
	})
	return Number(number), err
}

// Part is the number of what a cluster document has in that member, passed as the text of its JSON object. It is
// read once, here. If it is wrong, the error is ErrDocument and names the line.
func (e *Engine) Part(kind PartKind, json string) (Number, error) {
	var number C.uint32_t
	data, size := text(json)
	err := e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_part(c, C.int32_t(kind), data, size, &number, told)
	})
	return Number(number), err
}

// Forget gives numbers of names and parts back, all or none. What is in the cluster stays. The engine may assign such
// a number again to something else.
func (e *Engine) Forget(list ...Number) error {
	first, count := numbers(list)
	return e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_forget(c, first, count, told)
	})
}
