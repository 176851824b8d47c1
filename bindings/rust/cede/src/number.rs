// SPDX-License-Identifier: MIT
//! Numbers that an engine assigns to names and to everything that has more than one value.

use crate::sys;
use std::num::NonZeroU32;

/// A number that an engine has assigned: of a name or of a part. Numbers belong to one engine and its later clones.
pub trait Number: Copy + sealed::Sealed {
    /// The number of the C ABI.
    fn get(self) -> u32;
}

pub(crate) mod sealed {
    /// # Safety
    /// The type is a `u32` in memory.
    pub unsafe trait Sealed {}
}

// 0 is "not given", and the library never answers with it where a number is needed. If it did, this would be taken, which
// no engine assigns: using it is an error of the call, not a panic.
const NEVER_ASSIGNED: NonZeroU32 = match NonZeroU32::new(u32::MAX) {
    Some(number) => number,
    None => unreachable!(),
};

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(NonZeroU32);

        impl $name {
            pub(crate) fn assigned(number: u32) -> $name {
                $name(NonZeroU32::new(number).unwrap_or(NEVER_ASSIGNED))
            }

            /// The number of the C ABI.
            pub fn get(self) -> u32 {
                self.0.get()
            }
        }

        impl Number for $name {
            fn get(self) -> u32 {
                self.0.get()
            }
        }

        // SAFETY: transparent over a NonZeroU32, which is a u32.
        unsafe impl sealed::Sealed for $name {})*
    };
}

numbers! {
    /// The number of a name: of a job, a task, a node, a queue, a resource.
    Name,
    /// The number of a vector of resources: [`Engine::resources`](crate::Engine::resources).
    Resources,
    /// The number of a list of names: [`Engine::list`](crate::Engine::list).
    NameList,
    /// The number of a topology requirement: [`Engine::requirement`](crate::Engine::requirement).
    Requirement,
    /// The number of a queue's settings: [`Engine::queue_settings`](crate::Engine::queue_settings).
    QueueSettings,
    /// The number of a job's settings: [`Engine::job_settings`](crate::Engine::job_settings).
    JobSettings,
    /// The number of a node's labels: [`Engine::labels`](crate::Engine::labels).
    Labels,
    /// The number of a node's fingerprint: [`Engine::fingerprint`](crate::Engine::fingerprint).
    Fingerprint,
}

/// The start of an array of numbers as the C ABI wants it.
pub(crate) fn start<N: Number>(numbers: &[N]) -> *const u32 {
    numbers.as_ptr().cast()
}

/// An amount with three decimals, as the library counts: of a resource, of a cost, of a weight.
///
/// ```
/// use cede::Amount;
///
/// assert_eq!(Amount::whole(8), Amount::thousandths(8000));
/// assert_eq!(Amount::thousandths(1500).to_string(), "1.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

impl Amount {
    /// So many whole ones. Beyond what fits it is the largest there is, which the library refuses.
    pub const fn whole(count: i64) -> Amount {
        Amount(count.saturating_mul(1000))
    }

    /// So many thousandths.
    pub const fn thousandths(count: i64) -> Amount {
        Amount(count)
    }

    /// The amount in thousandths.
    pub const fn in_thousandths(self) -> i64 {
        self.0
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (self.0.unsigned_abs() / 1000, self.0.unsigned_abs() % 1000);
        let digits = format!("{}.{:03}", whole, rest);
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        f.pad_integral(self.0 >= 0, "", digits)
    }
}

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $($(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// As it was told before, for example in a log or a database.
            pub const fn new(number: u64) -> $name {
                $name(number)
            }

            /// The number of the C ABI.
            pub const fn get(self) -> u64 {
                self.0
            }
        })*
    };
}

ids! {
    /// An entry of an engine's ledger. A number is never used twice.
    EntryId,
    /// An action that a step returned. A number is never used twice.
    ActionId,
}

/// How much of a resource.
pub(crate) fn amount(resource: Name, amount: Amount) -> sys::cede_amount {
    sys::cede_amount { amount: amount.in_thousandths(), resource: resource.get(), reserved: 0 }
}
