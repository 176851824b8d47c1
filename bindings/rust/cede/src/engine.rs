// SPDX-License-Identifier: MIT
//! The engine: one cluster, one policy, and everything decided so far.

use crate::error::{check, Remark, Result};
use crate::handle::Handle;
use crate::log::{self, Level, Log};
use crate::text::{c_string, start, Text};
use crate::time::Time;
use crate::{sys, Builder};
use std::any::Any;
use std::fmt;
use std::os::raw::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

/// One cluster, one policy, and everything decided so far. Engines in one process are independent.
///
/// Calls that only ask take `&self`, and many threads may make them at once; calls that change something take
/// `&mut self`. A call that fails leaves the engine as it was.
///
/// ```
/// use cede::{Engine, Outcome};
///
/// let mut engine = Engine::new(
///     r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}"#)?;
/// engine.load(
///     r#"{"format": "cede-cluster/1", "now": 1760000000,
///         "groups": [{"id": "g", "policy": "default"}], "queues": [{"id": "root"}],
///         "nodes": [{"id": "n1", "resources": {"gpu": 8}}],
///         "jobs": [
///           {"id": "low", "queue": "root", "priority": 1, "state": "running", "started": 1759990000,
///            "tasks": [{"node": "n1", "resources": {"gpu": 8}}]},
///           {"id": "high", "queue": "root", "priority": 80, "submitted": 1759999000,
///            "tasks": [{"resources": {"gpu": 4}}]}]}"#)?;
/// let plan = engine.plan("high")?;
/// assert_eq!(plan.outcome(), Outcome::Preempt);
/// assert_eq!(plan.victim_jobs().collect::<Vec<_>>(), ["low"]);
/// # Ok::<(), cede::Error>(())
/// ```
pub struct Engine {
    // The handle goes first: the library knows the log until then.
    handle: Handle<sys::cede_engine>,
    log: Option<Arc<Log>>,
}

impl Engine {
    /// An engine without a cluster, with a `cede-policy/1` document. [`Engine::builder`] takes options, too.
    pub fn new(policy: impl AsRef<[u8]>) -> Result<Engine> {
        Engine::builder().policy(policy).build()
    }

    /// An engine with options, a log, or without a policy.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn make(policy: Option<&[u8]>, options: &[*const c_char]) -> Result<Engine> {
        let (text, size) = policy.map_or((ptr::null(), 0), |policy| (start(policy), policy.len()));
        let version = sys::CEDE_VERSION as u32;
        // SAFETY: texts and options live until the call returns, and so does the place for the handle.
        let handle = Handle::make(|made, error| unsafe {
            sys::cede_engine_create(text, size, options.as_ptr(), options.len(), version, made, error)
        })?;
        Ok(Engine { handle, log: None })
    }

    /// An independent engine in the same state, for what-if questions. Its cost depends on what is changed in it later,
    /// not on the size of the cluster. Numbers are valid in it; the log is not copied.
    pub fn try_clone(&self) -> Result<Engine> {
        // SAFETY: both handles are valid during the call.
        let handle = Handle::make(|made, error| unsafe { sys::cede_engine_clone(self.get(), made, error) })?;
        Ok(Engine { handle, log: None })
    }

    /// Sets the callback for the lines of an operator's log. It is called during calls on this engine, on the thread
    /// that makes the call.
    ///
    /// A callback that panics does not harm the call: the call does its work and returns its result. The engine then
    /// logs nothing more and keeps the panic for [`Engine::take_log_panic`].
    pub fn set_log(&mut self, callback: impl Fn(Level, &str) + Send + Sync + 'static) -> Result<()> {
        self.replace_log(Some(Arc::new(Log::new(callback))))
    }

    /// Logs nothing from now on.
    pub fn clear_log(&mut self) -> Result<()> {
        self.replace_log(None)
    }

    fn replace_log(&mut self, log: Option<Arc<Log>>) -> Result<()> {
        let (call, context) = match &log {
            Some(log) => (log::RECEIVE, Arc::as_ptr(log) as *mut c_void),
            None => (None, ptr::null_mut()),
        };
        // SAFETY: the engine keeps what the library points to, and drops the old log only afterwards.
        check(|error| unsafe { sys::cede_engine_set_log(self.get_mut(), call, context, error) })?;
        self.log = log;
        Ok(())
    }

    /// What a log callback that panicked has left, for [`std::panic::resume_unwind`]; `None` if none did, or if it was
    /// taken before.
    pub fn take_log_panic(&mut self) -> Option<Box<dyn Any + Send>> {
        self.log.as_ref().and_then(|log| log.take_panic())
    }

    /// Replaces the cluster with a `cede-cluster/1` document, all or nothing. The error is the first mistake;
    /// [`Engine::check`] lists them all.
    pub fn load(&mut self, document: impl AsRef<[u8]>) -> Result<Remark> {
        self.take(document.as_ref(), sys::cede_engine_load)
    }

    /// Applies a `cede-changes/1` document, all or nothing.
    pub fn apply(&mut self, document: impl AsRef<[u8]>) -> Result<Remark> {
        self.take(document.as_ref(), sys::cede_engine_apply)
    }

    /// Replaces the policy with a `cede-policy/1` document, all or nothing; the cluster must agree with it.
    pub fn set_policy(&mut self, document: impl AsRef<[u8]>) -> Result<Remark> {
        self.take(document.as_ref(), sys::cede_engine_set_policy)
    }

    fn take(&mut self, document: &[u8], call: Take) -> Result<Remark> {
        // SAFETY: the document lives until the call returns.
        check(|error| unsafe { call(self.get_mut(), start(document), document.len(), error) })
    }

    /// Grows with every change of the cluster or policy. If two revisions of one engine are equal, so is its state.
    pub fn revision(&self) -> u64 {
        // SAFETY: the handle is valid.
        unsafe { sys::cede_engine_revision(self.get()) }
    }

    /// The cluster as a `cede-cluster/1` document that loads back to the same model, objects ordered by name.
    pub fn export(&self) -> Result<Text> {
        // SAFETY: both places are valid during the call.
        Text::make(|text, error| unsafe { sys::cede_engine_export(self.get(), text, error) })
    }

    /// What the engine has counted, as OpenMetrics text.
    pub fn metrics(&self) -> Result<Text> {
        // SAFETY: both places are valid during the call.
        Text::make(|text, error| unsafe { sys::cede_engine_metrics(self.get(), text, error) })
    }

    /// A `cede-shares/1` document: who uses how much of its share, in one group of profile fair-share or in all of them.
    pub fn shares(&self, group: Option<&str>, now: Time) -> Result<Text> {
        let group = group.map(|group| c_string("group", group)).transpose()?;
        let group = group.as_ref().map_or(ptr::null(), |group| group.as_ptr());
        // SAFETY: the text and both places are valid during the call.
        Text::make(|text, error| unsafe { sys::cede_engine_shares(self.get(), group, now.millis(), text, error) })
    }

    pub(crate) fn get(&self) -> *const sys::cede_engine {
        self.handle.get()
    }

    pub(crate) fn get_mut(&mut self) -> *mut sys::cede_engine {
        self.handle.get_mut()
    }
}

/// A call that takes a document and changes the engine.
type Take = unsafe extern "C" fn(*mut sys::cede_engine, *const c_char, usize, *mut sys::cede_error) -> i32;

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("revision", &self.revision()).field("log", &self.log.is_some()).finish()
    }
}
