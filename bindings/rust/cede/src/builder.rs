// SPDX-License-Identifier: MIT
//! How an engine is made.

use crate::engine::Engine;
use crate::error::Result;
use crate::log::{Callback, Level};
use crate::text::c_string;
use std::fmt;

/// Makes an [`Engine`] with options.
///
/// ```
/// let policy = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}"#;
/// let engine = cede::Engine::builder().policy(policy).threads(2).build()?;
/// assert_eq!(engine.revision(), 1);
/// # Ok::<(), cede::Error>(())
/// ```
#[derive(Default)]
#[must_use]
pub struct Builder {
    policy: Option<Vec<u8>>,
    options: Vec<String>,
    log: Option<Callback>,
}

impl Builder {
    /// A `cede-policy/1` document. Without one, the engine loads, checks and exports clusters, and does not check what
    /// depends on a policy.
    pub fn policy(mut self, document: impl AsRef<[u8]>) -> Builder {
        self.policy = Some(document.as_ref().to_vec());
        self
    }

    /// An option by its name; [`options`](crate::options) lists them.
    pub fn option(mut self, name: &str, value: impl ToString) -> Builder {
        self.options.push(format!("{}={}", name, value.to_string()));
        self
    }

    /// How many threads plan.
    pub fn threads(self, count: usize) -> Builder {
        self.option("threads", count)
    }

    /// The callback for the log: see [`Engine::set_log`].
    pub fn log(mut self, callback: impl Fn(Level, &str) + Send + Sync + 'static) -> Builder {
        self.log = Some(Box::new(callback));
        self
    }

    /// Makes the engine.
    pub fn build(self) -> Result<Engine> {
        let texts = self.options.iter().map(|option| c_string("option", option)).collect::<Result<Vec<_>>>()?;
        let options: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
        let mut engine = Engine::make(self.policy.as_deref(), &options)?;
        if let Some(log) = self.log {
            engine.set_log(log)?;
        }
        Ok(engine)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("policy", &self.policy.is_some()).field("options", &self.options).finish()
    }
}
