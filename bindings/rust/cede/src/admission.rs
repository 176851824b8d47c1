// SPDX-License-Identifier: MIT
//! Whether a job may have what it asks for.

use crate::engine::Engine;
use crate::error::{check, Result};
use crate::handle::Handle;
use crate::job::Preemptible;
use crate::number::Name;
use crate::sys;
use crate::text::{borrowed, c_string, start, Text};
use std::fmt;
use std::mem::size_of;
use std::ptr;

/// Whether the policy's admission rules accept a job as it was submitted, and what a frontend may offer its owner.
/// Immutable; may outlive its engine.
pub struct Admission(Handle<sys::cede_admission>);

answer! {
    /// First the values that count for the job (for a refused job: those it asks for), then what it may ask for.
    Ruling(cede_ruling) {
        /// Its priority.
        priority => priority: i32;
        /// Its class, 0 to 10.
        class => job_class: i32;
        /// The most protected of its tasks.
        preemptible => preemptible: Preemptible;
        /// The lowest priority it may ask for.
        min_priority => min_priority: i32;
        /// The highest; if it is below the lowest, the rules allow none.
        max_priority => max_priority: i32;
        /// If the job states none.
        default_priority => default_priority: i32;
        /// The highest class.
        max_class => max_class: i32;
        /// Whether the priority may differ from the default.
        may_change => may_change: bool;
        /// Whether it may be "preemptible": false at its priority.
        may_opt_out => may_opt_out: bool;
        /// The lowest priority at which it may.
        min_opt_out_priority => min_opt_out_priority: i32;
        /// The highest; if it is below the lowest, it may at none.
        max_opt_out_priority => max_opt_out_priority: i32;
    }
}

impl Admission {
    /// Whether the job is admitted.
    pub fn admitted(&self) -> bool {
        // SAFETY: the handle is valid.
        unsafe { sys::cede_admission_admitted(self.0.get()) == 1 }
    }

    /// The rule that refused it: "priority", "class", "opt-out"; empty if it is admitted.
    pub fn rule(&self) -> &str {
        // SAFETY: the handle is valid.
        borrowed(self, unsafe { sys::cede_admission_rule(self.0.get()) }).unwrap_or("")
    }

    /// One sentence for people.
    pub fn reason(&self) -> &str {
        // SAFETY: the handle is valid.
        borrowed(self, unsafe { sys::cede_admission_reason(self.0.get()) }).unwrap_or("")
    }

    /// Under profile quota, one sentence that says whether the job's waiting tasks are within their quotas now; empty
    /// under other profiles and if no task waits.
    pub fn quota(&self) -> &str {
        // SAFETY: the handle is valid.
        borrowed(self, unsafe { sys::cede_admission_quota(self.0.get()) }).unwrap_or("")
    }

    /// The values.
    pub fn ruling(&self) -> Result<Ruling> {
        let mut ruling = Ruling(sys::cede_ruling::default());
        // SAFETY: the place has the size that is told.
        check(|error| unsafe { sys::cede_admission_get(self.0.get(), &mut ruling.0, size_of::<Ruling>(), error) })?;
        Ok(ruling)
    }

    /// All of it as a `cede-admission/1` document.
    pub fn json(&self) -> Result<Text> {
        // SAFETY: both places are valid during the call.
        Text::make(|text, error| unsafe { sys::cede_admission_json(self.0.get(), text, error) })
    }
}

impl Engine {
    /// Asks about a job as it is loaded.
    pub fn admit(&self, job: &str) -> Result<Admission> {
        self.admission(job, None)
    }

    /// Asks about a job as it would be after this `cede-changes/1` document: before it is submitted or altered.
    pub fn admit_after(&self, job: &str, changes: impl AsRef<[u8]>) -> Result<Admission> {
        self.admission(job, Some(changes.as_ref()))
    }

    fn admission(&self, job: &str, changes: Option<&[u8]>) -> Result<Admission> {
        let job = c_string("job", job)?;
        let (text, size) = changes.map_or((ptr::null(), 0), |changes| (start(changes), changes.len()));
        // SAFETY: the texts live until the call returns.
        Handle::make(|made, error| unsafe { sys::cede_engine_admit(self.get(), job.as_ptr(), text, size, made, error) })
            .map(Admission)
    }

    /// Asks about a job in the cluster. To ask about a job before it is put, put it into a clone.
    pub fn admit_job(&self, job: Name) -> Result<Admission> {
        // SAFETY: the handle is valid.
        Handle::make(|made, error| unsafe { sys::cede_engine_admit_job(self.get(), job.get(), made, error) })
            .map(Admission)
    }
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission").field("admitted", &self.admitted()).field("rule", &self.rule()).finish()
    }
}
