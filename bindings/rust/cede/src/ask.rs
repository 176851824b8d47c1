// SPDX-License-Identifier: MIT
//! Questions in names: what leaves, so that a job can start.

use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::sys;
use crate::text::c_string;
use crate::time::Time;
use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr;

/// What relief is for: a node within its capacity, or a queue or job within its `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target<N> {
    /// A node.
    Node(N),
    /// A queue.
    Queue(N),
    /// A job that is over its own `max`.
    Job(N),
}

choice! {
    /// Why a queue claims nodes.
    Claim {
        /// The nodes' `home` is this queue or one above it.
        Reclaim = CEDE_FOR_RECLAIM,
        /// The queue is to run sensitive jobs there.
        Sensitive = CEDE_FOR_SENSITIVE,
    }
}

/// A question and its terms, in names. [`Engine::ask_numbers`] asks the same in numbers.
///
/// ```no_run
/// # fn ask(engine: cede::Engine) -> cede::Result<()> {
/// use cede::{Claim, Target};
///
/// let plan = engine.ask().protect("web").avoid("n7").plan("train")?;
/// let plans = engine.ask().batch(&["train", "eval"])?;
/// let relief = engine.ask().partial().relief(Target::Node("n3"), None)?;
/// let claim = engine.ask().claim("root.home", &["n1", "n2"], Claim::Reclaim)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Ask<'e> {
    engine: &'e Engine,
    now: Time,
    terms: Vec<String>,
}

impl<'e> Ask<'e> {
    /// The time it is asked for; without it, the cluster's.
    pub fn at(mut self, now: Time) -> Ask<'e> {
        self.now = now;
        self
    }

    /// Leaves a job alone.
    pub fn protect(self, job: &str) -> Ask<'e> {
        self.term("protect=", job)
    }

    /// Does not use a node.
    pub fn avoid(self, node: &str) -> Ask<'e> {
        self.term("avoid=", node)
    }

    /// Uses no other nodes than those of all such terms.
    pub fn only(self, node: &str) -> Ask<'e> {
        self.term("only=", node)
    }

    /// Does not put that task on that node, which the manager has tried and could not use. Not available yet.
    pub fn refused(self, task: &str, node: &str) -> Ask<'e> {
        self.term("refused=", &format!("{}@{}", task, node))
    }

    /// Relief only: if no set of victims is enough, the plan brings the target down as far as the rules allow.
    pub fn partial(self) -> Ask<'e> {
        self.term("partial", "")
    }

    fn term(mut self, word: &str, value: &str) -> Ask<'e> {
        self.terms.push([word, value].concat());
        self
    }

    /// Plans for one waiting job. An answer of "no" is a plan too: see [`Plan::outcome`].
    pub fn plan(&self, job: &str) -> Result<Plan> {
        let job = c_string("job", job)?;
        let terms = Words::new("term", &self.terms)?;
        // SAFETY: the texts live until the call returns.
        Plan::make(|plan, error| unsafe {
            let (engine, now) = (self.engine.get(), self.now.millis());
            sys::cede_plan_create(engine, job.as_ptr(), now, terms.start(), terms.len(), plan, error)
        })
    }

    /// Plans for several waiting jobs in the order given, as if each plan were committed before the next job is planned.
    /// Commit the plans in the same order.
    pub fn batch<S: AsRef<str>>(&self, jobs: &[S]) -> Result<Vec<Plan>> {
        let jobs = Words::new("job", jobs)?;
        let terms = Words::new("term", &self.terms)?;
        // SAFETY: the texts live until the call returns, and there is room for as many plans as jobs.
        Plan::make_all(jobs.len(), |plans, error| unsafe {
            let (engine, now) = (self.engine.get(), self.now.millis());
            sys::cede_plan_create_batch(engine, jobs.start(), jobs.len(), now, terms.start(), terms.len(), plans, error)
        })
    }

    /// Plans which jobs leave so that the target is within its limits; no job is placed. A queue with jobs in several
    /// groups needs the group to relieve.
    pub fn relief(&self, target: Target<&str>, group: Option<&str>) -> Result<Plan> {
        let target = match target {
            Target::Node(name) => format!("node:{}", name),
            Target::Queue(name) => format!("queue:{}", name),
            Target::Job(name) => format!("job:{}", name),
        };
        let target = c_string("target", &target)?;
        let group = group.map(|group| c_string("group", group)).transpose()?;
        let group = group.as_ref().map_or(ptr::null(), |group| group.as_ptr());
        let terms = Words::new("term", &self.terms)?;
        // SAFETY: the texts live until the call returns.
        Plan::make(|plan, error| unsafe {
            let (engine, now) = (self.engine.get(), self.now.millis());
            sys::cede_plan_create_relief(engine, target.as_ptr(), group, now, terms.start(), terms.len(), plan, error)
        })
    }

    /// Plans for a queue that claims nodes of one group: every unit with a task there leaves, except those of the queue's
    /// own subtree, or none does.
    pub fn claim<S: AsRef<str>>(&self, queue: &str, nodes: &[S], reason: Claim) -> Result<Plan> {
        let queue = c_string("queue", queue)?;
        let nodes = Words::new("node", nodes)?;
        let reason = c_string("reason", reason.word())?;
        let terms = Words::new("term", &self.terms)?;
        // SAFETY: the texts live until the call returns.
        Plan::make(|plan, error| unsafe {
            sys::cede_plan_create_claim(
                self.engine.get(),
                queue.as_ptr(),
                nodes.start(),
                nodes.len(),
                reason.as_ptr(),
                self.now.millis(),
                terms.start(),
                terms.len(),
                plan,
                error,
            )
        })
    }
}

impl Claim {
    fn word(self) -> &'static str {
        match self {
            Claim::Reclaim => "reclaim",
            Claim::Sensitive => "sensitive",
        }
    }
}

impl Engine {
    /// Asks with terms or for another time.
    pub fn ask(&self) -> Ask<'_> {
        Ask { engine: self, now: Time::OF_CLUSTER, terms: Vec::new() }
    }

    /// Plans for one waiting job: `engine.ask().plan(job)`.
    pub fn plan(&self, job: &str) -> Result<Plan> {
        self.ask().plan(job)
    }
}

/// Texts that end in a NUL, and an array of where they begin.
struct Words {
    _texts: Vec<CString>,
    starts: Vec<*const c_char>,
}

impl Words {
    fn new<S: AsRef<str>>(what: &str, texts: &[S]) -> std::result::Result<Words, Error> {
        let texts = texts.iter().map(|text| c_string(what, text.as_ref())).collect::<Result<Vec<_>>>()?;
        // The texts are on the heap: they stay where they are.
        let starts = texts.iter().map(|text| text.as_ptr()).collect();
        Ok(Words { _texts: texts, starts })
    }

    fn start(&self) -> *const *const c_char {
        self.starts.as_ptr()
    }

    fn len(&self) -> usize {
        self.starts.len()
    }
}
