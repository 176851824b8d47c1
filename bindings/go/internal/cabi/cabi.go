// SPDX-License-Identifier: MIT

// Package cabi is the structs of the header as cgo reads them, for the test that compares them with those of package
// cede: cgo cannot be used in tests. No program links it.
package cabi

// #cgo pkg-config: cede
// #include <cede/cede.h>
import "C"

import "reflect"

// HeaderVersion is the version of the header.
const HeaderVersion = C.CEDE_VERSION

// Structs are the structs, by the name of the C type without "cede_".
func Structs() map[string]reflect.Type {
	return map[string]reflect.Type{
		"finding":        reflect.TypeOf(C.cede_finding{}),
		"amount":         reflect.TypeOf(C.cede_amount{}),
		"group":          reflect.TypeOf(C.cede_group{}),
		"domain":         reflect.TypeOf(C.cede_domain{}),
		"queue":          reflect.TypeOf(C.cede_queue{}),
		"node":           reflect.TypeOf(C.cede_node{}),
		"reservation":    reflect.TypeOf(C.cede_reservation{}),
		"job":            reflect.TypeOf(C.cede_job{}),
		"task":           reflect.TypeOf(C.cede_task{}),
		"budget":         reflect.TypeOf(C.cede_budget{}),
		"task_name":      reflect.TypeOf(C.cede_task_name{}),
		"ruling":         reflect.TypeOf(C.cede_ruling{}),
		"term":           reflect.TypeOf(C.cede_term{}),
		"plan_facts":     reflect.TypeOf(C.cede_plan_facts{}),
		"victim":         reflect.TypeOf(C.cede_victim{}),
		"victim_task":    reflect.TypeOf(C.cede_victim_task{}),
		"place":          reflect.TypeOf(C.cede_place{}),
		"cost_part":      reflect.TypeOf(C.cede_cost_part{}),
		"criterion":      reflect.TypeOf(C.cede_criterion{}),
		"violation":      reflect.TypeOf(C.cede_violation{}),
		"event":          reflect.TypeOf(C.cede_event{}),
		"action":         reflect.TypeOf(C.cede_action{}),
		"entry":          reflect.TypeOf(C.cede_entry{}),
		"ledger_victim":  reflect.TypeOf(C.cede_ledger_victim{}),
		"topology_facts": reflect.TypeOf(C.cede_topology_facts{}),
	}
}
