// SPDX-License-Identifier: MIT
//! From the plan to the started job.

use crate::engine::Engine;
use crate::error::{check, Remark, Result};
use crate::event::Events;
use crate::handle::Handle;
use crate::number::EntryId;
use crate::plan::Plan;
use crate::step::Step;
use crate::sys;
use crate::text::{start, State};
use crate::time::Time;
use std::mem::size_of;
use std::ptr;
use std::time::Duration;

/// From the plan to the started job. The library performs nothing itself: [`Engine::step`] takes what happened and
/// returns what is to be done, until the requester has started.
///
/// `took` is how long the caller waited for the plan, for the metrics, if that is known.
impl Engine {
    /// Commits a plan whose outcome is fits or preempt and returns its entry in the ledger. Its victims are reserved, and
    /// their space and that of the placement are kept for the requester alone.
    ///
    /// Every commit verifies the plan against the cluster and what is in flight at this moment. If it does not hold any
    /// more, the error is [`ErrorKind::Stale`](crate::ErrorKind::Stale): ask for another one.
    pub fn commit(&mut self, plan: &Plan, now: Time, took: Option<Duration>) -> Result<EntryId> {
        let mut entry = 0;
        // SAFETY: both handles are valid during the call. The same holds for the calls below.
        check(|error| unsafe {
            sys::cede_engine_commit(self.get_mut(), plan.get(), now.millis(), micros(took), &mut entry, error)
        })?;
        Ok(EntryId::new(entry))
    }

    /// Gives an entry that is short a new plan for the same requester.
    pub fn extend(&mut self, entry: EntryId, plan: &Plan, now: Time, took: Option<Duration>) -> Result<Remark> {
        check(|error| unsafe {
            sys::cede_engine_extend(self.get_mut(), entry.get(), plan.get(), now.millis(), micros(took), error)
        })
    }

    /// Ends an entry: its hold is released, and victims that are not yet being terminated run on.
    pub fn cancel(&mut self, entry: EntryId, now: Time) -> Result<Remark> {
        check(|error| unsafe { sys::cede_engine_cancel(self.get_mut(), entry.get(), now.millis(), error) })
    }

    /// The same for an entry that is short and has no other plan; it counts as failed.
    pub fn give_up(&mut self, entry: EntryId, now: Time) -> Result<Remark> {
        check(|error| unsafe { sys::cede_engine_give_up(self.get_mut(), entry.get(), now.millis(), error) })
    }

    /// Counts a plan that was not committed, as an attempt of its requester and in the metrics.
    pub fn note(&mut self, plan: &Plan, now: Time, took: Option<Duration>) -> Result<Remark> {
        check(|error| unsafe { sys::cede_engine_note(self.get_mut(), plan.get(), now.millis(), micros(took), error) })
    }

    /// Reports what happened and returns what is to be done now, timeouts included. If an event is malformed, the error
    /// names its place as `events[3].job`, and no event is applied.
    pub fn step(&mut self, now: Time, events: &Events) -> Result<Step> {
        let texts = events.texts();
        Handle::make(|step, error| unsafe {
            sys::cede_engine_step(
                self.get_mut(),
                now.millis(),
                events.start(),
                size_of::<sys::cede_event>(),
                events.len(),
                start(texts),
                texts.len(),
                step,
                error,
            )
        })
        .map(Step)
    }

    /// The same with a `cede-events/1` document; `None`: nothing has happened.
    pub fn step_document(&mut self, now: Time, events: Option<&str>) -> Result<Step> {
        let (text, size) = events.map_or((ptr::null(), 0), |text| (start(text.as_bytes()), text.len()));
        Handle::make(|step, error| unsafe {
            sys::cede_engine_step_document(self.get_mut(), now.millis(), text, size, step, error)
        })
        .map(Step)
    }

    /// Everything the engine knows beyond the cluster document: ledger, clocks, storm windows, counters. Save before an
    /// action is performed.
    pub fn save(&self) -> Result<State> {
        State::make(|text, error| unsafe { sys::cede_engine_save(self.get(), text, error) })
    }

    /// Replaces what was in flight with a saved state. Numbers are not part of a state: ask for them again.
    pub fn restore(&mut self, state: &[u8]) -> Result<Remark> {
        check(|error| unsafe { sys::cede_engine_restore(self.get_mut(), start(state), state.len(), error) })
    }
}

fn micros(took: Option<Duration>) -> i64 {
    took.map_or(-1, |took| i64::try_from(took.as_micros()).unwrap_or(i64::MAX))
}
