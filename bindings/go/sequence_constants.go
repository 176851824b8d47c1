// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

// EventKind is the kind of an Event. The comments name the fields that each needs and, in brackets, those that
// it may have.
type EventKind int32

const (
	EventCheckpointProgress EventKind = C.CEDE_EVENT_CHECKPOINT_PROGRESS // job (task): it is saving
	EventCheckpointDone     EventKind = C.CEDE_EVENT_CHECKPOINT_DONE     // job (task)
	EventCheckpointFailed   EventKind = C.CEDE_EVENT_CHECKPOINT_FAILED   // job (task)
	EventDefer              EventKind = C.CEDE_EVENT_DEFER               // job, length (task): it asks for this much more time
	EventReleased           EventKind = C.CEDE_EVENT_RELEASED            // job (task): it has left its node
	EventExited             EventKind = C.CEDE_EVENT_EXITED              // job (task, code): it ended by itself
	EventClaimDone          EventKind = C.CEDE_EVENT_CLAIM_DONE          // entry: the queue has what it claimed
	EventStarted            EventKind = C.CEDE_EVENT_STARTED             // job (task): the requester, or a moved victim, runs
	EventCancelled          EventKind = C.CEDE_EVENT_CANCELLED           // job (task): by its owner
	EventNodeDown           EventKind = C.CEDE_EVENT_NODE_DOWN           // node
	EventNodeUp             EventKind = C.CEDE_EVENT_NODE_UP             // node
	EventActionDone         EventKind = C.CEDE_EVENT_ACTION_DONE         // action
	EventActionFailed       EventKind = C.CEDE_EVENT_ACTION_FAILED       // action (text)
)

// Do is the kind of an Action: what the manager is to do.
type Do int32

const (
	DoCheckpointHint Do = C.CEDE_DO_CHECKPOINT_HINT // ask the job to save its state by the deadline
	DoSignal         Do = C.CEDE_DO_SIGNAL          // send the signal: INT, TERM or KILL
	DoSuspend        Do = C.CEDE_DO_SUSPEND         // stop the job and free what it holds, keeping its state
	DoTerminate      Do = C.CEDE_DO_TERMINATE       // remove the job by whatever means
	DoMark           Do = C.CEDE_DO_MARK            // mark the job; an operator deletes it
	DoReplan         Do = C.CEDE_DO_REPLAN          // the entry is short: Engine.Extend or Engine.GiveUp
	DoClaimReady     Do = C.CEDE_DO_CLAIM_READY     // the claimed nodes are free
	DoCancelHint     Do = C.CEDE_DO_CANCEL_HINT     // the job may run on after all
	DoRequeue        Do = C.CEDE_DO_REQUEUE         // the victim waits again: put it so
	DoStart          Do = C.CEDE_DO_START           // start the requester exactly there
	DoReleaseHold    Do = C.CEDE_DO_RELEASE_HOLD    // stop keeping other jobs off the place
	DoGone           Do = C.CEDE_DO_GONE            // the victim has left and does not wait again
	DoStartMoved     Do = C.CEDE_DO_START_MOVED     // start a moved victim at its new place; not given yet
)

// Signal is the signal of DoSignal.
type Signal int32

const (
	SignalInt  Signal = C.CEDE_SIGNAL_INT
	SignalTerm Signal = C.CEDE_SIGNAL_TERM
	SignalKill Signal = C.CEDE_SIGNAL_KILL
)

// How is how a victim left. Every victim that has left gets one DoRequeue or one DoGone.
type How int32

const (
	HowCompleted  How = C.CEDE_HOW_COMPLETED  // by itself or by its owner: it does not count as preempted
	HowSaved      How = C.CEDE_HOW_SAVED      // its checkpoint is written, or its nodes keep its state
	HowTerminated How = C.CEDE_HOW_TERMINATED // nothing was asked to be saved, or it was suspended and nothing is kept
	HowFailed     How = C.CEDE_HOW_FAILED     // its checkpoint was not written, or it was lost with its node
)

// EntryState is the state of an entry of the ledger. From EntryStarted on it has ended.
type EntryState int32

const (
	EntryPreparing EntryState = C.CEDE_ENTRY_PREPARING
	EntryWaiting   EntryState = C.CEDE_ENTRY_WAITING // victims are leaving
	EntryShort     EntryState = C.CEDE_ENTRY_SHORT   // needs another plan
	EntryReady     EntryState = C.CEDE_ENTRY_READY   // the requester is told to start
	EntryStarted   EntryState = C.CEDE_ENTRY_STARTED
	EntryExpired   EntryState = C.CEDE_ENTRY_EXPIRED
	EntryCancelled EntryState = C.CEDE_ENTRY_CANCELLED
	EntryFailed    EntryState = C.CEDE_ENTRY_FAILED
)

// Phase is the phase of a victim. From PhaseStopping on it does not run on any more, whatever becomes of the
// entry (but see PhaseStuck and PhaseSpared).
type Phase int32

const (
	PhasePlanned       Phase = C.CEDE_PHASE_PLANNED       // nothing has been asked of it
	PhaseCheckpointing Phase = C.CEDE_PHASE_CHECKPOINTING // it was asked to save, or is saving
	PhaseSignalled     Phase = C.CEDE_PHASE_SIGNALLED     // it got INT and its time to finish
	PhaseMarked        Phase = C.CEDE_PHASE_MARKED        // an operator is to delete it
	PhaseStopping      Phase = C.CEDE_PHASE_STOPPING      // it is being suspended
	PhaseTerminating   Phase = C.CEDE_PHASE_TERMINATING   // it got TERM; KILL follows after the grace period
	PhaseKilling       Phase = C.CEDE_PHASE_KILLING       // it got KILL
	PhaseRemoving      Phase = C.CEDE_PHASE_REMOVING      // it is being removed by whatever means
	PhaseStuck         Phase = C.CEDE_PHASE_STUCK         // it could not be removed; it may still leave by itself
	PhaseReleased      Phase = C.CEDE_PHASE_RELEASED      // it has left
	PhaseSpared        Phase = C.CEDE_PHASE_SPARED        // it is not needed any more and runs on
)
