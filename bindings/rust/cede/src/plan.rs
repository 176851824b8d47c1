// SPDX-License-Identifier: MIT
//! The answer to one question.

use crate::error::{check, Result};
use crate::handle::Handle;
use crate::number::{Amount, Name};
use crate::plan_parts::{CostPart, Criterion, Facts, Outcome, Picture, Place, Victim, VictimTask, Violation};
use crate::structs::{fetch, part};
use crate::sys;
use crate::text::{all_borrowed, borrowed, Text};
use std::fmt;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr;

/// Which running jobs give way to a waiting job and where that job goes; or which jobs leave because of relief or a
/// claim.
///
/// A plan is immutable, and many threads may use it at once. It keeps the state of the cluster it was made on and may
/// outlive its engine.
pub struct Plan(Handle<sys::cede_plan>);

type MakePlan = *mut *mut sys::cede_plan;

impl Plan {
    pub(crate) fn make(call: impl FnOnce(MakePlan, *mut sys::cede_error) -> i32) -> Result<Plan> {
        Handle::make(call).map(Plan)
    }

    pub(crate) fn make_all(
        count: usize,
        call: impl FnOnce(MakePlan, *mut sys::cede_error) -> i32,
    ) -> Result<Vec<Plan>> {
        let mut made = vec![ptr::null_mut(); count];
        check(|error| call(made.as_mut_ptr(), error))?;
        made.into_iter().map(|plan| Handle::own(plan).map(Plan)).collect()
    }

    pub(crate) fn get(&self) -> *const sys::cede_plan {
        self.0.get()
    }

    /// What it comes down to.
    pub fn outcome(&self) -> Outcome {
        // SAFETY: the handle is valid.
        Outcome::from_raw(unsafe { sys::cede_plan_outcome(self.get()) })
    }

    /// The rule that decided; empty if the outcome is [`Outcome::Preempt`].
    pub fn rule(&self) -> &str {
        self.word(sys::cede_plan_rule)
    }

    /// One sentence for people.
    pub fn reason(&self) -> &str {
        self.word(sys::cede_plan_reason)
    }

    /// Why preemption is needed, in a word.
    pub fn cause(&self) -> &str {
        self.word(sys::cede_plan_cause)
    }

    /// The name of the policy that decided.
    pub fn policy(&self) -> &str {
        self.word(sys::cede_plan_policy)
    }

    /// The profile that decided.
    pub fn profile(&self) -> &str {
        self.word(sys::cede_plan_profile)
    }

    /// The list of values compared, as in the plan document.
    pub fn objective(&self) -> &str {
        self.word(sys::cede_plan_objective)
    }

    fn word(&self, call: unsafe extern "C" fn(*const sys::cede_plan) -> *const c_char) -> &str {
        // SAFETY: the handle is valid.
        borrowed(self, unsafe { call(self.get()) }).unwrap_or("")
    }

    /// The engine's revision the plan was made on.
    pub fn revision(&self) -> u64 {
        // SAFETY: the handle is valid.
        unsafe { sys::cede_plan_revision(self.get()) }
    }

    /// The cost of the victims in the profile's unit (for lost work: GPU-minutes).
    pub fn cost(&self) -> Amount {
        // SAFETY: the handle is valid.
        Amount::thousandths(unsafe { sys::cede_plan_cost(self.get()) })
    }

    /// A lower bound of the cost.
    pub fn bound(&self) -> Amount {
        // SAFETY: the handle is valid.
        Amount::thousandths(unsafe { sys::cede_plan_bound(self.get()) })
    }

    /// Everything that is a number: times, proof, gap, counts.
    pub fn facts(&self) -> Result<Facts> {
        let mut facts = Facts(sys::cede_plan_facts::default());
        // SAFETY: the place has the size that is told.
        check(|error| unsafe { sys::cede_plan_get(self.get(), &mut facts.0, size_of::<Facts>(), error) })?;
        Ok(facts)
    }

    /// The victims, by job in the order of their names, then holds.
    pub fn victims(&self) -> Result<Vec<Victim>> {
        fetch(self.get(), sys::cede_plan_victims)
    }

    /// The tasks of all victims: see [`Victim::tasks`].
    pub fn victim_tasks(&self) -> Result<Vec<VictimTask>> {
        fetch(self.get(), sys::cede_plan_victim_tasks)
    }

    /// Where the job goes, a place per task.
    pub fn places(&self) -> Result<Vec<Place>> {
        fetch(self.get(), sys::cede_plan_places)
    }

    /// Where victims move to: see [`Victim::moves`]. No plan has moves yet.
    pub fn moves(&self) -> Result<Vec<Place>> {
        fetch(self.get(), sys::cede_plan_moves)
    }

    /// What the cost of the victims consists of: see [`Victim::cost_parts`].
    pub fn cost_parts(&self) -> Result<Vec<CostPart>> {
        fetch(self.get(), sys::cede_plan_cost_parts)
    }

