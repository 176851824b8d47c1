// SPDX-License-Identifier: MIT
//! What is to be done now.

use crate::error::Result;
use crate::handle::Handle;
use crate::job::CheckpointVia;
use crate::number::{ActionId, EntryId, Name};
use crate::plan_parts::{Cause, Place, Purpose, VictimTask};
use crate::structs::{fetch, part};
use crate::sys;
use crate::text::{all_borrowed, borrowed, Text};
use crate::time::Time;
use std::fmt;

verdict! {
    /// What an action asks the manager to do.
    ActionKind {
        /// Ask the job to save its state by the deadline.
        CheckpointHint = CEDE_DO_CHECKPOINT_HINT,
        /// Send the signal.
        Signal = CEDE_DO_SIGNAL,
        /// Stop the job and free what it holds, keeping its state.
        Suspend = CEDE_DO_SUSPEND,
        /// Remove the job by whatever means.
        Terminate = CEDE_DO_TERMINATE,
        /// Mark the job; an operator deletes it.
        Mark = CEDE_DO_MARK,
        /// The entry is short: [`Engine::extend`](crate::Engine::extend) or [`Engine::give_up`](crate::Engine::give_up).
        Replan = CEDE_DO_REPLAN,
        /// The claimed nodes are free.
        ClaimReady = CEDE_DO_CLAIM_READY,
        /// The job may run on after all.
        CancelHint = CEDE_DO_CANCEL_HINT,
        /// The victim waits again: put it so.
        Requeue = CEDE_DO_REQUEUE,
        /// Start the requester exactly there.
        Start = CEDE_DO_START,
        /// Stop keeping other jobs off the place.
        ReleaseHold = CEDE_DO_RELEASE_HOLD,
        /// The victim has left and does not wait again.
        Gone = CEDE_DO_GONE,
        /// Start a moved victim at its new place; not given yet.
        StartMoved = CEDE_DO_START_MOVED,
    }
}

verdict! {
    /// Which signal to send.
    Signal {
        /// Finish, please.
        Int = CEDE_SIGNAL_INT,
        /// Finish now.
        Term = CEDE_SIGNAL_TERM,
        /// It is over.
        Kill = CEDE_SIGNAL_KILL,
    }
}

verdict! {
    /// How a victim left.
    How {
        /// By itself or by its owner: it does not count as preempted.
        Completed = CEDE_HOW_COMPLETED,
        /// Its checkpoint is written, or its nodes keep its state.
        Saved = CEDE_HOW_SAVED,
        /// Nothing was asked to be saved, or it was suspended and nothing is kept.
        Terminated = CEDE_HOW_TERMINATED,
        /// Its checkpoint was not written, or it was lost with its node.
        Failed = CEDE_HOW_FAILED,
    }
}

answer! {
    /// What is to be done. The engine tolerates an action that is done twice.
    Action(cede_action) {
        /// Its number, for the answer.
        id => id: ActionId;
        /// The entry it belongs to.
        entry => entry: EntryId;
        /// The revision the plan was made on.
        plan => plan: u64;
        /// When the next harsher action or the end of the hold is due, if ever.
        deadline => deadline: Option<Time>;
        /// What is to be done.
        kind => kind: ActionKind;
        /// What the entry is for.
        purpose => purpose: Purpose;
        /// Why preemption is needed, if it is.
        cause => cause: Option<Cause>;
        /// The job, node or queue that the entry is for.
        target => target: Name;
        /// The victim; of a start, the job to start; `None` if it is about the entry alone.
        job => job: Option<Name>;
        /// Of a signal: which.
        signal => signal: Option<Signal>;
        /// Of a checkpoint hint: as the job states it.
        via => via: Option<CheckpointVia>;
        /// Of requeue and gone: how the victim left.
        how => how: Option<How>;
        /// Of requeue: keep this value.
        submitted => submitted: Time;
        /// Of requeue: keep this value.
        waiting_since => waiting_since: Time;
        /// Of requeue: store this with the job.
        preempted_count => preempted_count: u32;
        /// Of requeue: whether there is something to resume from.
        resume => resume: bool;
        /// Of requeue: whether it waits for its owner, not in the queue.
        waits_for_owner => waits_for_owner: bool;
        /// Of suspend and requeue: whether its nodes keep what it resumes from.
        keep_local => keep_local: bool;
    }
}

impl Action {
    /// The victim's tasks that are not gone yet, among [`Step::tasks`].
    pub fn tasks<'a>(&self, of_all: &'a [VictimTask]) -> &'a [VictimTask] {
        part(of_all, self.0.first_task, self.0.task_count)
    }

    /// Of start, claim-ready and release-hold: the places, among [`Step::places`].
    pub fn places<'a>(&self, of_all: &'a [Place]) -> &'a [Place] {
        part(of_all, self.0.first_place, self.0.place_count)
    }
}

/// What is to be done now. Immutable.
pub struct Step(pub(crate) Handle<sys::cede_step>);

impl Step {
    fn get(&self) -> *const sys::cede_step {
        self.0.get()
    }

    /// The actions in the order of their numbers.
    pub fn actions(&self) -> Result<Vec<Action>> {
        fetch(self.get(), sys::cede_step_actions)
    }

    /// The tasks of all actions: see [`Action::tasks`].
    pub fn tasks(&self) -> Result<Vec<VictimTask>> {
        fetch(self.get(), sys::cede_step_tasks)
    }

    /// The places of all actions: see [`Action::places`].
    pub fn places(&self) -> Result<Vec<Place>> {
        fetch(self.get(), sys::cede_step_places)
    }

    /// Whether the event of this index was applied (or ignored); `None` beyond the last.
    pub fn applied(&self, event: usize) -> Option<bool> {
        // SAFETY: the handle is valid. The same holds for the calls below; beyond the last there is NULL.
        match unsafe { sys::cede_step_answer(self.get(), event) } {
            1 => Some(true),
            0 => Some(false),
            _ => None,
        }
    }

    /// When the next step is due if nothing happens before.
    pub fn next_due(&self) -> Option<Time> {
        let due = unsafe { sys::cede_step_next_due(self.get()) };
        Some(due).filter(|&due| due != sys::CEDE_NONE).map(Time::from_millis)
    }

    /// How many actions there are.
    pub fn action_count(&self) -> usize {
        unsafe { sys::cede_step_action_count(self.get()) }
    }

    /// The name of the job of an action, as in [`Action::job`].
    pub fn job(&self, action: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_step_action_job(self.get(), action) })
    }

    /// What the entry of an action is for; of relief, `node:NAME`.
    pub fn preemptor(&self, action: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_step_action_preemptor(self.get(), action) })
    }

    /// Why, in a word.
    pub fn cause(&self, action: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_step_action_cause(self.get(), action) })
    }

    /// The names of the tasks of an action.
    pub fn task_names(&self, action: usize) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |task| unsafe { sys::cede_step_action_task(self.get(), action, task) })
    }

    /// The places of an action: tasks (of a claim, empty) and their nodes.
    pub fn placement(&self, action: usize) -> impl Iterator<Item = (&str, &str)> {
        let tasks = all_borrowed(self, move |place| unsafe { sys::cede_step_place_task(self.get(), action, place) });
        let nodes = all_borrowed(self, move |place| unsafe { sys::cede_step_place_node(self.get(), action, place) });
        tasks.zip(nodes)
    }

    /// All of it as a `cede-actions/1` document.
    pub fn json(&self) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_step_json(self.get(), text, error) })
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step").field("actions", &self.action_count()).field("next_due", &self.next_due()).finish()
    }
}
