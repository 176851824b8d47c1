// SPDX-License-Identifier: MIT

package cede

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestVersion(t *testing.T) {
	equal(t, "the version", Version(), "0.2.0")
	equal(t, "its number", VersionNumber(), headerVersion)
	equal(t, "a feature", HasFeature("plan"), true)
	equal(t, "no feature", HasFeature("magic"), false)
	equal(t, "a feature cut short", HasFeature("plan\x00x"), false)
}

func TestErrorsSayWhatWhereAndWhy(t *testing.T) {
	e := newEngine(t)
	_, err := e.Load([]byte("{\"format\": \"cede-cluster/1\",\n \"jobs\": [{\"id\": \"a\", \"clas\": 3}]}"))
	wantStatus(t, err, ErrDocument)
	if errors.Is(err, ErrStale) {
		t.Error("it is every error")
	}
	var told *Error
	if !errors.As(err, &told) {
		t.Fatalf("%T is not *Error", err)
	}
	equal(t, "the status", told.Status, ErrDocument)
	equal(t, "the line", told.Line, 2)
	if !strings.Contains(told.Text, "clas") || !strings.HasPrefix(err.Error(), "cede: jobs[0].clas: ") {
		t.Errorf("it says %q", err)
	}
	equal(t, "the name of a status", ErrStale.Error(), "CEDE_E_STALE")
	equal(t, "an unknown status", Status(-77).String(), "CEDE_E_?")
}

func TestOptions(t *testing.T) {
	_, err := New([]byte(scenePolicy), WithOption("thread", "2"))
	wantStatus(t, err, ErrUnknown)
	if !strings.Contains(err.Error(), "threads") {
		t.Errorf("no nearest option: %v", err)
	}
	_, err = New(nil, WithOption("threads", "2\x00"))
	wantStatus(t, err, ErrInvalid)
	_, err = New(nil, WithThreads(-1))
	wantStatus(t, err, ErrInvalid)
	_, err = New([]byte{})
	wantStatus(t, err, ErrDocument)
	equal(t, "the first option", Options()[0].Name, "max_document_bytes")
	for _, profile := range Profiles() {
		if profile.Name == "class-cost" && len(profile.Settings) > 0 && profile.Settings[0].Help != "" {
			return
		}
	}
	t.Error("profile class-cost has no settings with help")
}

func TestSchemas(t *testing.T) {
	formats := Schemas()
	if len(formats) == 0 {
		t.Fatal("no formats")
	}
	for _, format := range formats {
		if !json.Valid(got(Schema(format))(t)) {
			t.Errorf("the schema of %s is no JSON", format)
		}
	}
	_, err := Schema("cede-magic/1")
	wantStatus(t, err, ErrUnknown)
}

func TestDocuments(t *testing.T) {
	e := newEngine(t)
	before := e.Revision()
	equal(t, "a warning", got(e.Load([]byte(sceneCluster)))(t), false)
	if e.Revision() <= before {
		t.Error("the revision has not grown")
	}
	_, err := e.Apply([]byte(`{"format": "cede-changes/1", "remove": {"jobs": ["none"]}}`))
	wantStatus(t, err, ErrDocument)
	got(e.Apply([]byte(`{"format": "cede-changes/1", "remove": {"jobs": ["low"]}}`)))(t)
	out := got(e.Export())(t)
	if bytes.Contains(out, []byte(`"low"`)) || !bytes.Contains(out, []byte(`"high"`)) || !json.Valid(out) {
		t.Errorf("the export is %s", out)
	}
	again := newEngine(t)
	got(again.Load(out))(t)
	equal(t, "the export of the export", string(got(again.Export())(t)), string(out))
	_, err = e.Load(nil)
	wantStatus(t, err, ErrInvalid)
	_, err = e.SetPolicy([]byte(`{"format": "cede-policy/1", "policies": {"other": {"profile": "priority"}}}`))
	wantStatus(t, err, ErrDocument)
	got(e.SetPolicy([]byte(scenePolicy)))(t)
	equal(t, "a kind", got(KindOf(out))(t), DocumentCluster)
	_, err = KindOf([]byte("[]"))
	wantStatus(t, err, ErrDocument)
}

func TestCheckListsEverything(t *testing.T) {
	e := loaded(t)
	report, err := e.Check([]byte("{\"format\": \"cede-cluster/1\",\n \"jobs\": [{\"id\": \"a\", \"clas\": 3}, {\"id\": 7}]}"))
	wantStatus(t, err, ErrDocument)
	if len(report.Findings) < 2 {
		t.Fatalf("only %v", report.Findings)
	}
	found := report.Findings[0]
	equal(t, "the place", found.Path, "jobs[0].clas")
	equal(t, "the line", found.Line, 2)
	equal(t, "the severity", found.Severity, SeverityError)
	odd := strings.Replace(sceneCluster, `{"id": "root"}`,
		`{"id": "root", "guaranteed": {"gpu": 1}}, {"id": "q", "parent": "root", "guaranteed": {"gpu": 2}}`, 1)
	equal(t, "a warning", got(e.Load([]byte(odd)))(t), true)
	warnings := got(e.Check(nil))(t)
	if len(warnings.Findings) == 0 || warnings.Findings[0].Status != RemarkWarnings {
		t.Errorf("the warnings are %v", warnings.Findings)
	}
}

