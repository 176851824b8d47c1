// SPDX-License-Identifier: MIT

package cede

// The objects of a cluster, laid out as the C structs are, so that a slice of them is passed as it is.

// Amount is one entry of a vector of resources; see Engine.Resources.
type Amount struct {
	Amount   int64  // in thousandths: 1500 is 1.5
	Resource Number // the number of its name
	_        uint32
}

// Group is a group of nodes that one policy manages.
type Group struct {
	Name      Number
	Policy    Number // a name
	Resources Number // of the group as a whole, not of a node
	_         uint32
}

// Domain is a part of the network: a leaf, a block, a rack.
type Domain struct {
	Name   Number
	Level  Number
	Parent Number // a domain of a farther level
	_      uint32
}

// Queue is a queue of the tree of queues.
type Queue struct {
	Weight         int64  // in thousandths
	Delay          Millis // of preemption
	FairShare      int64  // in 10^-12
	Name           Number
	Parent         Number // a queue; only the root has none
	Guaranteed     Number // resources
	Max            Number // resources; an amount of 0 forbids the resource
	Settings       Number // PartQueueSettings
	Kind           JobKind
	Policy         QueuePolicy
	PriorityOffset int32
	Zero           Zero // ZeroFairShare
	_              uint32
}

// Node is a machine.
type Node struct {
	FingerprintAt   Time
	OvercommitSince Time
	Name            Number
	Group           Number // may be left out if there is only one
	Resources       Number
	Topology        Number // the name it was imported under
	Domain          Number // its place in the network
	Network         Number // a list of further domains
	Home            Number // a queue
	Fingerprint     Number
	Labels          Number
	State           NodeState
	Zero            Zero
	_               uint32
}

// Reservation keeps nodes for a queue, a user or a job for some time.
type Reservation struct {
	From  Time
	Until Time
	Name  Number
	Nodes Number // a list
	Queue Number // who may use it: a queue, a user or a job, at most one of them
	User  Number
	Job   Number
	Zero  Zero
}

// Job is a job without its tasks; Engine.PutJobs takes both.
type Job struct {
	Submitted           Time
	WaitingSince        Time
	Started             Time
	Resumed             Time
	Walltime            Millis
	BelowFairShareSince Time
	CheckpointLast      Time
	CheckpointEstimate  Millis
	CheckpointTimeout   Millis
	CheckpointRestart   Millis
	Value               int64 // in thousandths of a minute
	FairShare           int64 // in 10^-12
	Name                Number
	Queue               Number
	Group               Number // may be left out if there is only one
	App                 Number
	User                Number
	Project             Number
	Tenant              Number
	Max                 Number // resources; an amount of 0 forbids the resource
	Settings            Number // PartJobSettings
	Require             Number // PartRequirement
	Kind                JobKind
	State               JobState
	Priority            int32
	JobClass            int32 // 0..10
	Gang                Choice
	Preemptible         Preemptible
	MayPreempt          Choice
	Resume              Choice
	Interruptible       Choice
	CheckpointMode      CheckpointMode
	CheckpointVia       Via
	MinTasks            uint32
	PreemptedCount      uint32
	TaskCount           uint32 // how many entries of Tasks are this job's
	Zero                Zero
	_                   uint32
}

// Task is a running task, a waiting task, or Count equal waiting tasks. Its own Priority, Preemptible and
// MayPreempt override its job's. A gang asks with the lowest priority and the strictest MayPreempt of its tasks;
// a plan for any other job never mixes tasks that differ in them. The last five fields are laid out and not
// available yet: setting one is ErrVersion.
type Task struct {
	Started      Time
	GPUs         uint64 // whole devices held, bit 0 is device 0
	Job          Number // its job; Engine.PutJobs does not need it
	Name         Number // unique in its job; left out: "t" and its position
	Node         Number // left out: it waits
	RequiredNode Number
	Resources    Number
	Count        uint32 // left out: one task of this name; otherwise name#0, name#1 and so on, also for 1
	Share        uint32 // thousandths held of ShareDevice, 1..999
	ShareDevice  uint32
	Priority     int32
	Preemptible  Preemptible
	MayPreempt   Choice
	Originator   Choice
	Zero         Zero
	OnlyNodes    Number // of a waiting task: a list; it may go nowhere else
	AvoidNodes   Number // of a waiting task: a list; it may not go there
	Leaving      Choice // of a running task: Yes if it is ending; its space counts as coming
	LeavingUntil Time   // when it will have left, if that is known
}

// Budget is a disruption budget: how many tasks of some applications, of some jobs or of a queue may be
// missing. The names need not exist, because jobs come and go.
type Budget struct {
	Name      Number
	Apps      Number      // a list; exactly one of apps, jobs and queue is given
	Jobs      Number      // a list
	Queue     Number      // with all queues below it
	LimitKind BudgetLimit // _MIN_...
	Limit     uint32      // may be 0
	Mode      BudgetMode  // BudgetAvoid, which is the default, or BudgetForbid
	_         uint32
}

// TaskName names a task that is to be removed.
type TaskName struct {
	Job  Number
	Task Number // the number of its name; of "t1" if it has none of its own
}
