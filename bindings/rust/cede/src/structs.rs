// SPDX-License-Identifier: MIT
//! What the structs of the C ABI are made of. A struct of this crate is the C struct itself with other ways in and out:
//! slices of it are passed as they are.

use crate::number::{ActionId, Amount, EntryId, Name};
use crate::time::{millis, Time};
use crate::{error, sys};
use std::time::Duration;

/// A struct of this crate that is a C struct in memory.
///
/// # Safety
/// `Self` is `repr(transparent)` over `Raw`, and every value of `Raw` is a valid one.
pub(crate) unsafe trait Wraps: Copy {
    type Raw: Copy;
}

/// The start of an array for the C ABI.
pub(crate) fn start<T: Wraps>(all: &[T]) -> *const T::Raw {
    all.as_ptr().cast()
}

/// A call that writes the first elements of an array and says how many there are.
type Fill<H, R> = unsafe extern "C" fn(*const H, *mut R, usize, usize, *mut usize, *mut sys::cede_error) -> i32;

/// Everything that such a call gives.
pub(crate) fn fetch<H, T: Wraps>(handle: *const H, fill: Fill<H, T::Raw>) -> error::Result<Vec<T>> {
    let size = std::mem::size_of::<T>();
    let mut count = 0;
    // SAFETY: with a capacity of 0 nothing is written.
    error::check(|error| unsafe { fill(handle, std::ptr::null_mut(), size, 0, &mut count, error) })?;
    let mut all: Vec<T> = Vec::with_capacity(count);
    let room = all.as_mut_ptr().cast();
    // SAFETY: there is room for `count` elements. A handle with arrays is immutable: there are no more.
    error::check(|error| unsafe { fill(handle, room, size, count, std::ptr::null_mut(), error) })?;
    // SAFETY: the call has written all of them.
    unsafe { all.set_len(count) };
    Ok(all)
}

/// The elements that belong to one of an array's owners.
pub(crate) fn part<T>(all: &[T], first: u32, count: u32) -> &[T] {
    let first = first as usize;
    all.get(first..first.saturating_add(count as usize)).unwrap_or(&[])
}

/// A value that goes into a field; 0 is "not given".
pub(crate) trait Input<Raw> {
    fn input(self) -> Raw;
}

/// A value that is read from a field.
pub(crate) trait Answer<Raw> {
    fn answer(raw: Raw) -> Self;
}

impl<N: crate::Number> Input<u32> for N {
    fn input(self) -> u32 {
        self.get()
    }
}

macro_rules! plain {
    ($($type:ty,)*) => {
        $(impl Input<$type> for $type {
            fn input(self) -> $type {
                self
            }
        }

        impl Answer<$type> for $type {
            fn answer(raw: $type) -> $type {
                raw
            }
        })*
    };
}
plain! { i32, u32, i64, u64, }

/// CEDE_YES or CEDE_NO.
impl Input<i32> for bool {
    fn input(self) -> i32 {
        if self {
            sys::CEDE_YES
        } else {
            sys::CEDE_NO
        }
    }
}

/// 1 or 0.
impl Answer<i32> for bool {
    fn answer(raw: i32) -> bool {
        raw != 0
    }
}

impl Input<i64> for Time {
    fn input(self) -> i64 {
        self.millis()
    }
}

impl Input<i64> for Duration {
    fn input(self) -> i64 {
        millis(self)
    }
}

impl Input<i64> for Amount {
    fn input(self) -> i64 {
        self.in_thousandths()
    }
}

impl Answer<i64> for Amount {
    fn answer(raw: i64) -> Amount {
        Amount::thousandths(raw)
    }
}

impl Answer<i64> for Time {
    fn answer(raw: i64) -> Time {
        Time::from_millis(raw)
    }
}

impl Answer<i64> for Option<Time> {
    fn answer(raw: i64) -> Option<Time> {
        Some(raw).filter(|&raw| raw != sys::CEDE_NONE).map(Time::from_millis)
    }
}

impl Answer<i64> for Option<i64> {
    fn answer(raw: i64) -> Option<i64> {
        Some(raw).filter(|&raw| raw != sys::CEDE_NONE)
    }
}

impl Answer<u32> for Name {
    fn answer(raw: u32) -> Name {
        Name::assigned(raw)
    }
}

