// SPDX-License-Identifier: MIT
//! What the loaded library is and knows.

use crate::error::{check, Result};
use crate::sys;
use crate::text::{borrowed, c_string, start};
use std::os::raw::c_char;

/// The version of the loaded library, as major, minor and patch.
pub fn version() -> (u32, u32, u32) {
    // SAFETY: takes nothing.
    let number = unsafe { sys::cede_version() };
    (number / 1_000_000, number / 1000 % 1000, number % 1000)
}

/// The same for people: `"0.2.0"`.
pub fn version_text() -> &'static str {
    // SAFETY: takes nothing.
    lasting(unsafe { sys::cede_version_text() })
}

/// Whether this library has the feature of that name.
///
/// ```
/// assert!(cede::has_feature("arrays"));
/// assert!(!cede::has_feature("clairvoyance"));
/// ```
pub fn has_feature(name: &str) -> bool {
    // SAFETY: the text ends in a NUL and lives until the call returns.
    c_string("name", name).map_or(false, |name| unsafe { sys::cede_has_feature(name.as_ptr()) } == 1)
}

/// An option of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineOption {
    /// What [`Builder::option`](crate::Builder::option) takes.
    pub name: &'static str,
    /// Its value if nothing is said.
    pub default: &'static str,
    /// What it is for.
    pub help: &'static str,
}

/// The options that an engine knows.
///
/// ```
/// assert!(cede::options().iter().any(|option| option.name == "threads"));
/// ```
pub fn options() -> Vec<EngineOption> {
    // SAFETY: no index is beyond the last; these texts live as long as the library.
    (0..unsafe { sys::cede_option_count() })
        .map(|index| unsafe {
            EngineOption {
                name: lasting(sys::cede_option_name(index)),
                default: lasting(sys::cede_option_default(index)),
                help: lasting(sys::cede_option_help(index)),
            }
        })
        .collect()
}

/// A profile that a policy may name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Its name in a policy.
    pub name: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// What can be set in it.
    pub settings: Vec<Setting>,
}

/// A setting of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// Its name in a policy.
    pub name: &'static str,
    /// "none" if there is none; a remark may follow after "; ".
    pub default: &'static str,
    /// "duration", "count", "flag" and so on.
    pub unit: &'static str,
    /// What is allowed.
    pub range: &'static str,
    /// Whose queue it is read from: "requester", "victim" or "both".
    pub side: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

/// The profiles that a policy may name, and every setting of each.
///
/// ```
/// let profiles = cede::profiles();
/// let quota = profiles.iter().find(|profile| profile.name == "quota").unwrap();
/// assert!(quota.settings.iter().any(|setting| setting.name == "grace"));
/// ```
pub fn profiles() -> Vec<Profile> {
    // SAFETY: no index is beyond the last; these texts live as long as the library.
    (0..unsafe { sys::cede_profile_count() })
        .map(|profile| unsafe {
            let text = |setting, what| lasting(sys::cede_setting_text(profile, setting, what));
            Profile {
                name: lasting(sys::cede_profile_name(profile)),
                help: lasting(sys::cede_profile_help(profile)),
                settings: (0..sys::cede_setting_count(profile))
                    .map(|setting| Setting {
                        name: text(setting, sys::CEDE_SETTING_NAME),
                        default: text(setting, sys::CEDE_SETTING_DEFAULT),
                        unit: text(setting, sys::CEDE_SETTING_UNIT),
                        range: text(setting, sys::CEDE_SETTING_RANGE),
                        side: text(setting, sys::CEDE_SETTING_SIDE),
                        help: text(setting, sys::CEDE_SETTING_HELP),
                    })
                    .collect(),
            }
        })
        .collect()
}

verdict! {
    /// The documents that an engine takes.
    DocumentKind {
        /// `cede-cluster/1`, for [`Engine::load`](crate::Engine::load).
        Cluster = CEDE_DOCUMENT_CLUSTER,
        /// `cede-changes/1`, for [`Engine::apply`](crate::Engine::apply).
        Changes = CEDE_DOCUMENT_CHANGES,
        /// `cede-policy/1`, for [`Engine::set_policy`](crate::Engine::set_policy).
        Policy = CEDE_DOCUMENT_POLICY,
    }
}

/// The format that a text names in "format". Reads no further than it must.
///
/// ```
/// use cede::{document_kind, DocumentKind};
///
/// assert_eq!(document_kind(r#"{"format": "cede-policy/1"}"#)?, DocumentKind::Policy);
/// # Ok::<(), cede::Error>(())
/// ```
pub fn document_kind(text: impl AsRef<[u8]>) -> Result<DocumentKind> {
    let text = text.as_ref();
    let mut kind = 0;
    check(|error| {
        // SAFETY: the text lives until the call returns.
        kind = unsafe { sys::cede_document_kind(start(text), text.len(), error) };
        kind
    })?;
    Ok(DocumentKind::from_raw(kind))
}

/// A text that lives as long as the library, which is never unloaded.
pub(crate) fn lasting(text: *const c_char) -> &'static str {
    borrowed(&(), text).unwrap_or("")
}