func TestClosedIsAnErrorAndNotACrash(t *testing.T) {
	e := got(New([]byte(scenePolicy)))(t)
	got(e.Load([]byte(sceneCluster)))(t)
	plan := got(e.Plan("high", NowOfCluster))(t)
	must(t, e.Close())
	must(t, e.Close())
	_, err := e.Load([]byte(sceneCluster))
	if !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
	equal(t, "a revision", e.Revision(), 0)
	must(t, plan.Verify()) // it outlives its engine
	must(t, plan.Close())
	must(t, plan.Close())
	if _, err := plan.Victims(); !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
	equal(t, "a text", plan.Reason(), "")
	equal(t, "a fact", plan.Outcome(), OutcomePreempt)
	if _, err := BatchJSON(plan); !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
	_, err = BatchJSON(nil)
	wantStatus(t, err, ErrInvalid)
	must(t, (*Plan)(nil).Close())
	must(t, (*Engine)(nil).Close())
	if err := new(Engine).SetNow(1); !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
	if _, err := new(Plan).JSON(); !errors.Is(err, ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestFinalizersAreTheNet(t *testing.T) {
	collect()
	before := open.Load()
	func() {
		e := got(New([]byte(scenePolicy), WithLog(func(LogLevel, string) {})))(t)
		got(e.Load([]byte(sceneCluster)))(t)
		plan := got(e.Plan("high", NowOfCluster))(t)
		got(e.Commit(plan, NowOfCluster))(t)
		got(e.StepDocument(NowOfCluster, nil))(t)
		got(e.InFlight())(t)
		got(e.Clone())(t)
	}()
	for i := 0; i < 50 && open.Load() > before; i++ {
		runtime.GC()
		done := make(chan struct{})
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { close(done) })
		runtime.GC()
		<-done
	}
	equal(t, "the number of objects left", open.Load(), before)
}

func TestLogComesWhenTheEngineIsFree(t *testing.T) {
	var e *Engine
	var lines []string
	e = loaded(t)
	e.SetLog(func(level LogLevel, text string) {
		e.Revision() // it would wait for ever while the call runs
		lines = append(lines, text)
	})
	plan := got(e.Plan("high", NowOfCluster))(t)
	defer plan.Close()
	got(e.Commit(plan, NowOfCluster))(t)
	if len(lines) != 1 || !strings.Contains(lines[0], "1 job gives way to 'high'") {
		t.Errorf("the log is %q", lines)
	}
	e.SetLog(func(LogLevel, string) { panic("in a log") })
	func() {
		defer func() { equal(t, "what is recovered", recover(), any("in a log")) }()
		_ = e.Cancel(1, NowOfCluster)
		_, _ = e.Load([]byte(sceneCluster))
	}()
	e.SetLog(nil)
	got(e.Load([]byte(sceneCluster)))(t) // the engine is as good as before
}

func TestSections(t *testing.T) {
	s := newScene(t)
	ctx := context.Background()
	var kept *Engine
	must(t, s.Exclusive(ctx, func(e *Engine) error {
		kept = e
		plan, err := e.PlanNumber(s.high, NowOfCluster)
		if err != nil {
			return err
		}
		defer plan.Close()
		if err := e.Close(); err == nil {
			t.Error("closed inside")
		}
		if err := e.Shared(ctx, func(*Engine) error { return nil }); err == nil {
			t.Error("a section in a section")
		}
		_, err = e.Commit(plan, NowOfCluster)
		return err
	}))
	if err := kept.SetNow(1); err == nil {
		t.Error("the engine of a section is good for ever")
	}
	own := errors.New("mine")
	if err := s.Shared(ctx, func(e *Engine) error {
		if err := e.SetNow(sceneNow + 1); err == nil {
			t.Error("a change in Shared")
		}
		equal(t, "a name", e.NameText(s.high), "high")
		return own
	}); err != own {
		t.Errorf("the error is %v", err)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	e := loaded(t)
	inside, out := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- e.Exclusive(context.Background(), func(*Engine) error {
			close(inside)
			<-out
			return nil
		})
	}()
	<-inside
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	never := func(*Engine) error { t.Error("it came in"); return nil }
	if err := e.Exclusive(ctx, never); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if err := e.Shared(ctx, never); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	close(out)
	must(t, <-done)
	must(t, e.SetNow(sceneNow+1))
}

func TestCloneIsIndependentAndItsPlansCanBeCommitted(t *testing.T) {
	s := newScene(t)
	copied := got(s.Clone())(t)
	defer copied.Close()
	plan := got(copied.PlanNumber(s.high, NowOfCluster))(t)
	defer plan.Close()
	must(t, copied.RemoveJobs(s.low))
	equal(t, "a name", s.NameText(s.low), "low")
	got(s.Commit(plan, NowOfCluster))(t)
}
