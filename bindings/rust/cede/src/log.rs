// SPDX-License-Identifier: MIT
//! The log callback of an engine.

use crate::sys;
use std::any::Any;
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

verdict! {
    /// How important a line of the log is.
    Level {
        /// For the people who work on the library.
        Debug = CEDE_LOG_DEBUG,
        /// What happens.
        Info = CEDE_LOG_INFO,
        /// What an operator should look at.
        Warning = CEDE_LOG_WARNING,
    }
}

/// Any thread that works with the engine may call it.
pub(crate) type Callback = Box<dyn Fn(Level, &str) + Send + Sync>;

/// A callback and what became of it. The library keeps a pointer to it.
pub(crate) struct Log {
    callback: Callback,
    panicked: AtomicBool,
    payload: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Log {
    pub(crate) fn new(callback: impl Fn(Level, &str) + Send + Sync + 'static) -> Log {
        Log { callback: Box::new(callback), panicked: AtomicBool::new(false), payload: Mutex::new(None) }
    }

    /// What a callback that panicked has left, once.
    pub(crate) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        self.payload.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    fn line(&self, level: Level, text: &str) {
        if self.panicked.load(Ordering::Relaxed) {
            return;
        }
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| (self.callback)(level, text))) {
            self.panicked.store(true, Ordering::Relaxed);
            *self.payload.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(payload);
        }
    }
}

/// What the library calls. A panic ends here: it must not unwind through C++.
pub(crate) unsafe extern "C" fn receive(context: *mut c_void, level: i32, text: *const c_char) {
    // SAFETY: the engine keeps the log as long as the library knows it, and the text ends in a NUL.
    let (log, text) = unsafe { (&*context.cast::<Log>(), CStr::from_ptr(text)) };
    log.line(Level::from_raw(level), &text.to_string_lossy());
}

/// The callback in the form of the C ABI.
pub(crate) const RECEIVE: sys::cede_log = Some(receive);
