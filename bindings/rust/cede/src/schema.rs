// SPDX-License-Identifier: MIT
//! The schemas of the documents.

use crate::error::Result;
use crate::library::lasting;
use crate::sys;
use crate::text::{c_string, Text};

/// The formats whose schema the library knows: `"cede-cluster/1"` and so on.
pub fn schema_formats() -> Vec<&'static str> {
    // SAFETY: no index is beyond the last.
    (0..unsafe { sys::cede_schema_count() }).map(|index| lasting(unsafe { sys::cede_schema_format(index) })).collect()
}

/// The JSON Schema (draft 2020-12) of a format: editors complete and check with it.
///
/// ```
/// for format in cede::schema_formats() {
///     assert!(cede::schema(format)?.contains("https://json-schema.org/draft/2020-12/schema"));
/// }
/// # Ok::<(), cede::Error>(())
/// ```
pub fn schema(format: &str) -> Result<Text> {
    let format = c_string("format", format)?;
    // SAFETY: the text lives until the call returns.
    Text::make(|text, error| unsafe { sys::cede_schema_json(format.as_ptr(), text, error) })
}
