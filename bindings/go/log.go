// SPDX-License-Identifier: MIT

package cede

/*
#include <cede/cede.h>

extern void cedeGoLog(void* context, int32_t level, char* text);

// The context is a number, which C carries as a pointer; Go may not.
static int32_t cede_go_set_log(cede_engine* engine, uintptr_t context, cede_error* error) {
  return cede_engine_set_log(engine, context ? (cede_log)cedeGoLog : NULL, (void*)context, error);
}
*/
import "C"

import (
	"runtime/cgo"
	"sync"
)

// LogLevel is the level of a line of the log.
type LogLevel int32

const (
	LogDebug   LogLevel = C.CEDE_LOG_DEBUG
	LogInfo    LogLevel = C.CEDE_LOG_INFO
	LogWarning LogLevel = C.CEDE_LOG_WARNING
)

// SetLog sets the function for lines of an operator's log; nil: no log. It is called in the goroutine of the call
// that logged, when that call (or its section) is done with the engine, so it may call the engine, and even panic.
// Calls in several goroutines may call it at once.
func (e *Engine) SetLog(log func(level LogLevel, text string)) {
	_ = e.write(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_go_set_log(c, C.uintptr_t(e.core.log.set(log)), told)
	})
}

type logLine struct {
	level LogLevel
	text  string
}

// logSink keeps the lines of the calls that are inside the library. Calling a log function from there would keep the
// engine locked, and a panic would leave the library in the middle of a change.
type logSink struct {
	mu     sync.Mutex
	log    func(LogLevel, string)
	lines  []logLine
	handle cgo.Handle
}

// set returns what the library passes back to cedeGoLog; 0 if there is to be no log.
func (s *logSink) set(log func(LogLevel, string)) cgo.Handle {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = log
	if log == nil {
		return 0
	}
	if s.handle == 0 {
		s.handle = cgo.NewHandle(s)
	}
	return s.handle
}

func (s *logSink) take() ([]logLine, func(LogLevel, string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.lines = nil
	if s.log == nil {
		return nil, nil
	}
	return lines, s.log
}

func (s *logSink) drop() {
	if s.handle != 0 {
		s.handle.Delete()
		s.handle = 0
	}
}
