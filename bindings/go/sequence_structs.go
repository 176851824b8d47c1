// SPDX-License-Identifier: MIT

package cede

// What goes into a step and comes out of it, and the ledger, laid out as the C structs are.

// Event is what happened. An event without a Task is about every task of the job that is in the ledger.
// Each kind needs some fields and may have some; all others must be 0.
type Event struct {
	Length   Millis // milliseconds; may be 0
	Entry    uint64
	Action   uint64
	Kind     EventKind
	Code     int32
	Job      Number
	Task     Number
	Node     Number
	Text     uint32 // the reason: TextSize bytes of the texts passed along, from this byte on
	TextSize uint32
	_        uint32
}

// Action is what is to be done. The engine tolerates an action that is done twice. After a restore, actions
// without an answer are listed again under their number; not a requeue or gone that was listed before if the
// cluster shows that the victim runs again.
type Action struct {
	ID             uint64 // never used twice
	Entry          uint64
	Plan           uint64 // the revision the plan was made on
	Deadline       Time   // when the next harsher action or the end of the hold is due; None: never
	Submitted      Time   // of requeue: keep this value
	WaitingSince   Time   // of requeue
	Kind           Do
	Purpose        Purpose // what the entry is for
	Cause          Cause
	Target         Number // the job, node or queue that the entry is for
	Job            Number // the victim; of start, the job to start; 0 if it is about the entry alone
	FirstTask      uint32 // the victim's tasks that are not gone yet, in Step.Tasks
	TaskCount      uint32
	FirstPlace     uint32 // of start, claim-ready and release-hold: in Step.Places
	PlaceCount     uint32
	Signal         Signal
	Via            Via    // of checkpoint-hint: Via_..., as the job states it; 0 if it does not
	How            How    // of requeue and gone: How_...
	Resume         Flag   // of requeue: 1 if there is something to resume from
	WaitsForOwner  Flag   // of requeue: 1 if it waits for its owner, not in the queue
	KeepLocal      Flag   // of suspend and requeue: 1 if its nodes keep what it resumes from
	PreemptedCount uint32 // of requeue: store this with the job
}

// Entry is a committed plan in the ledger.
type Entry struct {
	Entry       uint64
	Plan        uint64 // the revision the plan was made on
	Committed   Time
	Deadline    Time // when it fails or, once ready, its hold expires; None: never
	State       EntryState
	Purpose     Purpose
	Cause       Cause
	HasHold     Flag   // 1 if its places are kept for it
	Target      Number // the job, node or queue it is for
	FirstVictim uint32 // in Ledger.Victims
	VictimCount uint32
	FirstPlace  uint32 // in Ledger.Places
	PlaceCount  uint32
	_           uint32
}

// LedgerVictim is a victim of an entry.
type LedgerVictim struct {
	Entry     uint64
	Deadline  Time // when its phase ends by itself; None: never
	Phase     Phase
	How       How // 0: it has not left
	Job       Number
	FirstTask uint32 // in Ledger.Tasks
	TaskCount uint32
	_         uint32
}
