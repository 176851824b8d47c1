// SPDX-License-Identifier: MIT
//! A small cluster for the tests: eight GPUs, one job that runs, one that waits.
#![allow(dead_code)]

use cede::{Amount, CheckpointMode, Engine, Group, Job, JobState, Name, Node, Queue, Task, Time};
use std::time::Duration;

pub const POLICY: &str = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}"#;

pub const CLUSTER: &str = r#"{"format": "cede-cluster/1", "now": 1760000000,
  "groups": [{"id": "g", "policy": "default"}], "queues": [{"id": "root"}],
  "nodes": [{"id": "n1", "resources": {"gpu": 8}}],
  "jobs": [
    {"id": "low", "queue": "root", "class": 2, "state": "running", "submitted": 1759990000, "started": 1759990000,
     "checkpoint": {"mode": "auto"},
     "tasks": [{"id": "worker", "node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
    {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
     "tasks": [{"id": "worker", "resources": {"gpu": 4}}]}]}"#;

pub const NOW: Time = Time::from_millis(1_760_000_000_000);

pub fn loaded() -> Engine {
    let mut engine = Engine::new(POLICY).unwrap();
    engine.load(CLUSTER).unwrap();
    engine
}

/// The same cluster in arrays, and the numbers of its names.
pub struct Numbers {
    pub root: Name,
    pub gpu: Name,
    pub node: Name,
    pub low: Name,
    pub high: Name,
    pub worker: Name,
}

pub fn running(numbers: &Numbers) -> Job {
    let started = NOW - Duration::from_secs(10_000);
    Job::default()
        .name(numbers.low)
        .queue(numbers.root)
        .class(2)
        .state(JobState::Running)
        .submitted(started)
        .started(started)
        .checkpoint_mode(CheckpointMode::Auto)
}

pub fn put() -> (Engine, Numbers) {
    let mut engine = Engine::new(POLICY).unwrap();
    let all = engine.names(["root", "gpu", "n1", "low", "high", "worker", "g", "default"]).unwrap();
    let numbers = Numbers { root: all[0], gpu: all[1], node: all[2], low: all[3], high: all[4], worker: all[5] };
    let eight = engine.resources(&[(numbers.gpu, Amount::whole(8))]).unwrap();
    let four = engine.resources(&[(numbers.gpu, Amount::whole(4))]).unwrap();
    engine.set_now(NOW).unwrap();
    engine.put_groups(&[Group::default().name(all[6]).policy(all[7])]).unwrap();
    engine.put_queues(&[Queue::default().name(numbers.root)]).unwrap();
    engine.put_nodes(&[Node::default().name(numbers.node).resources(eight)]).unwrap();
    let waiting = Job::default()
        .name(numbers.high)
        .queue(numbers.root)
        .class(8)
        .value(Amount::whole(100))
        .submitted(NOW - Duration::from_secs(1_000));
    let tasks = [
        Task::default().name(numbers.worker).node(numbers.node).resources(eight).gpus(0xff),
        Task::default().name(numbers.worker).resources(four),
    ];
    engine.put_jobs(&[running(&numbers).task_count(1), waiting.task_count(1)], &tasks).unwrap();
    (engine, numbers)
}
