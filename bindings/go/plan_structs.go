// SPDX-License-Identifier: MIT

package cede

// What a plan is asked with and what it answers, laid out as the C structs are.

// Term is a condition of a question. A refused place is one that the manager has tried and could not use: no
// plan puts that task, or one equal to it, there. Places of one Combination other than 0 are refused only
// together. Task and Index say which task, as in Place; Job may be left out if the plan is for one job.
type Term struct {
	Kind        TermKind
	Job         Number
	Node        Number
	Task        Number
	Index       uint32
	Combination uint32
}

// PlanFacts is everything about a plan that is a number. Of the criteria that were compared, in their order,
// the first Proven are proven best: no set of victims has a smaller value there. If all are, the plan is Optimal.
// If not, the gap says how far the first criterion that is not proven (its place is Proven) may be from the best:
// the plan has GapValue, and no set has less than GapBound (None: not known). Cost and Bound are the cost of the
// victims and a lower bound of it, in thousandths of the profile's unit (for lost work: GPU-minutes).
type PlanFacts struct {
	Now            Time  // the time it was made for
	ExpectedStart  Time  // when its job, or the claim, can start; None: not known
	LatestStart    Time  // the same if every timeout is used up; None: there is no limit
	Cost           int64 // as Plan.Cost and Plan.Bound
	Bound          int64
	GapValue       int64 // None if it is optimal, or if the criterion is not one number
	GapBound       int64
	Revision       uint64
	Units          uint64 // running units looked at
	Work           uint64 // counted work of the search
	Outcome        Outcome
	Purpose        Purpose
	Cause          Cause
	Optimal        Flag   // 1 if every criterion is proven
	Partial        Flag   // 1: relief that leaves the target over its limit
	Target         Number // the job, node or queue it is for
	Group          Number
	Proven         uint32
	CriterionCount uint32 // this and the following: how many the calls below give
	VictimCount    uint32
	TaskCount      uint32 // of all victims
	PlaceCount     uint32
	MoveCount      uint32
	CostPartCount  uint32
	ViolationCount uint32
	AfterCount     uint32
	MetCount       uint32
	MissedCount    uint32
}

// Victim is a job that gives way with all its chosen tasks, or a hold.
type Victim struct {
	Cost          int64  // as PlanFacts.Cost
	Hold          uint64 // not 0: the victim is the space that this entry keeps for the job
	Job           Number // for a hold: its requester
	TaskCount     uint32 // its tasks among those of Plan.VictimTasks
	FirstTask     uint32 // where they begin
	CostPartCount uint32 // among those of Plan.CostParts
	FirstCostPart uint32
	MoveCount     uint32 // not 0: it moves; its new places among those of Plan.Moves
	FirstMove     uint32
	Action        VictimAction // the first step
	Then          VictimAction // if action is checkpoint: the step after the checkpoint is written; else 0
	Unsaved       VictimAction // if action is checkpoint: the step if it is not written; else 0
	Requeue       Flag         // 1 if it is queued again afterwards, provided that it saves where it is asked to
	WholeJob      Flag         // 1 if none of its placed tasks stays
}

// VictimTask is a task of a victim.
type VictimTask struct {
	Job      Number
	Task     Number // of its name; of "t1" if it has none of its own
	Position uint32 // among its job's tasks, from 0; math.MaxUint32 if the job is no longer in the cluster
	Node     Number // where it runs
}

// Place is where one task goes.
type Place struct {
	GPUs         uint64 // whole devices, bit 0 is device 0
	Job          Number // whose task it is; 0 for the nodes of a claim
	Task         Number // the entry in the job's tasks: of its name, without "#3" if it has a count
	Position     uint32 // of that entry, from 0; math.MaxUint32 if that is not known any more
	Index        uint32 // which of the entry's tasks, from 0
	Node         Number
	Share        uint32 // thousandths of ShareDevice
	ShareDevice  uint32
	DevicesKnown Flag // 0: the number of devices is known, not which
	WholeNode    Flag // 1: the node is kept as a whole
	_            uint32
}

// CostPart is one part of what a victim costs.
type CostPart struct {
	Value  int64  // in thousandths, as PlanFacts.Cost
	Victim uint32 // which, from 0
	Kind   CostKind
}

// Criterion is one of the values that were compared, the most important first.
type Criterion struct {
	Value  int64
	Kind   CriterionKind
	Proven Flag // 1 if no set of victims is better there
}

// Violation is a disruption budget that the plan breaks, because every other set of victims breaks more.
type Violation struct {
	Budget Number
	Tasks  uint32 // beyond what it allows
}
