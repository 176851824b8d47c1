// SPDX-License-Identifier: MIT
//! What a call says when it fails.

use crate::sys;
use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;

/// What a call of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed: the sort of mistake, its line in a document, and one sentence that names the place, the value
/// and what is allowed.
///
/// ```
/// use cede::{Engine, ErrorKind};
///
/// let error = Engine::new(r#"{"format": "cede-policy/1", "policy": {}}"#).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Document);
/// assert_eq!(error.line(), Some(1));
/// assert!(error.to_string().starts_with("policy: unknown field 'policy'; known are format, policies"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: i32,
    line: u32,
    text: String,
}

/// The sorts of mistakes. Numbers of the C ABI never change their meaning, and new ones may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument of this call is wrong.
    Invalid,
    /// A document breaks a rule.
    Document,
    /// An input is beyond a documented limit.
    Limit,
    /// A header, struct or document has a version that this library does not know, or a field has no effect yet.
    Version,
    /// Memory ran out; nothing has changed.
    OutOfMemory,
    /// A bug in the library: please report the text.
    Internal,
    /// No object has this name.
    Unknown,
    /// The cluster has changed and the plan no longer holds: ask for another one.
    Stale,
    /// A saved state is damaged.
    Damaged,
    /// A status of a newer library.
    Other,
}

impl Error {
    /// The sort of mistake.
    pub fn kind(&self) -> ErrorKind {
        match self.status {
            sys::CEDE_E_INVALID => ErrorKind::Invalid,
            sys::CEDE_E_DOCUMENT => ErrorKind::Document,
            sys::CEDE_E_LIMIT => ErrorKind::Limit,
            sys::CEDE_E_VERSION => ErrorKind::Version,
            sys::CEDE_E_NOMEM => ErrorKind::OutOfMemory,
            sys::CEDE_E_INTERNAL => ErrorKind::Internal,
            sys::CEDE_E_UNKNOWN => ErrorKind::Unknown,
            sys::CEDE_E_STALE => ErrorKind::Stale,
            sys::CEDE_E_DAMAGED => ErrorKind::Damaged,
            _ => ErrorKind::Other,
        }
    }

    /// The line of the document, from 1, if the mistake has one.
    pub fn line(&self) -> Option<u32> {
        Some(self.line).filter(|&line| line > 0)
    }

    /// The number of the C ABI.
    pub fn status(&self) -> i32 {
        self.status
    }

    /// The name of that number: `"CEDE_E_DOCUMENT"`.
    pub fn status_name(&self) -> &'static str {
        status_name(self.status)
    }

    /// One line without a full stop. A text beyond 247 bytes ends in "...".
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn invalid(text: impl Into<String>) -> Error {
        Error { status: sys::CEDE_E_INVALID, line: 0, text: text.into() }
    }

    pub(crate) fn internal(text: impl Into<String>) -> Error {
        Error { status: sys::CEDE_E_INTERNAL, line: 0, text: text.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// The name of a status of the C ABI; `"CEDE_E_?"` for a number that has no meaning.
pub(crate) fn status_name(status: i32) -> &'static str {
    // SAFETY: never NULL, and the text lives as long as the library, which is never unloaded.
    unsafe { CStr::from_ptr(sys::cede_status_name(status)) }.to_str().unwrap_or("CEDE_E_?")
}

/// Success, perhaps with a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remark {
    /// Nothing to say.
    None,
    /// Something is legal but odd: see [`Engine::warnings`](crate::Engine::warnings).
    Warnings,
}

/// Makes a call and turns its status into a result.
pub(crate) fn check(call: impl FnOnce(*mut sys::cede_error) -> i32) -> Result<Remark> {
    let mut error = sys::cede_error::default();
    match call(&mut error) {
        sys::CEDE_OK => Ok(Remark::None),
        status if status > 0 => Ok(Remark::Warnings),
        status => Err(taken(status, &error)),
    }
}

/// The error that a call has filled in.
pub(crate) fn taken(status: i32, error: &sys::cede_error) -> Error {
    let text: Vec<u8> =
        error.text.iter().take_while(|&&letter| letter != 0).map(|&letter: &c_char| letter as u8).collect();
    Error { status, line: error.line, text: String::from_utf8_lossy(&text).into_owned() }
}
