// SPDX-License-Identifier: MIT
//! Handles of the C ABI that destroy themselves.

use crate::error::{check, Error, Remark, Result};
use crate::sys;
use std::ptr::{self, NonNull};

/// What a handle can point to, and how it ends.
pub(crate) trait Destroy {
    /// # Safety
    /// `handle` came from the library and is not used afterwards.
    unsafe fn destroy(handle: *mut Self);
}

macro_rules! destroyed_by {
    ($($handle:ident: $destroy:ident,)*) => {
        $(impl Destroy for sys::$handle {
            unsafe fn destroy(handle: *mut Self) {
                // SAFETY: the promise of the trait.
                unsafe { sys::$destroy(handle) }
            }
        })*
    };
}

destroyed_by! {
    cede_engine: cede_engine_destroy,
    cede_plan: cede_plan_destroy,
    cede_step: cede_step_destroy,
    cede_ledger: cede_ledger_destroy,
    cede_report: cede_report_destroy,
    cede_admission: cede_admission_destroy,
    cede_topology: cede_topology_destroy,
    cede_text: cede_text_destroy,
}

/// Owns an object of the library.
pub(crate) struct Handle<T: Destroy>(NonNull<T>);

// SAFETY: rule 8 of the header: many threads may use a const handle at once, and a handle is bound to no thread. What
// changes an object takes the handle as mutable.
unsafe impl<T: Destroy> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Destroy> Sync for Handle<T> {}

impl<T: Destroy> Handle<T> {
    /// Makes a call that creates an object.
    pub(crate) fn make(call: impl FnOnce(*mut *mut T, *mut sys::cede_error) -> i32) -> Result<Handle<T>> {
        let mut made = ptr::null_mut();
        check(|error| call(&mut made, error)).and_then(|_: Remark| Handle::own(made))
    }

    /// Takes over what a call has made.
    pub(crate) fn own(made: *mut T) -> Result<Handle<T>> {
        NonNull::new(made).map(Handle).ok_or_else(|| Error::internal("the call succeeded and made nothing"))
    }

    pub(crate) fn get(&self) -> *const T {
        self.0.as_ptr()
    }

    pub(crate) fn get_mut(&mut self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Destroy> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: this is the only owner, and it ends here.
        unsafe { T::destroy(self.0.as_ptr()) }
    }
}
