// SPDX-License-Identifier: MIT

package cede

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// question is one of tests/golden: words by the first of their line. tests/golden/write says what they mean.
type question map[string][]string

func (q question) one(word string) string {
	if len(q[word]) == 0 {
		return ""
	}
	return q[word][0]
}

func readQuestion(t *testing.T, path string) question {
	file := got(os.Open(path))(t)
	defer file.Close()
	q := question{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		q[words[0]] = append(q[words[0]], words[1:]...)
		if len(words) == 1 {
			q[words[0]] = []string{""}
		}
	}
	return q
}

func (q question) now() Time {
	if seconds, err := strconv.ParseInt(q.one("now"), 10, 64); err == nil {
		return Time(seconds * 1000)
	}
	return NowOfCluster
}

func (q question) terms() []string {
	var out []string
	for _, word := range []string{"protect", "avoid", "only"} {
		for _, name := range q[word] {
			out = append(out, word+"="+name)
		}
	}
	if q["partial"] != nil {
		out = append(out, "partial")
	}
	return out
}

func (q question) words(e *Engine) ([]*Plan, error) {
	var plan *Plan
	var err error
	switch {
	case q["batch"] != nil:
		return e.PlanBatch(q["batch"], q.now(), q.terms()...)
	case q["relief"] != nil:
		plan, err = e.PlanRelief(q.one("relief"), q.one("group"), q.now(), q.terms()...)
	case q["claim"] != nil:
		plan, err = e.PlanClaim(q.one("claim"), q["nodes"], q.one("reason"), q.now(), q.terms()...)
	default:
		plan, err = e.Plan(q.one("job"), q.now(), q.terms()...)
	}
	return []*Plan{plan}, err
}

// numbers asks the same in numbers.
func (q question) numbers(e *Engine) ([]*Plan, error) {
	number := func(name string) (out Number) {
		if name != "" {
			out, _ = e.Name(name)
		}
		return out
	}
	find := func(names []string) (out []Number) {
		for _, name := range names {
			out = append(out, number(name))
		}
		return out
	}
	var terms []Term
	for _, job := range find(q["protect"]) {
		terms = append(terms, Term{Kind: TermProtect, Job: job})
	}
	for _, node := range find(q["avoid"]) {
		terms = append(terms, Term{Kind: TermAvoid, Node: node})
	}
	for _, node := range find(q["only"]) {
		terms = append(terms, Term{Kind: TermOnly, Node: node})
	}
	if q["partial"] != nil {
		terms = append(terms, Term{Kind: TermPartial})
	}
	var plan *Plan
	var err error
	switch {
	case q["batch"] != nil:
		return e.PlanBatchNumber(find(q["batch"]), q.now(), terms...)
	case q["relief"] != nil:
		kinds := map[string]Purpose{"node": ForNode, "queue": ForQueue, "job": ForJobMax}
		kind, name, _ := strings.Cut(q.one("relief"), ":")
		plan, err = e.PlanReliefNumber(kinds[kind], number(name), number(q.one("group")), q.now(), terms...)
	case q["claim"] != nil:
		reasons := map[string]Purpose{"reclaim": ForReclaim, "sensitive": ForSensitive}
		plan, err = e.PlanClaimNumber(number(q.one("claim")), find(q["nodes"]), reasons[q.one("reason")], q.now(), terms...)
	default:
		plan, err = e.PlanNumber(number(q.one("job")), q.now(), terms...)
	}
	return []*Plan{plan}, err
}

func answer(t *testing.T, q question, plans []*Plan) string {
	for _, plan := range plans {
		defer plan.Close()
		must(t, plan.Verify())
	}
	if q["batch"] != nil {
		return string(got(BatchJSON(plans...))(t))
	}
	return string(got(plans[0].JSON())(t))
}

// The questions that every binding is held to, asked in words and in numbers.
func TestGoldenAnswers(t *testing.T) {
	asks, err := filepath.Glob("../../tests/golden/*/*.ask")
	must(t, err)
	if len(asks) == 0 {
		t.Skip("tests/golden is not at hand")
	}
	for _, ask := range asks {
		t.Run(filepath.Base(filepath.Dir(ask))+"/"+strings.TrimSuffix(filepath.Base(ask), ".ask"), func(t *testing.T) {
			q := readQuestion(t, ask)
			policy := got(os.ReadFile(filepath.Join(filepath.Dir(ask), "policy.json")))(t)
			cluster := got(os.ReadFile(filepath.Join(filepath.Dir(ask), "cluster.json")))(t)
			wanted, err := os.ReadFile(strings.TrimSuffix(ask, ".ask") + ".error")
			fails := err == nil
			if !fails {
				wanted = got(os.ReadFile(strings.TrimSuffix(ask, ".ask") + ".json"))(t)
			}
			var plans []*Plan
			e, err := New(policy)
			if err == nil {
				defer e.Close()
				_, err = e.Load(cluster)
			}
			if err == nil {
				plans, err = q.words(e)
			}
			if fails {
				var told *Error
				if !errors.As(err, &told) {
					t.Fatalf("the error is %v", err)
				}
				equal(t, "the error", fmt.Sprintf("%v\n%d\n%s\n", told.Status, told.Line, told.Text), string(wanted))
				return
			}
			must(t, err)
			equal(t, "the answer", strings.TrimSpace(answer(t, q, plans)), strings.TrimSpace(string(wanted)))
			equal(t, "that in numbers", answer(t, q, got(q.numbers(e))(t)), answer(t, q, got(q.words(e))(t)))
		})
	}
}

// The shared cases, beside the data that CEDE_DATA names.
func TestSharedCases(t *testing.T) {
	data := os.Getenv("CEDE_DATA")
	if data == "" {
		t.Skip("CEDE_DATA is not set")
	}
	files, err := filepath.Glob(filepath.Join(data, "../cases/*.json"))
	must(t, err)
	if len(files) == 0 {
		t.Skip("no cases beside CEDE_DATA")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { sharedCase(t, file) })
	}
}

func sharedCase(t *testing.T, file string) {
	var is struct {
		Policy, Cluster json.RawMessage
		Ask             struct {
			Job  string
			Args []string
		}
		Expect struct {
			Outcome, Rule, Error string
			Victims              []string
		}
	}
	must(t, json.Unmarshal(got(os.ReadFile(file))(t), &is))
	q := question{"job": {is.Ask.Job}}
	for i := 0; i+1 < len(is.Ask.Args); i += 2 { // --claim QUEUE --nodes A,B ...
		q[strings.TrimPrefix(is.Ask.Args[i], "--")] = strings.Split(is.Ask.Args[i+1], ",")
	}
	var plans []*Plan
	e, err := New(is.Policy)
	if err == nil {
		defer e.Close()
		_, err = e.Load(is.Cluster)
	}
	if err == nil {
		plans, err = q.words(e)
	}
	if is.Expect.Error != "" {
		if err == nil || !strings.Contains(err.Error(), is.Expect.Error) {
			t.Errorf("the error is %v", err)
		}
		return
	}
	must(t, err)
	defer plans[0].Close()
	equal(t, "the outcome", plans[0].Outcome().String(), is.Expect.Outcome)
	if is.Expect.Rule != "" {
		equal(t, "the rule", plans[0].Rule(), is.Expect.Rule)
	}
	for _, wanted := range is.Expect.Victims {
		job, _, _ := strings.Cut(wanted, "/")
		if !strings.Contains(" "+strings.Join(plans[0].VictimJobs(), " ")+" ", " "+job+" ") {
			t.Errorf("%s is no victim", job)
		}
	}
	must(t, plans[0].Verify())
}
