// SPDX-License-Identifier: MIT

/*
Package cede decides which running jobs of a cluster give way to a waiting one, and leads them out. It is libcede
for Go; its C header, cede/cede.h, is the manual of what every call decides, and the calls here have its names.

# Two doors

A cluster comes in as documents (Load, Apply) or as slices of plain structs (PutJobs and its neighbours), and what
follows exists in both forms too: Plan or PlanNumber, StepDocument or Step. Documents are []byte, names and sentences
are strings. In structs a name is a Number, which Names hands out. Structs have the layout of the C structs, so a
slice is passed as it is; nothing is copied for each element. 0 means "not given" in every field.

# Goroutines

An Engine may be used by many goroutines at once. Calls that only read (plans, checks, exports, Save, InFlight,
Metrics, looking up names) run beside each other; calls that change something have the engine for themselves. They
are let in in the order in which they came. Exclusive makes several calls one step that nobody can come between,
Shared makes several reads see the same state; both wait no longer than their context allows. A plan, step, ledger,
admission or topology never changes; many goroutines may use one, and Close may come from any of them.

A call into the library cannot be interrupted. A plan does a limited amount of work, about 100 ms (the setting
search_work). To plan for long without holding up changes, plan on a Clone. At most 64 goroutines are inside the
library with one engine at once; more wait without a thread of the system.

# Lifetime

Close what you get: it frees memory of C at once. A finalizer frees what was forgotten, some time later. Numbers,
structs, texts and errors are values of Go and live as long as you like. Calls on something closed fail with
ErrClosed; texts that have no error beside them are empty then.

# Long-lived engines

A manager keeps one engine for its life. It asks for the number of a name when it first meets the object and keeps
it with its own record of it. It puts what has changed, and only that. It gives the number of a job back with Forget
when the job is removed and the ledger is done with it (see Number). Loop leads what is committed: it collects events
from all goroutines, steps the engine when one comes or something is due, saves the state, and then has the actions
performed. After a crash: New, Restore, Load or put the present cluster, and run the Loop again.
*/
package cede