    /// The values that were compared, in their order.
    pub fn criteria(&self) -> Result<Vec<Criterion>> {
        fetch(self.get(), sys::cede_plan_criteria)
    }

    /// Disruption budgets that the plan breaks. No plan has any yet.
    pub fn violations(&self) -> Result<Vec<Violation>> {
        fetch(self.get(), sys::cede_plan_violations)
    }

    /// For a plan of a batch, the earlier jobs that it depends on.
    pub fn after_jobs(&self) -> Result<Vec<Name>> {
        let mut count = 0;
        // SAFETY: with a capacity of 0 nothing is written.
        check(|error| unsafe { sys::cede_plan_after_jobs(self.get(), ptr::null_mut(), 0, &mut count, error) })?;
        let mut numbers = vec![0; count];
        // SAFETY: there is room for `count` numbers.
        check(|error| unsafe {
            sys::cede_plan_after_jobs(self.get(), numbers.as_mut_ptr(), count, ptr::null_mut(), error)
        })?;
        Ok(numbers.into_iter().map(Name::assigned).collect())
    }

    /// The jobs of the victims.
    pub fn victim_jobs(&self) -> impl Iterator<Item = &str> {
        // SAFETY: the handle is valid; beyond the last there is NULL. The same holds for the calls below.
        all_borrowed(self, move |victim| unsafe { sys::cede_plan_victim_job(self.get(), victim) })
    }

    /// The tasks of one victim.
    pub fn victim_task_names(&self, victim: usize) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |task| unsafe { sys::cede_plan_victim_task(self.get(), victim, task) })
    }

    /// Where the job goes: tasks (of a claim, empty) and their nodes.
    pub fn placement(&self) -> impl Iterator<Item = (&str, &str)> {
        let tasks = all_borrowed(self, move |place| unsafe { sys::cede_plan_place_task(self.get(), place) });
        let nodes = all_borrowed(self, move |place| unsafe { sys::cede_plan_place_node(self.get(), place) });
        tasks.zip(nodes)
    }

    /// For a plan of a batch, the earlier jobs that it depends on.
    pub fn after(&self) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |index| unsafe { sys::cede_plan_after(self.get(), index) })
    }

    /// The names of the criteria: "price", "victims" and so on.
    pub fn criterion_names(&self) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |index| unsafe { sys::cede_plan_criterion_name(self.get(), index) })
    }

    /// What of the job's topology requirement the placement meets.
    pub fn met(&self) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |index| unsafe { sys::cede_plan_met(self.get(), index) })
    }

    /// Which of its preferences the placement misses.
    pub fn missed(&self) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |index| unsafe { sys::cede_plan_missed(self.get(), index) })
    }

    /// The plan as a `cede-plan/1` document.
    pub fn json(&self) -> Result<Text> {
        // SAFETY: both places are valid during the call. The same holds for the calls below.
        Text::make(|text, error| unsafe { sys::cede_plan_json(self.get(), text, error) })
    }

    /// The document with the reason for every unit considered, alternatives, and the work counted.
    pub fn explain(&self) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_plan_explain(self.get(), text, error) })
    }

    /// The plans of a batch as one document.
    pub fn batch_json(plans: &[Plan]) -> Result<Text> {
        let handles: Vec<_> = plans.iter().map(Plan::get).collect();
        Text::make(|text, error| unsafe { sys::cede_plan_batch_json(handles.as_ptr(), handles.len(), text, error) })
    }

    /// The nodes that the plan touches, with what leaves, stays and comes on each device. A width of 0 is 100 characters
    /// or 800 pixels.
    pub fn picture(&self, form: Picture, width: u32) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_plan_picture(self.get(), form.raw(), width, text, error) })
    }

    /// Checks the plan again against the cluster it was made on, independently of the search. The error names what fails.
    pub fn verify(&self) -> Result<()> {
        check(|error| unsafe { sys::cede_plan_verify(self.get(), error) }).map(|_| ())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("outcome", &self.outcome())
            .field("victims", &self.victim_jobs().collect::<Vec<_>>())
            .field("placement", &self.placement().collect::<Vec<_>>())
            .finish()
    }
}

impl Victim {
    /// Its tasks among [`Plan::victim_tasks`].
    pub fn tasks<'a>(&self, of_all: &'a [VictimTask]) -> &'a [VictimTask] {
        part(of_all, self.0.first_task, self.0.task_count)
    }

    /// Its parts among [`Plan::cost_parts`].
    pub fn cost_parts<'a>(&self, of_all: &'a [CostPart]) -> &'a [CostPart] {
        part(of_all, self.0.first_cost_part, self.0.cost_part_count)
    }

    /// Its new places among [`Plan::moves`].
    pub fn moves<'a>(&self, of_all: &'a [Place]) -> &'a [Place] {
        part(of_all, self.0.first_move, self.0.move_count)
    }
}
