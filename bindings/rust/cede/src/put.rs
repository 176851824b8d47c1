// SPDX-License-Identifier: MIT
//! The cluster in arrays: each call is one change, all or nothing.

use crate::cluster::{Budget, Domain, Group, Node, Queue, Reservation};
use crate::engine::Engine;
use crate::error::{check, Error, Remark, Result};
use crate::job::{Job, Task, TaskName};
use crate::number::{self, Name};
use crate::structs::{start, Wraps};
use crate::sys;
use crate::text;
use crate::time::Time;
use std::mem::size_of;

type Put<R> = unsafe extern "C" fn(*mut sys::cede_engine, *const R, usize, usize, *mut sys::cede_error) -> i32;
type ByNames = unsafe extern "C" fn(*mut sys::cede_engine, *const u32, usize, *mut sys::cede_error) -> i32;

/// The cluster in arrays. Every entry replaces the whole object of its name or adds it. What it refers to must exist
/// once the call is done; an error names its place as `jobs[17].queue`.
impl Engine {
    /// Sets the cluster's time; a time earlier than the present one is ignored.
    pub fn set_now(&mut self, now: Time) -> Result<Remark> {
        // SAFETY: the handle is valid.
        check(|error| unsafe { sys::cede_engine_set_now(self.get_mut(), now.millis(), error) })
    }

    /// Sets the network's levels, nearest first. They cannot be changed once there is a level, a domain or a job.
    pub fn put_levels(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_put_levels)
    }

    /// Adds a topology under that name: hwloc XML, NCCL XML, or the JSON object of the compact form. hwloc is large: read
    /// untrusted texts in a process that may crash.
    pub fn import_topology(&mut self, name: Name, text: impl AsRef<[u8]>) -> Result<Remark> {
        let text = text.as_ref();
        // SAFETY: the text lives until the call returns.
        check(|error| unsafe {
            sys::cede_engine_import_topology(self.get_mut(), name.get(), text::start(text), text.len(), error)
        })
    }

    /// Puts groups.
    pub fn put_groups(&mut self, groups: &[Group]) -> Result<Remark> {
        self.put(groups, sys::cede_engine_put_groups)
    }

    /// Puts domains of the network.
    pub fn put_domains(&mut self, domains: &[Domain]) -> Result<Remark> {
        self.put(domains, sys::cede_engine_put_domains)
    }

    /// Puts queues.
    pub fn put_queues(&mut self, queues: &[Queue]) -> Result<Remark> {
        self.put(queues, sys::cede_engine_put_queues)
    }

    /// Puts nodes.
    pub fn put_nodes(&mut self, nodes: &[Node]) -> Result<Remark> {
        self.put(nodes, sys::cede_engine_put_nodes)
    }

    /// Puts reservations.
    pub fn put_reservations(&mut self, reservations: &[Reservation]) -> Result<Remark> {
        self.put(reservations, sys::cede_engine_put_reservations)
    }

    /// Puts disruption budgets. Not available yet: see [`Budget`].
    pub fn put_budgets(&mut self, budgets: &[Budget]) -> Result<Remark> {
        self.put(budgets, sys::cede_engine_put_budgets)
    }

    /// Puts jobs with all their tasks. The first job has the first [`task_count`](Job::task_count) entries of `tasks`,
    /// the second job the entries after those, and so on; no entry may be left over.
    pub fn put_jobs(&mut self, jobs: &[Job], tasks: &[Task]) -> Result<Remark> {
        // SAFETY: both arrays live until the call returns.
        check(|error| unsafe {
            sys::cede_engine_put_jobs(
                self.get_mut(),
                start(jobs),
                size_of::<Job>(),
                jobs.len(),
                start(tasks),
                size_of::<Task>(),
                tasks.len(),
                error,
            )
        })
    }

    /// Puts one job with all its tasks.
    pub fn put_job(&mut self, job: Job, tasks: &[Task]) -> Result<Remark> {
        let count = u32::try_from(tasks.len()).map_err(|_| Error::invalid("tasks: more than a job can have"))?;
        self.put_jobs(&[job.task_count(count)], tasks)
    }

    /// Puts single tasks of existing jobs; the rest of the job stays as it is. A task replaces the task of its name in its
    /// job or, if there is none, is added after the last.
    pub fn put_tasks(&mut self, tasks: &[Task]) -> Result<Remark> {
        self.put(tasks, sys::cede_engine_put_tasks)
    }

    /// Removes topologies by name. Each must exist, and nothing may refer to it after all of them are removed; so it is
    /// with everything that is removed.
    pub fn remove_topologies(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_topologies)
    }

    /// Removes domains of the network.
    pub fn remove_domains(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_domains)
    }

    /// Removes groups.
    pub fn remove_groups(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_groups)
    }

    /// Removes reservations.
    pub fn remove_reservations(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_reservations)
    }

    /// Removes queues.
    pub fn remove_queues(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_queues)
    }

    /// Removes nodes.
    pub fn remove_nodes(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_nodes)
    }

    /// Removes disruption budgets.
    pub fn remove_budgets(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_budgets)
    }

    /// Removes jobs with all their tasks.
    pub fn remove_jobs(&mut self, names: &[Name]) -> Result<Remark> {
        self.by_names(names, sys::cede_engine_remove_jobs)
    }

    /// Removes single tasks; the others keep their names. The last task of a job can only be removed with the job.
    pub fn remove_tasks(&mut self, tasks: &[TaskName]) -> Result<Remark> {
        self.put(tasks, sys::cede_engine_remove_tasks)
    }

    fn put<T: Wraps>(&mut self, all: &[T], call: Put<T::Raw>) -> Result<Remark> {
        // SAFETY: the array lives until the call returns.
        check(|error| unsafe { call(self.get_mut(), start(all), size_of::<T>(), all.len(), error) })
    }

    fn by_names(&mut self, names: &[Name], call: ByNames) -> Result<Remark> {
        // SAFETY: the names live until the call returns.
        check(|error| unsafe { call(self.get_mut(), number::start(names), names.len(), error) })
    }
}
