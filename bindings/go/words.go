// SPDX-License-Identifier: MIT

package cede

import "fmt"

// The words of the documents for what is a number in structs.

var (
	outcomeWords = words{"", "fits", "preempt", "wait", "in-progress", "impossible"}
	purposeWords = words{"", "job", "node", "queue", "job-max", "reclaim", "sensitive"}
	causeWords   = words{"", "priority", "reclaim", "sensitive", "quota", "starvation", "guarantee", "required-node",
		"overcommit", "limit"}
	victimActionWords = words{"", "checkpoint", "suspend", "terminate", "soft-evict", "signal-first"}
	eventWords        = words{"", "checkpoint-progress", "checkpoint-done", "checkpoint-failed", "defer", "released", "exited",
		"claim-done", "started", "cancelled", "node-down", "node-up", "action-done", "action-failed"}
	doWords = words{"", "checkpoint-hint", "signal", "suspend", "terminate", "mark", "replan", "claim-ready", "cancel-hint",
		"requeue", "start", "release-hold", "gone", "start-moved"}
	signalWords = words{"", "INT", "TERM", "KILL"}
	howWords    = words{"", "completed", "saved", "terminated", "failed"}
	entryWords  = words{"", "preparing", "waiting", "short", "ready", "started", "expired", "cancelled", "failed"}
	phaseWords  = words{"", "planned", "checkpointing", "signalled", "marked", "stopping", "terminating", "killing", "removing",
		"stuck", "released", "spared"}
)

type words []string

func (w words) of(number int32) string {
	if number < 0 || int(number) >= len(w) {
		return fmt.Sprintf("?%d", number) // of a newer library
	}
	return w[number]
}

func (o Outcome) String() string      { return outcomeWords.of(int32(o)) }
func (p Purpose) String() string      { return purposeWords.of(int32(p)) }
func (c Cause) String() string        { return causeWords.of(int32(c)) }
func (a VictimAction) String() string { return victimActionWords.of(int32(a)) }
func (k EventKind) String() string    { return eventWords.of(int32(k)) }
func (d Do) String() string           { return doWords.of(int32(d)) }
func (s Signal) String() string       { return signalWords.of(int32(s)) }
func (h How) String() string          { return howWords.of(int32(h)) }
func (s EntryState) String() string   { return entryWords.of(int32(s)) }
func (p Phase) String() string        { return phaseWords.of(int32(p)) }
