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
	// What array_manager.c prints.
	const want = `plan for job 7: 8 of 8 criteria proven, expected in 330 s
victim: job 6, cost 6.000
hint to job 6 for job 7
stop job 6
job 6 waits again, to resume
start job 7 on node 5, devices 0xf
0 entries left
`
	if out.String() != want {
		t.Errorf("it prints\n%s", out.String())
	}
}
