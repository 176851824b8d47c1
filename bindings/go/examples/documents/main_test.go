// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"
)

func TestExample(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	// What custom_manager.c prints.
	const want = `1 job gives way to 'high'
hint to low for high
restored
hint to low for high
stop low
low waits again, to resume
start high on n1, devices 0xf
`
	if out.String() != want {
		t.Errorf("it prints\n%s", out.String())
	}
}