impl Answer<u32> for Option<Name> {
    fn answer(raw: u32) -> Option<Name> {
        Some(raw).filter(|&raw| raw != 0).map(Name::assigned)
    }
}

impl Answer<u32> for usize {
    fn answer(raw: u32) -> usize {
        raw as usize
    }
}

/// A position that is not always known.
impl Answer<u32> for Option<u32> {
    fn answer(raw: u32) -> Option<u32> {
        Some(raw).filter(|&raw| raw != u32::MAX)
    }
}

impl Answer<u64> for EntryId {
    fn answer(raw: u64) -> EntryId {
        EntryId::new(raw)
    }
}

impl Answer<u64> for Option<EntryId> {
    fn answer(raw: u64) -> Option<EntryId> {
        Some(raw).filter(|&raw| raw != 0).map(EntryId::new)
    }
}

impl Answer<u64> for ActionId {
    fn answer(raw: u64) -> ActionId {
        ActionId::new(raw)
    }
}

/// An enum that callers choose from.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $constant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $variant,)*
        }

        impl $name {
            pub(crate) fn raw(self) -> i32 {
                match self {
                    $($name::$variant => $crate::sys::$constant,)*
                }
            }
        }

        impl $crate::structs::Input<i32> for $name {
            fn input(self) -> i32 {
                self.raw()
            }
        }
    };
}

/// An enum that the library answers with.
macro_rules! verdict {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $constant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$about])* $variant,)*
            /// A value of a newer library.
            Other(i32),
        }

        impl $name {
            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: i32) -> $name {
                match raw {
                    $($crate::sys::$constant => $name::$variant,)*
                    other => $name::Other(other),
                }
            }
        }

        impl $crate::structs::Answer<i32> for $name {
            fn answer(raw: i32) -> $name {
                $name::from_raw(raw)
            }
        }

        /// 0 is "none".
        impl $crate::structs::Answer<i32> for Option<$name> {
            fn answer(raw: i32) -> Option<$name> {
                Some(raw).filter(|&raw| raw != 0).map($name::from_raw)
            }
        }
    };
}

/// An enum for both ways.
macro_rules! both_ways {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $constant:ident,)* }) => {
        verdict! { $(#[$meta])* $name { $($(#[$about])* $variant = $constant,)* } }

        impl $crate::structs::Input<i32> for $name {
            fn input(self) -> i32 {
                match self {
                    $($name::$variant => $crate::sys::$constant,)*
                    $name::Other(other) => other,
                }
            }
        }
    };
}

/// A struct that callers fill: a method per field, each of which takes a value or `None`. A field that is named with a
/// bit tells a 0 that was given from a field that was not.
macro_rules! request {
    (
        $(#[$meta:meta])* $name:ident($raw:ident) {
            $($(#[$about:meta])* $method:ident => $field:ident: $type:ty $(, 0 is $bit:ident)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(pub(crate) $crate::sys::$raw);

        // SAFETY: transparent, and all of its fields are integers.
        unsafe impl $crate::structs::Wraps for $name {
            type Raw = $crate::sys::$raw;
        }

        impl $name {
            $($(#[$about])*
            #[must_use]
            pub fn $method(mut self, value: impl Into<Option<$type>>) -> Self {
                let value: Option<$type> = value.into();
                let given = value.is_some();
                self.0.$field = value.map_or(0, $crate::structs::Input::input);
                let _unless_it_has_a_bit = given;
                $(
                    let bit = $crate::sys::$bit as u32;
                    self.0.zero &= !bit;
                    if given && self.0.$field == 0 {
                        self.0.zero |= bit;
                    }
                )?
                self
            })*
        }
    };
}

/// A struct that the library fills: a method per field.
macro_rules! answer {
    (
        $(#[$meta:meta])* $name:ident($raw:ident) {
            $($(#[$about:meta])* $method:ident => $field:ident: $type:ty;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(pub(crate) $crate::sys::$raw);

        // SAFETY: transparent, and all of its fields are integers.
        unsafe impl $crate::structs::Wraps for $name {
            type Raw = $crate::sys::$raw;
        }

        impl $name {
            $($(#[$about])*
            pub fn $method(&self) -> $type {
                $crate::structs::Answer::answer(self.0.$field)
            })*
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($method), &self.$method()))*.finish()
            }
        }
    };
}
