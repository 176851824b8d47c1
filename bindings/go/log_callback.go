// SPDX-License-Identifier: MIT

package cede

// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// cedeGoLog is called by the library, inside a call. A file that exports may not define C functions, so log.go is
// apart.
//
//export cedeGoLog
func cedeGoLog(context unsafe.Pointer, level C.int32_t, text *C.char) {
	sink := cgo.Handle(uintptr(context)).Value().(*logSink)
	line := logLine{LogLevel(level), C.GoString(text)}
	sink.mu.Lock()
	defer sink.mu.Unlock()
	sink.lines = append(sink.lines, line)
}
