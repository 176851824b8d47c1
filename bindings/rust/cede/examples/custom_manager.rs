// SPDX-License-Identifier: MIT
//! A small resource manager that speaks documents: load, plan, commit, step, save, and a crash in between. It has no
//! processes: `perform` shows where a real manager would act on them.
//!
//!     cargo run --example custom_manager

use cede::{Action, ActionKind, Engine, Outcome, Step, Time};
use std::time::Duration;

const POLICY: &str = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}"#;
const CLUSTER: &str = r#"{"format": "cede-cluster/1", "now": 1760000000,
  "groups": [{"id": "g", "policy": "default"}], "queues": [{"id": "root"}],
  "nodes": [{"id": "n1", "resources": {"gpu": 8}}],
  "jobs": [
    {"id": "low", "queue": "root", "class": 2, "state": "running", "started": 1759990000,
     "checkpoint": {"mode": "auto"},
     "tasks": [{"node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
    {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
     "tasks": [{"resources": {"gpu": 4}}]}]}"#;
const STOPPED: &str = r#"{"format": "cede-changes/1", "remove": {"jobs": ["low"]}}"#;
const REQUEUED: &str = r#"{"format": "cede-changes/1", "put": {"jobs": [{"id": "low", "queue": "root", "class": 2,
  "submitted": 1759990000, "resume": true, "preempted_count": 1, "checkpoint": {"mode": "auto"},
  "tasks": [{"resources": {"gpu": 8}}]}]}}"#;

struct Manager {
    engine: Engine,
    now: Time,
    saved: Vec<u8>, // a real manager writes this to a disk
    events: Vec<String>,
}

impl Manager {
    fn tell(&mut self, event: &str, job: &str) {
        self.events.push(format!(r#"{{"event": "{}", "job": "{}"}}"#, event, job));
    }

    /// Performs one action and reports the result: first the change of the cluster, then the event.
    fn perform(&mut self, step: &Step, index: usize, action: &Action) -> cede::Result<bool> {
        let job = step.job(index).unwrap_or("");
        let mut started = false;
        match action.kind() {
            ActionKind::CheckpointHint => {
                println!("hint to {} for {}", job, step.preemptor(index).unwrap_or(""));
                self.tell("checkpoint-done", job); // a real job needs time and reports this itself
            }
            ActionKind::Suspend => {
                println!("stop {}", job);
                self.engine.apply(STOPPED)?;
                self.tell("released", job);
            }
            ActionKind::Requeue => {
                println!("{} waits again, {}", job, if action.resume() { "to resume" } else { "from the beginning" });
                self.engine.apply(REQUEUED)?;
            }
            ActionKind::Start => {
                let places = step.places()?;
                for ((_, node), place) in step.placement(index).zip(action.places(&places)) {
                    println!("start {} on {}, devices {:#x}", job, node, place.gpus());
                }
                self.tell("started", job);
                started = true;
            }
            _ => {}
        }
        self.events.push(format!(r#"{{"event": "action-done", "action": {}}}"#, action.id().get()));
        Ok(started)
    }

    /// Reports what has happened since the last step, saves, and does what is to be done now.
    fn turn(&mut self) -> cede::Result<bool> {
        let events = format!(r#"{{"format": "cede-events/1", "events": [{}]}}"#, self.events.join(","));
        let step = self.engine.step_document(self.now, Some(&events))?;
        self.events.clear();
        self.saved = self.engine.save()?.to_vec();
        let mut started = false;
        for (index, action) in step.actions()?.iter().enumerate() {
            started |= self.perform(&step, index, action)?;
        }
        self.now = self.now + Duration::from_secs(1);
        Ok(started)
    }
}

fn main() -> cede::Result<()> {
    let now = Time::from_millis(1_760_000_000_000);
    let mut manager = Manager { engine: Engine::new(POLICY)?, now, saved: Vec::new(), events: Vec::new() };
    manager.engine.load(CLUSTER)?;
    let plan = manager.engine.ask().at(now).plan("high")?;
    println!("{}", plan.reason());
    assert_eq!(plan.outcome(), Outcome::Preempt);
    manager.engine.commit(&plan, now, None)?;
    manager.turn()?;

    // As after a crash: a new engine, the state that was saved, the cluster as it is now.
    manager.events.clear();
    manager.engine = Engine::new(POLICY)?;
    manager.engine.restore(&manager.saved)?;
    manager.engine.load(CLUSTER)?;
    println!("restored");
    while !manager.turn()? {}
    manager.turn()?; // the last answers
    manager.turn()?;
    println!("{} entries left", manager.engine.in_flight()?.count());
    Ok(())
}
