// SPDX-License-Identifier: MIT
//! Names and parts: given to an engine once, numbers from then on.

use crate::engine::Engine;
use crate::error::{check, Remark, Result};
use crate::number::{
    self, Amount, Fingerprint, JobSettings, Labels, Name, NameList, Number, QueueSettings, Requirement, Resources,
};
use crate::sys;
use crate::text::{borrowed, start};
use std::mem::size_of;

/// Numbers of names and parts.
impl Engine {
    /// The number of a name; equal texts have equal numbers. Does not change the cluster.
    pub fn name(&mut self, text: &str) -> Result<Name> {
        // SAFETY: the text lives until the call returns.
        self.number(|engine, number, error| unsafe {
            sys::cede_engine_name(engine, start(text.as_bytes()), text.len(), number, error)
        })
        .map(Name::assigned)
    }

    /// The numbers of many names, in their order; faster than one call for each. If any is invalid, none is assigned.
    ///
    /// ```
    /// # let policy = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}}"#;
    /// let mut engine = cede::Engine::new(policy)?;
    /// let numbers = engine.names(["n1", "n2", "n1"])?;
    /// assert_eq!(numbers[0], numbers[2]);
    /// assert_eq!(engine.name_text(numbers[1]), Some("n2"));
    /// # Ok::<(), cede::Error>(())
    /// ```
    pub fn names<I>(&mut self, texts: I) -> Result<Vec<Name>>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let mut packed = String::new();
        let mut offsets = vec![0];
        for text in texts {
            packed.push_str(text.as_ref());
            offsets.push(packed.len() as u64);
        }
        let count = offsets.len() - 1;
        let mut numbers = vec![0; count];
        // SAFETY: there are as many numbers as names, and one offset more.
        check(|error| unsafe {
            sys::cede_engine_names_packed(
                self.get_mut(),
                start(packed.as_bytes()),
                packed.len(),
                offsets.as_ptr(),
                count,
                numbers.as_mut_ptr(),
                error,
            )
        })?;
        Ok(numbers.into_iter().map(Name::assigned).collect())
    }

    /// The number of a name, if it has one.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        // SAFETY: the text lives until the call returns.
        let number = unsafe { sys::cede_engine_find_name(self.get(), start(text.as_bytes()), text.len()) };
        Some(number).filter(|&number| number != 0).map(Name::assigned)
    }

    /// The name of a number; `None` if the engine has not assigned it to a name. The text is valid until the engine is
    /// changed, and the compiler sees to that:
    ///
    /// ```compile_fail,E0502
    /// fn rename(engine: &mut cede::Engine, number: cede::Name) -> cede::Result<()> {
    ///     let text = engine.name_text(number);
    ///     engine.forget(&[number])?;
    ///     println!("{:?}", text);
    ///     Ok(())
    /// }
    /// ```
    pub fn name_text(&self, number: Name) -> Option<&str> {
        // SAFETY: the text is valid until the engine is changed, which needs it as mutable.
        borrowed(self, unsafe { sys::cede_engine_name_text(self.get(), number.get()) })
    }

    /// The names of many numbers, in their order.
    pub fn name_texts(&self, numbers: &[Name]) -> Result<Texts> {
        let mut offsets = vec![0; numbers.len() + 1];
        let (first, count) = (number::start(numbers), numbers.len());
        let mut size = 0;
        // SAFETY: with a capacity of 0 no text is written.
        check(|error| unsafe {
            sys::cede_engine_name_texts(
                self.get(),
                first,
                count,
                std::ptr::null_mut(),
                0,
                &mut size,
                offsets.as_mut_ptr(),
                error,
            )
        })?;
        let mut packed = vec![0; size];
        // SAFETY: there is room for `size` bytes, and the engine cannot change in between.
        check(|error| unsafe {
            sys::cede_engine_name_texts(
                self.get(),
                first,
                count,
                packed.as_mut_ptr().cast(),
                size,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                error,
            )
        })?;
        Ok(Texts { packed: String::from_utf8_lossy(&packed).into_owned(), offsets })
    }

    /// The number of a vector of resources, each named once. A resource that is left out is zero; in a limit it is
    /// unlimited.
    pub fn resources(&mut self, amounts: &[(Name, Amount)]) -> Result<Resources> {
        let amounts: Vec<_> = amounts.iter().map(|&(name, amount)| number::amount(name, amount)).collect();
        let size = size_of::<sys::cede_amount>();
        // SAFETY: the amounts live until the call returns.
        self.number(|engine, number, error| unsafe {
            sys::cede_engine_resources(engine, amounts.as_ptr(), size, amounts.len(), number, error)
        })
        .map(Resources::assigned)
    }

    /// The number of a list of names.
    pub fn list(&mut self, names: &[Name]) -> Result<NameList> {
        // SAFETY: the names live until the call returns.
        self.number(|engine, number, error| unsafe {
            sys::cede_engine_list(engine, number::start(names), names.len(), number, error)
        })
        .map(NameList::assigned)
    }

    /// The number of what "require" of a job has in a cluster document: a JSON object.
    pub fn requirement(&mut self, json: &str) -> Result<Requirement> {
        self.part(sys::CEDE_PART_REQUIREMENT, json).map(Requirement::assigned)
    }

    /// The number of what "settings" of a queue has.
    pub fn queue_settings(&mut self, json: &str) -> Result<QueueSettings> {
        self.part(sys::CEDE_PART_QUEUE_SETTINGS, json).map(QueueSettings::assigned)
    }

    /// The number of what "settings" of a job has.
    pub fn job_settings(&mut self, json: &str) -> Result<JobSettings> {
        self.part(sys::CEDE_PART_JOB_SETTINGS, json).map(JobSettings::assigned)
    }

    /// The number of what "labels" of a node has.
    pub fn labels(&mut self, json: &str) -> Result<Labels> {
        self.part(sys::CEDE_PART_LABELS, json).map(Labels::assigned)
    }

    /// The number of a node's fingerprint; a text that does not begin with { is the one fingerprint.
    pub fn fingerprint(&mut self, text: &str) -> Result<Fingerprint> {
        self.part(sys::CEDE_PART_FINGERPRINT, text).map(Fingerprint::assigned)
    }

    /// Gives numbers back, all or none. What is in the cluster stays. The engine may assign such a number again to
    /// something else.
    pub fn forget<N: Number>(&mut self, numbers: &[N]) -> Result<Remark> {
        // SAFETY: the numbers live until the call returns.
        check(|error| unsafe { sys::cede_engine_forget(self.get_mut(), number::start(numbers), numbers.len(), error) })
    }

    fn part(&mut self, kind: i32, text: &str) -> Result<u32> {
        // SAFETY: the text lives until the call returns.
        self.number(|engine, number, error| unsafe {
            sys::cede_engine_part(engine, kind, start(text.as_bytes()), text.len(), number, error)
        })
    }

    fn number(
        &mut self,
        call: impl FnOnce(*mut sys::cede_engine, *mut u32, *mut sys::cede_error) -> i32,
    ) -> Result<u32> {
        let mut number = 0;
        check(|error| call(self.get_mut(), &mut number, error))?;
        Ok(number)
    }
}

/// Many texts in one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    packed: String,
    offsets: Vec<u64>,
}

impl Texts {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them; `None` beyond the last.
    pub fn get(&self, index: usize) -> Option<&str> {
        let (from, until) = (*self.offsets.get(index)?, *self.offsets.get(index.checked_add(1)?)?);
        self.packed.get(from as usize..until as usize)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}
