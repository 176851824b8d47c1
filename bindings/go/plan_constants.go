// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

// Outcome is the answer of a plan.
type Outcome int32

const (
	OutcomeFits       Outcome = C.CEDE_OUTCOME_FITS        // it fits into free space; relief and claims: no job has to leave
	OutcomePreempt    Outcome = C.CEDE_OUTCOME_PREEMPT     // it fits once the victims are gone
	OutcomeWait       Outcome = C.CEDE_OUTCOME_WAIT        // not now; the rule says why
	OutcomeInProgress Outcome = C.CEDE_OUTCOME_IN_PROGRESS // its victims are already leaving
	OutcomeImpossible Outcome = C.CEDE_OUTCOME_IMPOSSIBLE  // it would not even fit an empty cluster
)

// TermKind is the kind of a Term.
type TermKind int32

const (
	TermProtect TermKind = C.CEDE_TERM_PROTECT // job: leave it alone
	TermAvoid   TermKind = C.CEDE_TERM_AVOID   // node: do not use it
	TermOnly    TermKind = C.CEDE_TERM_ONLY    // node: use no other nodes than those of all such terms
	TermPartial TermKind = C.CEDE_TERM_PARTIAL // relief only: see Engine.PlanRelief
	TermRefused TermKind = C.CEDE_TERM_REFUSED // job, task, index, node: see Term; not available yet (ErrVersion)
)

// Purpose is what a plan, an action or an entry of the ledger is for.
type Purpose int32

const (
	ForJob       Purpose = C.CEDE_FOR_JOB       // a waiting job
	ForNode      Purpose = C.CEDE_FOR_NODE      // relief of a node
	ForQueue     Purpose = C.CEDE_FOR_QUEUE     // relief of a queue
	ForJobMax    Purpose = C.CEDE_FOR_JOB_MAX   // relief of a job that is over its own max
	ForReclaim   Purpose = C.CEDE_FOR_RECLAIM   // a claim of a queue on its home nodes
	ForSensitive Purpose = C.CEDE_FOR_SENSITIVE // a sensitive claim of a queue
)

// Cause is why preemption is needed.
type Cause int32

const (
	CausePriority     Cause = C.CEDE_CAUSE_PRIORITY
	CauseReclaim      Cause = C.CEDE_CAUSE_RECLAIM
	CauseSensitive    Cause = C.CEDE_CAUSE_SENSITIVE
	CauseQuota        Cause = C.CEDE_CAUSE_QUOTA
	CauseStarvation   Cause = C.CEDE_CAUSE_STARVATION
	CauseGuarantee    Cause = C.CEDE_CAUSE_GUARANTEE
	CauseRequiredNode Cause = C.CEDE_CAUSE_REQUIRED_NODE
	CauseOvercommit   Cause = C.CEDE_CAUSE_OVERCOMMIT
	CauseLimit        Cause = C.CEDE_CAUSE_LIMIT
)

// VictimAction is a step of what is done to a victim.
type VictimAction int32

const (
	ActionCheckpoint  VictimAction = C.CEDE_ACTION_CHECKPOINT
	ActionSuspend     VictimAction = C.CEDE_ACTION_SUSPEND
	ActionTerminate   VictimAction = C.CEDE_ACTION_TERMINATE
	ActionSoftEvict   VictimAction = C.CEDE_ACTION_SOFT_EVICT
	ActionSignalFirst VictimAction = C.CEDE_ACTION_SIGNAL_FIRST
)

// CostKind is the kind of a CostPart.
type CostKind int32

const (
	CostCheckpoint       CostKind = C.CEDE_COST_CHECKPOINT        // the time to write it
	CostRecompute        CostKind = C.CEDE_COST_RECOMPUTE         // work since the last checkpoint
	CostWalltime         CostKind = C.CEDE_COST_WALLTIME          // how near the job is to its end
	CostOverhead         CostKind = C.CEDE_COST_OVERHEAD          // the setting victim_overhead
	CostLostWork         CostKind = C.CEDE_COST_LOST_WORK         // GPU-minutes, in profiles without a price of their own
	CostBorrowedDiscount CostKind = C.CEDE_COST_BORROWED_DISCOUNT // what the setting borrowed_discount takes off; not above 0
)

// CriterionKind is what the value of a Criterion is.
type CriterionKind int32

const (
	CriterionNumber CriterionKind = C.CEDE_CRITERION_NUMBER
	CriterionCounts CriterionKind = C.CEDE_CRITERION_COUNTS // how many victims have which value; the value is how many values there are
	CriterionTimes  CriterionKind = C.CEDE_CRITERION_TIMES  // start times; Value is how many there are
)

// PictureFormat is a format of pictures.
type PictureFormat int32

const (
	PictureText PictureFormat = C.CEDE_PICTURE_TEXT // lines with box drawing in UTF-8; the width is in characters, 40..1000
	PictureSVG  PictureFormat = C.CEDE_PICTURE_SVG  // one <svg> element; the width is in pixels, 200..10000
)
