// SPDX-License-Identifier: MIT
//! Texts that the library hands out and takes.

use crate::error::{Error, Result};
use crate::handle::Handle;
use crate::sys;
use std::ffi::{CStr, CString};
use std::fmt;
use std::ops::Deref;
use std::os::raw::c_char;
use std::slice;

/// A document, a picture or another text that the library has made. It is used like a `&str`, without a copy.
pub struct Text(Handle<sys::cede_text>);

impl Text {
    pub(crate) fn make(call: impl FnOnce(*mut *mut sys::cede_text, *mut sys::cede_error) -> i32) -> Result<Text> {
        let handle = Handle::make(call)?;
        match std::str::from_utf8(bytes(&handle)) {
            Ok(_) => Ok(Text(handle)),
            Err(_) => Err(Error::internal("the library has made a text that is not UTF-8")),
        }
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        // SAFETY: checked when it was made; a text never changes.
        unsafe { std::str::from_utf8_unchecked(bytes(&self.0)) }
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.to_string()
    }
}

/// What [`Engine::save`](crate::Engine::save) gives: bytes for a disk, with a version and a checksum inside.
pub struct State(Handle<sys::cede_text>);

impl State {
    pub(crate) fn make(call: impl FnOnce(*mut *mut sys::cede_text, *mut sys::cede_error) -> i32) -> Result<State> {
        Handle::make(call).map(State)
    }
}

impl Deref for State {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        bytes(&self.0)
    }
}

impl AsRef<[u8]> for State {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({} bytes)", self.len())
    }
}

fn bytes(text: &Handle<sys::cede_text>) -> &[u8] {
    // SAFETY: the data is never NULL and lives as long as the handle.
    unsafe { slice::from_raw_parts(sys::cede_text_data(text.get()).cast(), sys::cede_text_size(text.get())) }
}

/// A text that belongs to `_owner`; `None` if there is none.
pub(crate) fn borrowed<T: ?Sized>(_owner: &T, text: *const c_char) -> Option<&str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: it ends in a NUL and lives as long as its owner is neither changed nor destroyed.
    Some(unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("(not UTF-8)"))
}

/// The texts of `_owner` one after the other, up to the first that is not there.
pub(crate) fn all_borrowed<'a, T: ?Sized>(
    owner: &'a T,
    text: impl Fn(usize) -> *const c_char + 'a,
) -> impl Iterator<Item = &'a str> + 'a {
    (0..).map_while(move |index| borrowed(owner, text(index)))
}

/// A text for a call that wants a NUL at the end.
pub(crate) fn c_string(what: &str, text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid(format!("{}: '{}' has a NUL character", what, text.escape_debug())))
}

/// The bytes of a text that travels with its size.
pub(crate) fn start(text: &[u8]) -> *const c_char {
    text.as_ptr().cast()
}
