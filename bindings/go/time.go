// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "time"

// Time is in milliseconds since 1970. In the structs that describe a cluster, 0 means "not given".
type Time int64

const (
	// NowOfCluster stands for the time of the cluster in an argument `now`.
	NowOfCluster Time = C.CEDE_NOW_OF_CLUSTER
	// Never is the value of a Time in an answer that does not exist: never, or not known.
	Never Time = C.CEDE_NONE
)

// None is the value of any other number in an answer that does not exist.
const None int64 = C.CEDE_NONE

// At is t in the form of the library.
func At(t time.Time) Time { return Time(t.UnixMilli()) }

// Time is the opposite of At. The zero time.Time stands for Never.
func (t Time) Time() time.Time {
	if t == Never {
		return time.Time{}
	}
	return time.UnixMilli(int64(t))
}

// Add is t plus d. Never stays Never.
func (t Time) Add(d time.Duration) Time {
	if t == Never {
		return t
	}
	return t + Time(d.Milliseconds())
}

// Millis is a duration in milliseconds. In the structs that describe a cluster, 0 means "not given".
type Millis int64

// For is d in the form of the library: a part of a millisecond is cut off.
func For(d time.Duration) Millis { return Millis(d.Milliseconds()) }

// Duration is the opposite of For.
func (m Millis) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

// Flag is a truth value in an answer: 1 or 0.
type Flag int32

// Set reports whether it is true.
func (f Flag) Set() bool { return f != 0 }
