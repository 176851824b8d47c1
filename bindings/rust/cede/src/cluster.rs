// SPDX-License-Identifier: MIT
//! What a cluster is made of, in arrays: groups, queues, domains, nodes, reservations and budgets.

use crate::number::{Amount, Fingerprint, Labels, Name, NameList, QueueSettings, Resources};
use crate::time::Time;
use std::time::Duration;

choice! {
    /// What a job or the jobs of a queue are.
    Kind {
        /// Work that nobody waits for.
        Batch = CEDE_KIND_BATCH,
        /// Answers requests.
        Inference = CEDE_KIND_INFERENCE,
        /// Somebody sits in front of it.
        Interactive = CEDE_KIND_INTERACTIVE,
        /// Runs until it is stopped.
        Service = CEDE_KIND_SERVICE,
        /// Trains a model.
        Training = CEDE_KIND_TRAINING,
        /// Must not be touched.
        Sensitive = CEDE_KIND_SENSITIVE,
    }
}

choice! {
    /// Who may preempt across the border of a queue.
    QueuePolicy {
        /// As its profile says.
        Default = CEDE_QUEUE_DEFAULT,
        /// Nobody across the border, in or out.
        Fence = CEDE_QUEUE_FENCE,
        /// No preemption at all.
        Disabled = CEDE_QUEUE_DISABLED,
    }
}

choice! {
    /// Whether a node takes jobs.
    NodeState {
        /// It does.
        Up = CEDE_NODE_UP,
        /// Its jobs run on, and no new ones come.
        Drain = CEDE_NODE_DRAIN,
        /// It is gone.
        Down = CEDE_NODE_DOWN,
    }
}

request! {
    /// A group of nodes with one policy.
    Group(cede_group) {
        /// Its name.
        name => name: Name;
        /// The name of its policy.
        policy => policy: Name;
        /// Of the group as a whole, not of a node.
        resources => resources: Resources;
    }
}

request! {
    /// A part of the network.
    Domain(cede_domain) {
        /// Its name.
        name => name: Name;
        /// One of the levels: [`Engine::put_levels`](crate::Engine::put_levels).
        level => level: Name;
        /// A domain of a farther level.
        parent => parent: Name;
    }
}

request! {
    /// A queue.
    Queue(cede_queue) {
        /// Its name.
        name => name: Name;
        /// A queue; only the root has none.
        parent => parent: Name;
        /// What it counts beside its siblings.
        weight => weight: Amount;
        /// Of preemption.
        delay => delay: Duration;
        /// In 10^-12.
        fair_share => fair_share: i64, 0 is CEDE_ZERO_FAIR_SHARE;
        /// What it can always have.
        guaranteed => guaranteed: Resources;
        /// What it never has more of; an amount of 0 forbids the resource.
        max => max: Resources;
        /// Its settings.
        settings => settings: QueueSettings;
        /// What its jobs are.
        kind => kind: Kind;
        /// Who may preempt across its border.
        policy => policy: QueuePolicy;
        /// Added to the priority of its jobs.
        priority_offset => priority_offset: i32;
    }
}

request! {
    /// A node.
    Node(cede_node) {
        /// Its name.
        name => name: Name;
        /// Its group; may be left out if there is only one.
        group => group: Name;
        /// What it has.
        resources => resources: Resources;
        /// The name its topology was imported under.
        topology => topology: Name;
        /// Its place in the network.
        domain => domain: Name;
        /// Further domains.
        network => network: NameList;
        /// The queue it belongs to.
        home => home: Name;
        /// What runs on it: drivers, firmware.
        fingerprint => fingerprint: Fingerprint;
        /// When the fingerprint was taken.
        fingerprint_at => fingerprint_at: Time, 0 is CEDE_ZERO_FINGERPRINT_AT;
        /// Its labels.
        labels => labels: Labels;
        /// Whether it takes jobs.
        state => state: NodeState;
        /// Since when it has been over its capacity.
        overcommit_since => overcommit_since: Time, 0 is CEDE_ZERO_OVERCOMMIT_SINCE;
    }
}

request! {
    /// Nodes that are kept for somebody for a time. Give at most one of queue, user and job.
    Reservation(cede_reservation) {
        /// Its name.
        name => name: Name;
        /// Which nodes.
        nodes => nodes: NameList;
        /// When it begins.
        from => from: Time, 0 is CEDE_ZERO_FROM;
        /// When it ends.
        until => until: Time, 0 is CEDE_ZERO_UNTIL;
        /// The queue that may use it.
        queue => queue: Name;
        /// The user who may use it.
        user => user: Name;
        /// The job that may use it.
        job => job: Name;
    }
}

choice! {
    /// What the limit of a [`Budget`] counts.
    BudgetLimit {
        /// So many tasks may be missing.
        MaxUnavailable = CEDE_BUDGET_MAX_UNAVAILABLE,
        /// So many of a hundred may be missing; rounded up.
        MaxUnavailablePercent = CEDE_BUDGET_MAX_UNAVAILABLE_PERCENT,
        /// So many tasks must run.
        MinAvailable = CEDE_BUDGET_MIN_AVAILABLE,
        /// So many of a hundred must run.
        MinAvailablePercent = CEDE_BUDGET_MIN_AVAILABLE_PERCENT,
    }
}

choice! {
    /// How strict a [`Budget`] is.
    BudgetMode {
        /// Broken only where every other set of victims breaks more.
        Avoid = CEDE_BUDGET_AVOID,
        /// Never broken.
        Forbid = CEDE_BUDGET_FORBID,
    }
}

request! {
    /// A disruption budget: how many tasks may be missing. Give exactly one of apps, jobs and queue; the names need not
    /// exist, because jobs come and go.
    ///
    /// Not available yet: the library refuses budgets with [`ErrorKind::Version`](crate::ErrorKind::Version).
    Budget(cede_budget) {
        /// Its name.
        name => name: Name;
        /// Of which applications.
        apps => apps: NameList;
        /// Of which jobs.
        jobs => jobs: NameList;
        /// Of which queue, with all queues below it.
        queue => queue: Name;
        /// What the limit counts.
        limit_kind => limit_kind: BudgetLimit;
        /// The limit; may be 0.
        limit => limit: u32;
        /// How strict it is.
        mode => mode: BudgetMode;
    }
}
