// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

// Choice is yes, no, or not given (0).
type Choice int32

const (
	Yes Choice = C.CEDE_YES
	No  Choice = C.CEDE_NO
)

// Zero is a set of fields that are given and 0. A field of 0 means "not given" unless its bit is set; the bit
// has no effect on any other value.
type Zero uint32

const (
	ZeroPriority           Zero = C.CEDE_ZERO_PRIORITY
	ZeroClass              Zero = C.CEDE_ZERO_CLASS
	ZeroValue              Zero = C.CEDE_ZERO_VALUE
	ZeroFairShare          Zero = C.CEDE_ZERO_FAIR_SHARE
	ZeroSubmitted          Zero = C.CEDE_ZERO_SUBMITTED
	ZeroWaitingSince       Zero = C.CEDE_ZERO_WAITING_SINCE
	ZeroStarted            Zero = C.CEDE_ZERO_STARTED
	ZeroResumed            Zero = C.CEDE_ZERO_RESUMED
	ZeroWalltime           Zero = C.CEDE_ZERO_WALLTIME
	ZeroBelowFairShare     Zero = C.CEDE_ZERO_BELOW_FAIR_SHARE
	ZeroCheckpointLast     Zero = C.CEDE_ZERO_CHECKPOINT_LAST
	ZeroCheckpointEstimate Zero = C.CEDE_ZERO_CHECKPOINT_ESTIMATE
	ZeroCheckpointTimeout  Zero = C.CEDE_ZERO_CHECKPOINT_TIMEOUT
	ZeroCheckpointRestart  Zero = C.CEDE_ZERO_CHECKPOINT_RESTART
	ZeroGPUs               Zero = C.CEDE_ZERO_GPUS // a task that is known to hold no device
	ZeroFrom               Zero = C.CEDE_ZERO_FROM
	ZeroUntil              Zero = C.CEDE_ZERO_UNTIL
	ZeroFingerprintAt      Zero = C.CEDE_ZERO_FINGERPRINT_AT
	ZeroOvercommitSince    Zero = C.CEDE_ZERO_OVERCOMMIT_SINCE
	ZeroLeavingUntil       Zero = C.CEDE_ZERO_LEAVING_UNTIL // not available yet
)

// PartKind is a member of a cluster document that Engine.Part takes as a text.
type PartKind int32

const (
	PartRequirement   PartKind = C.CEDE_PART_REQUIREMENT    // "require" of a job
	PartQueueSettings PartKind = C.CEDE_PART_QUEUE_SETTINGS // "settings" of a queue
	PartJobSettings   PartKind = C.CEDE_PART_JOB_SETTINGS   // "settings" of a job
	PartLabels        PartKind = C.CEDE_PART_LABELS         // "labels" of a node
	PartFingerprint   PartKind = C.CEDE_PART_FINGERPRINT    // "fingerprint" of a node; a text that does not begin with { is the one fingerprint
)

// JobKind is the kind of a job or queue.
type JobKind int32

const (
	KindBatch       JobKind = C.CEDE_KIND_BATCH
	KindInference   JobKind = C.CEDE_KIND_INFERENCE
	KindInteractive JobKind = C.CEDE_KIND_INTERACTIVE
	KindService     JobKind = C.CEDE_KIND_SERVICE
	KindTraining    JobKind = C.CEDE_KIND_TRAINING
	KindSensitive   JobKind = C.CEDE_KIND_SENSITIVE
)

// QueuePolicy is how a queue takes part in preemption.
type QueuePolicy int32

const (
	QueueDefault  QueuePolicy = C.CEDE_QUEUE_DEFAULT
	QueueFence    QueuePolicy = C.CEDE_QUEUE_FENCE
	QueueDisabled QueuePolicy = C.CEDE_QUEUE_DISABLED
)

// NodeState is the state of a node.
type NodeState int32

const (
	NodeUp    NodeState = C.CEDE_NODE_UP
	NodeDrain NodeState = C.CEDE_NODE_DRAIN
	NodeDown  NodeState = C.CEDE_NODE_DOWN
)

// JobState is the state of a job.
type JobState int32

const (
	JobPending       JobState = C.CEDE_JOB_PENDING
	JobRunning       JobState = C.CEDE_JOB_RUNNING
	JobCheckpointing JobState = C.CEDE_JOB_CHECKPOINTING
	JobPreempting    JobState = C.CEDE_JOB_PREEMPTING
	JobSuspended     JobState = C.CEDE_JOB_SUSPENDED
)

// CheckpointMode is who can have a job save its state.
type CheckpointMode int32

const (
	CheckpointNone   CheckpointMode = C.CEDE_CHECKPOINT_NONE
	CheckpointAuto   CheckpointMode = C.CEDE_CHECKPOINT_AUTO
	CheckpointManual CheckpointMode = C.CEDE_CHECKPOINT_MANUAL
)

// Via is how a job is asked to save its state.
type Via int32

const (
	ViaSignal   Via = C.CEDE_VIA_SIGNAL
	ViaShmem    Via = C.CEDE_VIA_SHMEM
	ViaCallback Via = C.CEDE_VIA_CALLBACK
)

// BudgetLimit is what the limit of a budget counts.
type BudgetLimit int32

const (
	BudgetMaxUnavailable        BudgetLimit = C.CEDE_BUDGET_MAX_UNAVAILABLE         // so many tasks may be missing
	BudgetMaxUnavailablePercent BudgetLimit = C.CEDE_BUDGET_MAX_UNAVAILABLE_PERCENT // so many of a hundred; rounded up
	BudgetMinAvailable          BudgetLimit = C.CEDE_BUDGET_MIN_AVAILABLE           // so many tasks must run
	BudgetMinAvailablePercent   BudgetLimit = C.CEDE_BUDGET_MIN_AVAILABLE_PERCENT
)

// BudgetMode is whether a budget may be broken.
type BudgetMode int32

const (
	BudgetAvoid  BudgetMode = C.CEDE_BUDGET_AVOID  // broken only where every other set of victims breaks more
	BudgetForbid BudgetMode = C.CEDE_BUDGET_FORBID // never broken
)

// Preemptible is whether a job or task may be a victim.
type Preemptible int32

const (
	PreemptibleYes        Preemptible = C.CEDE_PREEMPTIBLE_YES
	PreemptibleNo         Preemptible = C.CEDE_PREEMPTIBLE_NO // never
	PreemptibleLastResort Preemptible = C.CEDE_PREEMPTIBLE_LAST_RESORT
)
