// SPDX-License-Identifier: MIT
//! The C ABI of [libcede](https://docs.rs/cede), as bindgen sees it: nothing is added and nothing is safe.
//! Programs use the crate `cede`.
//!
//! The comments are those of the header `cede/cede.h`, which is the manual of every call.
#![allow(non_camel_case_types)]
#![allow(rustdoc::bare_urls, rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

#[allow(clippy::all)]
mod bindings;
pub use bindings::*;

/// Stands for the cluster's `now`; other times are milliseconds since 1970. bindgen cannot read this constant.
pub const CEDE_NOW_OF_CLUSTER: i64 = i64::MIN;
/// In an answer: there is no such time (never, or not known), or no such value. bindgen cannot read this constant.
pub const CEDE_NONE: i64 = i64::MIN;
