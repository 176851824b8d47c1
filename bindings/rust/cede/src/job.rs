// SPDX-License-Identifier: MIT
//! Jobs and their tasks, in arrays.

use crate::cluster::Kind;
use crate::number::{Amount, JobSettings, Name, NameList, Requirement, Resources};
use crate::time::Time;
use std::time::Duration;

choice! {
    /// What a job does.
    JobState {
        /// It waits.
        Pending = CEDE_JOB_PENDING,
        /// It runs.
        Running = CEDE_JOB_RUNNING,
        /// It runs and saves its state.
        Checkpointing = CEDE_JOB_CHECKPOINTING,
        /// It is giving way.
        Preempting = CEDE_JOB_PREEMPTING,
        /// It is stopped and keeps its state.
        Suspended = CEDE_JOB_SUSPENDED,
    }
}

choice! {
    /// How a job saves its state.
    CheckpointMode {
        /// Not at all.
        None = CEDE_CHECKPOINT_NONE,
        /// When it is asked to.
        Auto = CEDE_CHECKPOINT_AUTO,
        /// When its owner says so.
        Manual = CEDE_CHECKPOINT_MANUAL,
    }
}

both_ways! {
    /// How a job is asked to save.
    CheckpointVia {
        /// By a signal.
        Signal = CEDE_VIA_SIGNAL,
        /// In shared memory.
        SharedMemory = CEDE_VIA_SHMEM,
        /// By a callback.
        Callback = CEDE_VIA_CALLBACK,
    }
}

both_ways! {
    /// Whether a job may be preempted.
    Preemptible {
        /// It may.
        Yes = CEDE_PREEMPTIBLE_YES,
        /// Never.
        No = CEDE_PREEMPTIBLE_NO,
        /// Only if nothing else helps.
        LastResort = CEDE_PREEMPTIBLE_LAST_RESORT,
    }
}

request! {
    /// A job. What is left out has its default, as in a document.
    ///
    /// ```
    /// use cede::{Job, JobState, Time};
    ///
    /// let waiting = Job::default().priority(0).submitted(Time::from_millis(1_760_000_000_000));
    /// let running = waiting.state(JobState::Running).started(Time::from_millis(1_760_000_060_000));
    /// assert_eq!(running.state(None).started(None), waiting);
    /// ```
    Job(cede_job) {
        /// Its name.
        name => name: Name;
        /// Its queue.
        queue => queue: Name;
        /// Its group; may be left out if there is only one.
        group => group: Name;
        /// The application it belongs to.
        app => app: Name;
        /// Whose it is.
        user => user: Name;
        /// For which project.
        project => project: Name;
        /// For which tenant.
        tenant => tenant: Name;
        /// What it is.
        kind => kind: Kind;
        /// What it does.
        state => state: JobState;
        /// Its priority.
        priority => priority: i32, 0 is CEDE_ZERO_PRIORITY;
        /// Its class, 0 to 10.
        class => job_class: i32, 0 is CEDE_ZERO_CLASS;
        /// What it is worth, in minutes.
        value => value: Amount, 0 is CEDE_ZERO_VALUE;
        /// Its fair share, in 10^-12.
        fair_share => fair_share: i64, 0 is CEDE_ZERO_FAIR_SHARE;
        /// Since when it has been below its fair share.
        below_fair_share_since => below_fair_share_since: Time, 0 is CEDE_ZERO_BELOW_FAIR_SHARE;
        /// When it was submitted.
        submitted => submitted: Time, 0 is CEDE_ZERO_SUBMITTED;
        /// Since when it has been waiting.
        waiting_since => waiting_since: Time, 0 is CEDE_ZERO_WAITING_SINCE;
        /// When it was started.
        started => started: Time, 0 is CEDE_ZERO_STARTED;
        /// When it was resumed.
        resumed => resumed: Time, 0 is CEDE_ZERO_RESUMED;
        /// How long it may run.
        walltime => walltime: Duration, 0 is CEDE_ZERO_WALLTIME;
        /// What it never has more of; an amount of 0 forbids the resource.
        max => max: Resources;
        /// Its settings.
        settings => settings: JobSettings;
        /// What its places must be like.
        require => require: Requirement;
        /// Whether its tasks start together or not at all.
        gang => gang: bool;
        /// How many tasks it needs at least.
        min_tasks => min_tasks: u32;
        /// Whether it may be preempted.
        preemptible => preemptible: Preemptible;
        /// Whether it may preempt.
        may_preempt => may_preempt: bool;
        /// Whether it has something to resume from.
        resume => resume: bool;
        /// Whether it can be interrupted.
        interruptible => interruptible: bool;
        /// How often it was preempted.
        preempted_count => preempted_count: u32;
        /// How it saves its state.
        checkpoint_mode => checkpoint_mode: CheckpointMode;
        /// How it is asked to save.
        checkpoint_via => checkpoint_via: CheckpointVia;
        /// When it saved last.
        checkpoint_last => checkpoint_last: Time, 0 is CEDE_ZERO_CHECKPOINT_LAST;
        /// How long saving takes.
        checkpoint_estimate => checkpoint_estimate: Duration, 0 is CEDE_ZERO_CHECKPOINT_ESTIMATE;
        /// How long saving may take.
        checkpoint_timeout => checkpoint_timeout: Duration, 0 is CEDE_ZERO_CHECKPOINT_TIMEOUT;
        /// How long it takes to start again from what it saved.
        checkpoint_restart => checkpoint_restart: Duration, 0 is CEDE_ZERO_CHECKPOINT_RESTART;
        /// How many of the tasks that are put with it are its own: see [`Engine::put_jobs`](crate::Engine::put_jobs).
        task_count => task_count: u32;
    }
}

