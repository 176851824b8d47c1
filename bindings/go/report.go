// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// DocumentKind is the format of a document.
type DocumentKind int32

const (
	DocumentCluster DocumentKind = C.CEDE_DOCUMENT_CLUSTER // cede-cluster/1
	DocumentChanges DocumentKind = C.CEDE_DOCUMENT_CHANGES // cede-changes/1
	DocumentPolicy  DocumentKind = C.CEDE_DOCUMENT_POLICY  // cede-policy/1
)

// KindOf is the format that a document names in "format". It reads no further than it must: only Load, Apply, SetPolicy
// and Check read the rest.
func KindOf(text []byte) (DocumentKind, error) {
	var told C.cede_error
	data, size := document(text)
	kind := C.cede_document_kind(data, size, &told)
	if err := outcome(kind, &told); err != nil {
		return 0, err
	}
	return DocumentKind(kind), nil
}

// Severity is whether a finding is an error or a warning.
type Severity int32

const (
	SeverityError   Severity = C.CEDE_SEVERITY_ERROR
	SeverityWarning Severity = C.CEDE_SEVERITY_WARNING
)

// FindingFacts are the numbers of a finding, laid out as the C struct is.
type FindingFacts struct {
	Severity Severity
	Status   Status
	Line     uint32 // from 1; 0 if it has no place in a text
	Column   uint32
}

// Finding is one mistake or oddity that Check found.
type Finding struct {
	FindingFacts
	Path string // where, as "jobs[17].queue"; empty: the document as a whole
	Text string // what, in one line
}

// Report is what a check found, in the order found. It is plain data.
type Report struct {
	Findings []Finding
	Dropped  int // how many findings were dropped beyond those kept (the option max_findings)
}

// Check checks a document of any format as Load, Apply or SetPolicy would, and changes nothing. If text is nil, it lists
// the warnings of the loaded cluster and policy. The error is the first finding that is one; the report is made in both
// cases.
func (e *Engine) Check(text []byte) (*Report, error) {
	data, size := document(text)
	var made *C.cede_report
	checked := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t {
		return C.cede_engine_check(c, data, size, &made, told)
	})
	if made == nil {
		return nil, checked
	}
	h := own(unsafe.Pointer(made), func(o unsafe.Pointer) { C.cede_report_destroy((*C.cede_report)(o)) })
	defer h.close()
	facts, err := all[FindingFacts](h, func(a array) C.int32_t {
		return C.cede_report_findings((*C.cede_report)(a.of), (*C.cede_finding)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return nil, err
	}
	report := &Report{Findings: make([]Finding, len(facts)), Dropped: int(C.cede_report_dropped(made))}
	for i, fact := range facts {
		path := C.GoString(C.cede_report_path(made, C.size_t(i)))
		report.Findings[i] = Finding{fact, path, C.GoString(C.cede_report_text(made, C.size_t(i)))}
	}
	return report, checked
}
