// SPDX-License-Identifier: MIT

package cede

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The programs of the README, copied out of it, in a module of their own that uses this one with replace.
func TestReadmePrograms(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	page := string(got(os.ReadFile("README.md"))(t))
	here := got(os.Getwd())(t)
	programs := regexp.MustCompile("(?s)```go\n(package main.*?)```\n\n```text\n(.*?)```").FindAllStringSubmatch(page, -1)
	equal(t, "the number of programs", len(programs), 2)
	const module = "github.com/libcede/libcede/bindings/go"
	for _, program := range programs {
		if tidy := got(format.Source([]byte(program[1])))(t); string(tidy) != program[1] {
			t.Errorf("gofmt would write\n%s", tidy)
		}
		folder := t.TempDir()
		write := func(name, text string) { must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)) }
		write("main.go", program[1])
		write("go.mod", "module example\n\ngo 1.21\n\nrequire "+module+" v0.2.0\n\nreplace "+module+" => "+here+"\n")
		run := exec.Command("go", "run", ".")
		run.Dir = folder
		run.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
		out, err := run.CombinedOutput()
		if err != nil || string(out) != program[2] {
			t.Errorf("%v, and it prints\n%s\nwhere the README says\n%s", err, out, program[2])
		}
	}
}
