// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import (
	"errors"
	"fmt"
)

// Status says what went wrong. It is what errors.Is compares: errors.Is(err, cede.ErrStale). The numbers never
// change their meaning.
type Status int32

const (
	ErrInvalid  Status = C.CEDE_E_INVALID  // an argument of this call is wrong
	ErrDocument Status = C.CEDE_E_DOCUMENT // a document breaks a rule
	ErrLimit    Status = C.CEDE_E_LIMIT    // an input is beyond a documented limit
	ErrVersion  Status = C.CEDE_E_VERSION  // header, struct or document of a version this library does not know
	ErrNoMemory Status = C.CEDE_E_NOMEM    // out of memory
	ErrInternal Status = C.CEDE_E_INTERNAL // a bug in the library: please report the text
	ErrUnknown  Status = C.CEDE_E_UNKNOWN  // no object has this name
	ErrStale    Status = C.CEDE_E_STALE    // the cluster has changed and the plan no longer holds
	ErrDamaged  Status = C.CEDE_E_DAMAGED  // a saved state is damaged
)

// OK and RemarkWarnings are no errors. They appear as the Status of a Finding.
const (
	OK             Status = C.CEDE_OK
	RemarkWarnings Status = C.CEDE_REMARK_WARNINGS
)

// ErrClosed is the error of every call on something that is closed.
var ErrClosed = errors.New("cede: already closed")

// Error is what the library says about a call that failed: which place, which value, what is allowed.
type Error struct {
	Status Status
	Line   int    // line of the document, from 1; 0 if the error has none
	Text   string // says the line too
}

func (e *Error) Error() string { return "cede: " + e.Text }

// Unwrap makes errors.Is(err, cede.ErrStale) work.
func (e *Error) Unwrap() error { return e.Status }

// Error is the name of the status: "CEDE_E_STALE".
func (s Status) Error() string { return s.String() }

func (s Status) String() string { return C.GoString(C.cede_status_name(C.int32_t(s))) }

// outcome turns what a call returned into an error. A status above 0 is success with a remark.
func outcome(status C.int32_t, told *C.cede_error) error {
	if status >= 0 {
		return nil
	}
	return &Error{Status: Status(status), Line: int(told.line), Text: C.GoString(&told.text[0])}
}

// invalid is an error that this package finds before the library is called.
func invalid(format string, values ...any) error {
	return &Error{Status: ErrInvalid, Text: fmt.Sprintf(format, values...)}
}