request! {
    /// A running task, a waiting task, or several equal waiting tasks.
    Task(cede_task) {
        /// Its job; not needed by [`Engine::put_jobs`](crate::Engine::put_jobs).
        job => job: Name;
        /// Its name, unique in its job; left out: "t" and its position.
        name => name: Name;
        /// Where it runs; left out: it waits.
        node => node: Name;
        /// Where it must run.
        required_node => required_node: Name;
        /// What it has or needs.
        resources => resources: Resources;
        /// So many equal waiting tasks: name#0, name#1 and so on; left out: one task of this name.
        count => count: u32;
        /// Whole devices it holds, bit 0 is device 0. 0: it is known to hold none.
        gpus => gpus: u64, 0 is CEDE_ZERO_GPUS;
        /// How much it holds of its share device, in thousandths, 1 to 999.
        share => share: u32;
        /// Of which device it holds a share.
        share_device => share_device: u32;
        /// When it was started.
        started => started: Time, 0 is CEDE_ZERO_STARTED;
        /// Its own priority.
        priority => priority: i32, 0 is CEDE_ZERO_PRIORITY;
        /// Whether it may be preempted.
        preemptible => preemptible: Preemptible;
        /// Whether it may preempt.
        may_preempt => may_preempt: bool;
        /// Whether it began its application.
        originator => originator: bool;
        /// Of a waiting task: it may go nowhere else. Not available yet.
        only_nodes => only_nodes: NameList;
        /// Of a waiting task: it may not go there. Not available yet.
        avoid_nodes => avoid_nodes: NameList;
        /// Of a running task: whether it is ending; its space counts as coming. Not available yet.
        leaving => leaving: bool;
        /// When it will have left. Not available yet.
        leaving_until => leaving_until: Time, 0 is CEDE_ZERO_LEAVING_UNTIL;
    }
}

request! {
    /// Which task, for [`Engine::remove_tasks`](crate::Engine::remove_tasks).
    TaskName(cede_task_name) {
        /// Its job.
        job => job: Name;
        /// The number of its name; of "t1" if it has none of its own.
        task => task: Name;
    }
}
