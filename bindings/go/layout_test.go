// SPDX-License-Identifier: MIT

package cede

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/libcede/libcede/bindings/go/internal/cabi"
)

// mirrored are the structs that are passed to the library as they are.
var mirrored = map[string]any{
	"finding": FindingFacts{}, "amount": Amount{}, "group": Group{}, "domain": Domain{}, "queue": Queue{}, "node": Node{},
	"reservation": Reservation{}, "job": Job{}, "task": Task{}, "budget": Budget{}, "task_name": TaskName{}, "ruling": Ruling{},
	"term": Term{}, "plan_facts": PlanFacts{}, "victim": Victim{}, "victim_task": VictimTask{}, "place": Place{},
	"cost_part": CostPart{}, "criterion": Criterion{}, "violation": Violation{}, "event": Event{}, "action": Action{},
	"entry": Entry{}, "ledger_victim": LedgerVictim{}, "topology_facts": TopologyFacts{},
}

// bare is a name without what Go and C write differently.
func bare(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func TestStructsAreThoseOfTheHeader(t *testing.T) {
	structs := cabi.Structs()
	for name, c := range structs {
		mine, there := mirrored[name]
		if !there {
			t.Errorf("cede_%s has no struct in Go", name)
			continue
		}
		g := reflect.TypeOf(mine)
		if g.Size() != c.Size() || g.Align() != c.Align() {
			t.Errorf("%s: %d bytes aligned to %d in Go, %d aligned to %d in C", name, g.Size(), g.Align(), c.Size(), c.Align())
		}
		if g.NumField() != c.NumField() {
			t.Errorf("%s: %d fields in Go, %d in C", name, g.NumField(), c.NumField())
			continue
		}
		for i := 0; i < c.NumField(); i++ {
			in, of := g.Field(i), c.Field(i)
			if bare(in.Name) != bare(of.Name) && !(in.Name == "_" && (of.Name == "reserved" || of.Name == "_")) {
				t.Errorf("%s: field %d is %s in Go and %s in C", name, i, in.Name, of.Name)
			}
			if in.Offset != of.Offset || in.Type.Kind() != of.Type.Kind() {
				t.Errorf("%s.%s: %v at %d in Go, %v at %d in C", name, of.Name, in.Type.Kind(), in.Offset, of.Type.Kind(), of.Offset)
			}
		}
	}
	if len(mirrored) != len(structs) {
		t.Errorf("%d structs in Go, %d compared", len(mirrored), len(structs))
	}
	if headerVersion != cabi.HeaderVersion {
		t.Errorf("the structs are those of %d, the header is %d", headerVersion, cabi.HeaderVersion)
	}
}

// source is all Go of the package, header the text of cede.h; the test is skipped where that is not at hand.
func source(t *testing.T) (string, string) {
	header, err := os.ReadFile("../../include/cede/cede.h")
	if err != nil {
		t.Skip("the package is not in the tree of the library: no header to compare with")
	}
	var all strings.Builder
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String(), string(header)
}

// A call or constant that is added to the header is not forgotten here.
func TestNothingOfTheHeaderIsMissing(t *testing.T) {
	code, header := source(t)
	skip := map[string]bool{
		"cede_engine_names": true,                                                                              // NamesPacked does the same without an array of pointers
		"cede_plan_outcome": true, "cede_plan_revision": true, "cede_plan_cost": true, "cede_plan_bound": true, // in PlanFacts
	}
	calls := regexp.MustCompile(`CEDE_API [^;(]*?\b(cede_\w+)\(`).FindAllStringSubmatch(header, -1)
	if len(calls) < 150 {
		t.Fatalf("only %d calls found", len(calls))
	}
	for _, call := range calls {
		name := call[1]
		counts := strings.HasSuffix(name, "_count") // lists end by themselves
		if !skip[name] && !counts && !regexp.MustCompile(`\b`+name+`\(`).MatchString(code) {
			t.Errorf("%s is not called", name)
		}
	}
	for _, constant := range regexp.MustCompile(`(?m)^#define (CEDE_\w+)[ \t]+[-0-9I\\(]`).FindAllStringSubmatch(header, -1) {
		name := constant[1]
		if !strings.HasPrefix(name, "CEDE_VERSION") && !regexp.MustCompile(`C\.`+name+`\b`).MatchString(code) {
			t.Errorf("%s has no constant in Go", name)
		}
	}
	for _, name := range regexp.MustCompile(`typedef struct cede_(\w+) \{`).FindAllStringSubmatch(header, -1) {
		if _, there := mirrored[name[1]]; !there && name[1] != "error" {
			t.Errorf("cede_%s has no struct in Go", name[1])
		}
	}
	// A constant of Go has the name and so the value of its constant in C.
	for _, pair := range regexp.MustCompile(`(?m)^\t(\w+) +\w+ += C\.CEDE_(\w+)`).FindAllStringSubmatch(code, -1) {
		c := strings.Replace(strings.TrimPrefix(pair[2], "E_"), "NOMEM", "NOMEMORY", 1)
		mine := strings.TrimPrefix(pair[1], "Err")
		if bare(mine) != bare(c) && pair[1] != "Never" {
			t.Errorf("%s is C.CEDE_%s", pair[1], pair[2])
		}
	}
}
