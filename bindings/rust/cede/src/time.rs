// SPDX-License-Identifier: MIT
//! Times and durations in milliseconds.

use crate::sys;
use std::fmt;
use std::ops::{Add, Sub};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time in milliseconds since 1970. The library never reads a clock: the caller says what time it is.
///
/// ```
/// use cede::Time;
/// use std::time::{Duration, SystemTime};
///
/// let now = Time::from_millis(1_760_000_000_000);
/// assert_eq!((now + Duration::from_secs(90)).since(now), Some(Duration::from_secs(90)));
/// assert!(Time::from(SystemTime::now()) > now);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// The cluster's own time: the latest that a document, [`set_now`](crate::Engine::set_now) or a step has said.
    pub const OF_CLUSTER: Time = Time(sys::CEDE_NOW_OF_CLUSTER);

    /// A time in milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Time {
        Time(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// How long this time is after `earlier`; `None` if it is before.
    pub fn since(self, earlier: Time) -> Option<Duration> {
        self.0.checked_sub(earlier.0).and_then(|millis| u64::try_from(millis).ok()).map(Duration::from_millis)
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Time {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Time(millis(after)),
            Err(before) => Time(-millis(before.duration())),
        }
    }
}

impl Add<Duration> for Time {
    type Output = Time;

    fn add(self, duration: Duration) -> Time {
        Time(self.0.saturating_add(millis(duration)))
    }
}

impl Sub<Duration> for Time {
    type Output = Time;

    fn sub(self, duration: Duration) -> Time {
        Time(self.0.saturating_sub(millis(duration)))
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Time::OF_CLUSTER => f.write_str("Time::OF_CLUSTER"),
            Time(millis) => write!(f, "Time({} ms)", millis),
        }
    }
}

/// Whole milliseconds; a duration that no field could hold is the longest there is, which the library refuses.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
