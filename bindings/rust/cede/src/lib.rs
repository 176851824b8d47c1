// SPDX-License-Identifier: MIT
//! libcede decides which running jobs of an HPC or AI cluster give way to a waiting one, proves the choice, and leads the
//! victims out. This crate is its C ABI, whole, safe and idiomatic; it needs the library (`libcede-dev`) and nothing else.
//!
//! * An [`Engine`] holds one cluster and one policy. It takes JSON documents, or arrays of structs without any text.
//! * [`Engine::plan`] and [`Engine::ask`] make a [`Plan`]: who leaves, where the job goes, and why.
//! * [`Engine::commit`] and [`Engine::step`] lead from the plan to the started job.
//!
//! # Threads
//!
//! Everything is [`Send`] and [`Sync`]. Calls that ask take `&self`, so many threads may plan on one engine at once and
//! share one plan. Calls that change an engine take `&mut self`.
//!
//! # Errors and panics
//!
//! Calls return [`Result`], and an [`Error`] says in one line which place, which value and what is allowed. A call that
//! fails changes nothing. This crate does not panic, and a log callback that panics ends before the C boundary: see
//! [`Engine::set_log`].
#![deny(missing_debug_implementations, missing_docs, unsafe_op_in_unsafe_fn)]

use cede_sys as sys;

#[macro_use]
mod structs;
mod admission;
mod ask;
mod ask_numbers;
mod builder;
mod cluster;
mod engine;
mod error;
mod event;
mod handle;
mod job;
mod ledger;
mod library;
mod log;
mod names;
mod number;
mod plan;
mod plan_parts;
mod put;
mod report;
mod schema;
mod sequence;
mod step;
mod text;
mod time;
mod topology;

pub use crate::admission::{Admission, Ruling};
pub use crate::ask::{Ask, Claim, Target};
pub use crate::ask_numbers::{AskNumbers, Term, TermKind};
pub use crate::builder::Builder;
pub use crate::cluster::{
    Budget, BudgetLimit, BudgetMode, Domain, Group, Kind, Node, NodeState, Queue, QueuePolicy, Reservation,
};
pub use crate::engine::Engine;
pub use crate::error::{Error, ErrorKind, Remark, Result};
pub use crate::event::{Event, Events};
pub use crate::job::{CheckpointMode, CheckpointVia, Job, JobState, Preemptible, Task, TaskName};
pub use crate::ledger::{Entry, EntryState, Ledger, LedgerVictim, Phase};
pub use crate::library::{
    document_kind, has_feature, options, profiles, version, version_text, DocumentKind, EngineOption, Profile, Setting,
};
pub use crate::log::Level;
pub use crate::names::Texts;
pub use crate::number::{
    ActionId, Amount, EntryId, Fingerprint, JobSettings, Labels, Name, NameList, Number, QueueSettings, Requirement,
    Resources,
};
pub use crate::plan::Plan;
pub use crate::plan_parts::{
    Cause, CostKind, CostPart, Criterion, CriterionKind, Facts, Outcome, Picture, Place, Purpose, Victim, VictimAction,
    VictimTask, Violation,
};
pub use crate::report::{Finding, Mark, Report, Severity};
pub use crate::schema::{schema, schema_formats};
pub use crate::step::{Action, ActionKind, How, Signal, Step};
pub use crate::text::{State, Text};
pub use crate::time::Time;
pub use crate::topology::{Topology, TopologyFacts, TopologyKind};
