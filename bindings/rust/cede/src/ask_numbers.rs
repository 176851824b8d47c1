// SPDX-License-Identifier: MIT
//! The same questions in numbers.

use crate::ask::{Claim, Target};
use crate::engine::Engine;
use crate::error::Result;
use crate::number::{self, Name};
use crate::plan::Plan;
use crate::structs::start;
use crate::sys;
use crate::time::Time;
use std::mem::size_of;

choice! {
    /// What a [`Term`] says.
    TermKind {
        /// A job: leave it alone.
        Protect = CEDE_TERM_PROTECT,
        /// A node: do not use it.
        Avoid = CEDE_TERM_AVOID,
        /// A node: use no other nodes than those of all such terms.
        Only = CEDE_TERM_ONLY,
        /// Relief only: bring the target down as far as the rules allow.
        Partial = CEDE_TERM_PARTIAL,
        /// A place that the manager has tried and could not use. Not available yet.
        Refused = CEDE_TERM_REFUSED,
    }
}

request! {
    /// A term in numbers. A field that the kind does not use must be left out.
    Term(cede_term) {
        /// What it says.
        kind => kind: TermKind;
        /// Which job.
        job => job: Name;
        /// Which node.
        node => node: Name;
        /// Which task, as in [`Place`](crate::Place).
        task => task: Name;
        /// Which of the task's equals.
        index => index: u32;
        /// Places of one combination are refused only together.
        combination => combination: u32;
    }
}

/// A question and its terms, in numbers: [`Ask`](crate::Ask) without a text.
#[derive(Clone, Debug)]
#[must_use]
pub struct AskNumbers<'e> {
    engine: &'e Engine,
    now: Time,
    terms: Vec<Term>,
}

impl<'e> AskNumbers<'e> {
    /// The time it is asked for; without it, the cluster's.
    pub fn at(mut self, now: Time) -> AskNumbers<'e> {
        self.now = now;
        self
    }

    /// Adds a term of any kind.
    pub fn term(mut self, term: Term) -> AskNumbers<'e> {
        self.terms.push(term);
        self
    }

    /// Leaves a job alone.
    pub fn protect(self, job: Name) -> AskNumbers<'e> {
        self.term(Term::default().kind(TermKind::Protect).job(job))
    }

    /// Does not use a node.
    pub fn avoid(self, node: Name) -> AskNumbers<'e> {
        self.term(Term::default().kind(TermKind::Avoid).node(node))
    }

    /// Uses no other nodes than those of all such terms.
    pub fn only(self, node: Name) -> AskNumbers<'e> {
        self.term(Term::default().kind(TermKind::Only).node(node))
    }

    /// Relief only: if no set of victims is enough, the plan brings the target down as far as the rules allow.
    pub fn partial(self) -> AskNumbers<'e> {
        self.term(Term::default().kind(TermKind::Partial))
    }

    /// Plans for one waiting job. An answer of "no" is a plan too: see [`Plan::outcome`].
    pub fn plan(&self, job: Name) -> Result<Plan> {
        // SAFETY: the terms live until the call returns.
        Plan::make(|plan, error| unsafe {
            let (engine, now) = (self.engine.get(), self.now.millis());
            sys::cede_engine_plan(engine, job.get(), now, start(&self.terms), SIZE, self.terms.len(), plan, error)
        })
    }

    /// Plans for several waiting jobs in the order given. Commit the plans in the same order.
    pub fn batch(&self, jobs: &[Name]) -> Result<Vec<Plan>> {
        // SAFETY: jobs and terms live until the call returns, and there is room for as many plans as jobs.
        Plan::make_all(jobs.len(), |plans, error| unsafe {
            sys::cede_engine_plan_batch(
                self.engine.get(),
                number::start(jobs),
                jobs.len(),
                self.now.millis(),
                start(&self.terms),
                SIZE,
                self.terms.len(),
                plans,
                error,
            )
        })
    }

    /// Plans which jobs leave so that the target is within its limits.
    pub fn relief(&self, target: Target<Name>, group: Option<Name>) -> Result<Plan> {
        let (kind, name) = match target {
            Target::Node(name) => (sys::CEDE_FOR_NODE, name),
            Target::Queue(name) => (sys::CEDE_FOR_QUEUE, name),
            Target::Job(name) => (sys::CEDE_FOR_JOB_MAX, name),
        };
        // SAFETY: the terms live until the call returns.
        Plan::make(|plan, error| unsafe {
            sys::cede_engine_plan_relief(
                self.engine.get(),
                kind,
                name.get(),
                group.map_or(0, Name::get),
                self.now.millis(),
                start(&self.terms),
                SIZE,
                self.terms.len(),
                plan,
                error,
            )
        })
    }

    /// Plans for a queue that claims nodes of one group.
    pub fn claim(&self, queue: Name, nodes: &[Name], reason: Claim) -> Result<Plan> {
        // SAFETY: nodes and terms live until the call returns.
        Plan::make(|plan, error| unsafe {
            sys::cede_engine_plan_claim(
                self.engine.get(),
                queue.get(),
                number::start(nodes),
                nodes.len(),
                reason.raw(),
                self.now.millis(),
                start(&self.terms),
                SIZE,
                self.terms.len(),
                plan,
                error,
            )
        })
    }
}

const SIZE: usize = size_of::<Term>();

impl Engine {
    /// Asks in numbers.
    pub fn ask_numbers(&self) -> AskNumbers<'_> {
        AskNumbers { engine: self, now: Time::OF_CLUSTER, terms: Vec::new() }
    }
}
