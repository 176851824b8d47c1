// SPDX-License-Identifier: MIT
//! What a check found.

use crate::engine::Engine;
use crate::error::{taken, Result};
use crate::handle::Handle;
use crate::structs::fetch;
use crate::sys;
use crate::text::{borrowed, start};
use std::fmt;
use std::ptr;

verdict! {
    /// How bad a finding is.
    Severity {
        /// The document would be refused.
        Error = CEDE_SEVERITY_ERROR,
        /// Legal but odd.
        Warning = CEDE_SEVERITY_WARNING,
    }
}

answer! {
    /// Where and how bad.
    Mark(cede_finding) {
        /// How bad it is.
        severity => severity: Severity;
        /// The number of the C ABI.
        status => status: i32;
        /// From 1; 0 if it has no place in a text.
        line => line: u32;
        /// From 1; 0 if it has no place in a text.
        column => column: u32;
    }
}

/// One thing that a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// Where in the text, and how bad.
    pub mark: Mark,
    /// Where in the document, as `jobs[17].queue`; empty: the document as a whole.
    pub path: &'a str,
    /// What, in one line.
    pub text: &'a str,
}

/// What a check found.
///
/// ```
/// # let policy = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}"#;
/// let engine = cede::Engine::new(policy)?;
/// let report = engine.check(r#"{"format": "cede-cluster/1", "nods": []}"#)?;
/// assert!(!report.accepted());
/// let finding = report.findings()?[0];
/// assert_eq!((finding.mark.line(), finding.path), (1, "nods"));
/// assert_eq!(finding.text, "unknown field 'nods'; did you mean 'nodes'?");
/// # Ok::<(), cede::Error>(())
/// ```
pub struct Report {
    handle: Handle<sys::cede_report>,
    status: i32,
}

impl Report {
    /// Whether the document would be accepted.
    pub fn accepted(&self) -> bool {
        self.status >= 0
    }

    /// The findings in the order found.
    pub fn findings(&self) -> Result<Vec<Finding<'_>>> {
        let marks: Vec<Mark> = fetch(self.handle.get(), sys::cede_report_findings)?;
        // SAFETY: the handle is valid; beyond the last there is NULL.
        let texts = |index| unsafe {
            (sys::cede_report_path(self.handle.get(), index), sys::cede_report_text(self.handle.get(), index))
        };
        Ok(marks
            .into_iter()
            .enumerate()
            .map(|(index, mark)| {
                let (path, text) = texts(index);
                Finding { mark, path: borrowed(self, path).unwrap_or(""), text: borrowed(self, text).unwrap_or("") }
            })
            .collect())
    }

    /// How many findings were kept.
    pub fn count(&self) -> usize {
        // SAFETY: the handle is valid.
        unsafe { sys::cede_report_count(self.handle.get()) }
    }

    /// How many were dropped beyond those. There may be more: a check may stop early on a hopeless document.
    pub fn dropped(&self) -> usize {
        // SAFETY: the handle is valid.
        unsafe { sys::cede_report_dropped(self.handle.get()) }
    }
}

impl Engine {
    /// Checks a document of any format as load, apply or set_policy would, and changes nothing. What is wrong with the
    /// document is in the report.
    pub fn check(&self, document: impl AsRef<[u8]>) -> Result<Report> {
        self.report(Some(document.as_ref()))
    }

    /// The warnings about the loaded cluster and policy.
    pub fn warnings(&self) -> Result<Report> {
        self.report(None)
    }

    fn report(&self, document: Option<&[u8]>) -> Result<Report> {
        let (text, size) = document.map_or((ptr::null(), 0), |text| (start(text), text.len()));
        let mut made = ptr::null_mut();
        let mut error = sys::cede_error::default();
        // SAFETY: the document lives until the call returns.
        let status = unsafe { sys::cede_engine_check(self.get(), text, size, &mut made, &mut error) };
        if made.is_null() {
            return Err(taken(status, &error)); // nothing could be checked
        }
        Ok(Report { handle: Handle::own(made)?, status })
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("accepted", &self.accepted()).field("findings", &self.count()).finish()
    }
}
