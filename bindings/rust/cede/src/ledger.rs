// SPDX-License-Identifier: MIT
//! What is decided and not finished.

use crate::engine::Engine;
use crate::error::Result;
use crate::handle::Handle;
use crate::number::{EntryId, Name};
use crate::plan_parts::{Cause, Place, Purpose, VictimTask};
use crate::step::How;
use crate::structs::{fetch, part};
use crate::sys;
use crate::text::{borrowed, Text};
use crate::time::Time;
use std::fmt;

verdict! {
    /// What becomes of an entry.
    EntryState {
        /// Nothing has been asked of its victims.
        Preparing = CEDE_ENTRY_PREPARING,
        /// Victims are leaving.
        Waiting = CEDE_ENTRY_WAITING,
        /// It needs another plan.
        Short = CEDE_ENTRY_SHORT,
        /// The requester is told to start.
        Ready = CEDE_ENTRY_READY,
        /// It has ended: the requester has started.
        Started = CEDE_ENTRY_STARTED,
        /// It has ended: the requester did not start in time.
        Expired = CEDE_ENTRY_EXPIRED,
        /// It has ended: it was cancelled.
        Cancelled = CEDE_ENTRY_CANCELLED,
        /// It has ended: there was no other plan.
        Failed = CEDE_ENTRY_FAILED,
    }
}

verdict! {
    /// The phases of a victim.
    Phase {
        /// Nothing has been asked of it.
        Planned = CEDE_PHASE_PLANNED,
        /// It was asked to save, or is saving.
        Checkpointing = CEDE_PHASE_CHECKPOINTING,
        /// It got INT and its time to finish.
        Signalled = CEDE_PHASE_SIGNALLED,
        /// An operator is to delete it.
        Marked = CEDE_PHASE_MARKED,
        /// It is being suspended.
        Stopping = CEDE_PHASE_STOPPING,
        /// It got TERM; KILL follows after the grace period.
        Terminating = CEDE_PHASE_TERMINATING,
        /// It got KILL.
        Killing = CEDE_PHASE_KILLING,
        /// It is being removed by whatever means.
        Removing = CEDE_PHASE_REMOVING,
        /// It could not be removed; it may still leave by itself.
        Stuck = CEDE_PHASE_STUCK,
        /// It has left.
        Released = CEDE_PHASE_RELEASED,
        /// It is not needed any more and runs on.
        Spared = CEDE_PHASE_SPARED,
    }
}

answer! {
    /// An entry of the ledger.
    Entry(cede_entry) {
        /// Its number.
        id => entry: EntryId;
        /// The revision the plan was made on.
        plan => plan: u64;
        /// When it was committed.
        committed => committed: Time;
        /// When it fails or, once ready, its hold expires, if ever.
        deadline => deadline: Option<Time>;
        /// What becomes of it.
        state => state: EntryState;
        /// What it is for.
        purpose => purpose: Purpose;
        /// Why preemption is needed, if it is.
        cause => cause: Option<Cause>;
        /// Whether its places are kept for it.
        has_hold => has_hold: bool;
        /// The job, node or queue it is for.
        target => target: Name;
    }
}

impl Entry {
    /// Its victims among [`Ledger::victims`].
    pub fn victims<'a>(&self, of_all: &'a [LedgerVictim]) -> &'a [LedgerVictim] {
        part(of_all, self.0.first_victim, self.0.victim_count)
    }

    /// Its places among [`Ledger::places`].
    pub fn places<'a>(&self, of_all: &'a [Place]) -> &'a [Place] {
        part(of_all, self.0.first_place, self.0.place_count)
    }
}

answer! {
    /// A victim that is on its way out.
    LedgerVictim(cede_ledger_victim) {
        /// The entry it leaves for.
        entry => entry: EntryId;
        /// When its phase ends by itself, if ever.
        deadline => deadline: Option<Time>;
        /// How far it is.
        phase => phase: Phase;
        /// How it left, if it has.
        how => how: Option<How>;
        /// The job.
        job => job: Name;
    }
}

impl LedgerVictim {
    /// Its tasks among [`Ledger::tasks`].
    pub fn tasks<'a>(&self, of_all: &'a [VictimTask]) -> &'a [VictimTask] {
        part(of_all, self.0.first_task, self.0.task_count)
    }
}

/// What is in flight, by entry: a snapshot that does not change with the engine.
pub struct Ledger(Handle<sys::cede_ledger>);

impl Ledger {
    fn get(&self) -> *const sys::cede_ledger {
        self.0.get()
    }

    /// The entries.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        fetch(self.get(), sys::cede_ledger_entries)
    }

    /// The victims of all entries: see [`Entry::victims`].
    pub fn victims(&self) -> Result<Vec<LedgerVictim>> {
        fetch(self.get(), sys::cede_ledger_victims)
    }

    /// The tasks of all victims: see [`LedgerVictim::tasks`].
    pub fn tasks(&self) -> Result<Vec<VictimTask>> {
        fetch(self.get(), sys::cede_ledger_tasks)
    }

    /// The places of all entries: see [`Entry::places`].
    pub fn places(&self) -> Result<Vec<Place>> {
        fetch(self.get(), sys::cede_ledger_places)
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        // SAFETY: the handle is valid. The same holds for the calls below; beyond the last there is NULL.
        unsafe { sys::cede_ledger_count(self.get()) }
    }

    /// What an entry is for.
    pub fn requester(&self, entry: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_ledger_requester(self.get(), entry) })
    }

    /// Why, in a word.
    pub fn cause(&self, entry: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_ledger_cause(self.get(), entry) })
    }

    /// The name of the job of an entry's victim.
    pub fn victim_job(&self, entry: usize, victim: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_ledger_victim_job(self.get(), entry, victim) })
    }

    /// The phase of an entry's victim: "checkpointing", "terminating", "released" and so on.
    pub fn victim_phase(&self, entry: usize, victim: usize) -> Option<&str> {
        borrowed(self, unsafe { sys::cede_ledger_victim_phase(self.get(), entry, victim) })
    }

    /// All of it as a `cede-in-flight/1` document.
    pub fn json(&self) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_ledger_json(self.get(), text, error) })
    }
}

impl Engine {
    /// What is in flight.
    pub fn in_flight(&self) -> Result<Ledger> {
        // SAFETY: the handle is valid.
        Handle::make(|ledger, error| unsafe { sys::cede_engine_in_flight(self.get(), ledger, error) }).map(Ledger)
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger").field("entries", &self.count()).finish()
    }
}
