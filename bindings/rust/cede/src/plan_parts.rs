// SPDX-License-Identifier: MIT
//! What a plan consists of, in numbers.

use crate::number::{Amount, EntryId, Name};
use crate::time::Time;

verdict! {
    /// What a plan comes down to.
    Outcome {
        /// It fits into free space; relief and claims: no job has to leave.
        Fits = CEDE_OUTCOME_FITS,
        /// It fits once the victims are gone.
        Preempt = CEDE_OUTCOME_PREEMPT,
        /// Not now; the rule says why.
        Wait = CEDE_OUTCOME_WAIT,
        /// Its victims are already leaving.
        InProgress = CEDE_OUTCOME_IN_PROGRESS,
        /// It would not even fit an empty cluster.
        Impossible = CEDE_OUTCOME_IMPOSSIBLE,
    }
}

verdict! {
    /// What a plan, an action or an entry of the ledger is for.
    Purpose {
        /// A waiting job.
        Job = CEDE_FOR_JOB,
        /// Relief of a node.
        Node = CEDE_FOR_NODE,
        /// Relief of a queue.
        Queue = CEDE_FOR_QUEUE,
        /// Relief of a job that is over its own max.
        JobMax = CEDE_FOR_JOB_MAX,
        /// A claim of a queue on its home nodes.
        Reclaim = CEDE_FOR_RECLAIM,
        /// A sensitive claim of a queue.
        Sensitive = CEDE_FOR_SENSITIVE,
    }
}

verdict! {
    /// Why preemption is needed.
    Cause {
        /// The job has a higher priority.
        Priority = CEDE_CAUSE_PRIORITY,
        /// A queue wants back what it lent.
        Reclaim = CEDE_CAUSE_RECLAIM,
        /// A sensitive job needs the nodes for itself.
        Sensitive = CEDE_CAUSE_SENSITIVE,
        /// The job is within its quota and others are beyond theirs.
        Quota = CEDE_CAUSE_QUOTA,
        /// The job starves below its fair share.
        Starvation = CEDE_CAUSE_STARVATION,
        /// The queue is below what it is guaranteed.
        Guarantee = CEDE_CAUSE_GUARANTEE,
        /// The task must run on that node.
        RequiredNode = CEDE_CAUSE_REQUIRED_NODE,
        /// The node has more than it can hold.
        Overcommit = CEDE_CAUSE_OVERCOMMIT,
        /// A limit is exceeded.
        Limit = CEDE_CAUSE_LIMIT,
    }
}

answer! {
    /// Everything about a plan that is a number. Of the criteria that were compared, in their order, the first
    /// [`proven`](Facts::proven) are proven best: no set of victims has a smaller value there.
    Facts(cede_plan_facts) {
        /// The time it was made for.
        now => now: Time;
        /// When its job, or the claim, can start, if that is known.
        expected_start => expected_start: Option<Time>;
        /// The same if every timeout is used up, if there is a limit.
        latest_start => latest_start: Option<Time>;
        /// As [`Plan::cost`](crate::Plan::cost).
        cost => cost: Amount;
        /// As [`Plan::bound`](crate::Plan::bound).
        bound => bound: Amount;
        /// What the plan has in the first criterion that is not proven; `None` if it is optimal, or if the criterion is
        /// not one number.
        gap_value => gap_value: Option<i64>;
        /// What every set of victims has at least there, if that is known.
        gap_bound => gap_bound: Option<i64>;
        /// The engine's revision it was made on.
        revision => revision: u64;
        /// Running units looked at.
        units => units: u64;
        /// Counted work of the search.
        work => work: u64;
        /// What it comes down to.
        outcome => outcome: Outcome;
        /// What it is for.
        purpose => purpose: Purpose;
        /// Why preemption is needed, if it is.
        cause => cause: Option<Cause>;
        /// Whether every criterion is proven.
        optimal => optimal: bool;
        /// Relief that leaves the target over its limit.
        partial => partial: bool;
        /// The job, node or queue it is for.
        target => target: Name;
        /// The group it is about.
        group => group: Option<Name>;
        /// How many criteria are proven best.
        proven => proven: usize;
        /// How many criteria there are.
        criterion_count => criterion_count: usize;
        /// How many victims.
        victim_count => victim_count: usize;
        /// How many tasks all victims have.
        task_count => task_count: usize;
        /// How many places.
        place_count => place_count: usize;
        /// How many moves.
        move_count => move_count: usize;
        /// How many parts of the cost.
        cost_part_count => cost_part_count: usize;
        /// How many budgets it breaks.
        violation_count => violation_count: usize;
        /// On how many jobs it depends.
        after_count => after_count: usize;
        /// How many requirements it meets.
        met_count => met_count: usize;
        /// How many preferences it misses.
        missed_count => missed_count: usize;
    }
}

verdict! {
    /// What is done to a victim.
    VictimAction {
        /// It is asked to save its state.
        Checkpoint = CEDE_ACTION_CHECKPOINT,
        /// It is stopped and keeps its state.
        Suspend = CEDE_ACTION_SUSPEND,
        /// It is removed.
        Terminate = CEDE_ACTION_TERMINATE,
        /// An operator deletes it.
        SoftEvict = CEDE_ACTION_SOFT_EVICT,
        /// It gets INT and time to finish.
        SignalFirst = CEDE_ACTION_SIGNAL_FIRST,
    }
}

answer! {
    /// One victim: a job with all its chosen tasks, or a hold.
    Victim(cede_victim) {
        /// What it costs.
        cost => cost: Amount;
        /// If the victim is space that an entry keeps for a job: that entry.
        hold => hold: Option<EntryId>;
        /// The job; for a hold, its requester.
        job => job: Name;
        /// The first step.
        action => action: Option<VictimAction>;
        /// If that is a checkpoint: the step after it is written.
        then => then: Option<VictimAction>;
        /// If it is a checkpoint: the step if it is not written.
        unsaved => unsaved: Option<VictimAction>;
        /// Whether it is queued again afterwards, provided that it saves where it is asked to.
        requeue => requeue: bool;
        /// Whether none of its placed tasks stays.
        whole_job => whole_job: bool;
    }
}

answer! {
    /// A task of a victim.
    VictimTask(cede_victim_task) {
        /// Its job.
        job => job: Name;
        /// The number of its name; of "t1" if it has none of its own.
        task => task: Name;
        /// Among its job's tasks, from 0, while the job is in the cluster.
        position => position: Option<u32>;
        /// Where it runs.
        node => node: Name;
    }
}

answer! {
    /// Where one task goes.
    Place(cede_place) {
        /// Whole devices, bit 0 is device 0.
        gpus => gpus: u64;
        /// Whose task it is; `None` for the nodes of a claim.
        job => job: Option<Name>;
        /// The entry in the job's tasks: the number of its name, without "#3" if it has a count.
        task => task: Option<Name>;
        /// The position of that entry, from 0, if it is known.
        position => position: Option<u32>;
        /// Which of the entry's tasks, from 0.
        index => index: u32;
        /// The node.
        node => node: Name;
        /// Thousandths of the share device.
        share => share: u32;
        /// Which device has the share.
        share_device => share_device: u32;
        /// Whether it is known which devices, not only how many.
        devices_known => devices_known: bool;
        /// Whether the node is kept as a whole.
        whole_node => whole_node: bool;
    }
}

verdict! {
    /// What a part of the cost is.
    CostKind {
        /// The time to write a checkpoint.
        Checkpoint = CEDE_COST_CHECKPOINT,
        /// Work since the last checkpoint.
        Recompute = CEDE_COST_RECOMPUTE,
        /// How near the job is to its end.
        Walltime = CEDE_COST_WALLTIME,
        /// The setting `victim_overhead`.
        Overhead = CEDE_COST_OVERHEAD,
        /// GPU-minutes, in profiles without a price of their own.
        LostWork = CEDE_COST_LOST_WORK,
        /// What the setting `borrowed_discount` takes off; not above 0.
        BorrowedDiscount = CEDE_COST_BORROWED_DISCOUNT,
    }
}

answer! {
    /// A part of a victim's cost.
    CostPart(cede_cost_part) {
        /// How much.
        value => value: Amount;
        /// Which victim, from 0.
        victim => victim: usize;
        /// What it is.
        kind => kind: CostKind;
    }
}

verdict! {
    /// What the value of a criterion is.
    CriterionKind {
        /// One number.
        Number = CEDE_CRITERION_NUMBER,
        /// How many victims have which value; the value is how many values there are.
        Counts = CEDE_CRITERION_COUNTS,
        /// Start times; the value is how many there are.
        Times = CEDE_CRITERION_TIMES,
    }
}

answer! {
    /// A value that was compared.
    Criterion(cede_criterion) {
        /// The value.
        value => value: i64;
        /// What the value is.
        kind => kind: CriterionKind;
        /// Whether no set of victims is better there.
        proven => proven: bool;
    }
}

answer! {
    /// A disruption budget that the plan breaks, because every other set of victims breaks more.
    Violation(cede_violation) {
        /// The budget.
        budget => budget: Name;
        /// How many tasks beyond what it allows.
        tasks => tasks: u32;
    }
}

choice! {
    /// The form of a picture.
    Picture {
        /// Lines with box drawing; the width is in characters, 40 to 1000.
        Text = CEDE_PICTURE_TEXT,
        /// One `<svg>` element; the width is in pixels, 200 to 10000.
        Svg = CEDE_PICTURE_SVG,
    }
}
