// SPDX-License-Identifier: MIT
//! A small resource manager that speaks arrays only. Names are given to the engine once, at the beginning; from there
//! on everything is a number: the cluster, the plan, events, actions and what they lead to. It has no processes:
//! `perform` shows where a real manager would act on them.
//!
//!     cargo run --example array_manager

use cede::{
    Action, ActionKind, Amount, CheckpointMode, Engine, Event, Events, Group, Job, JobState, Name, Node, Outcome,
    Place, Plan, Queue, Resources, Task, Time,
};
use std::time::Duration;

const POLICY: &str = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}"#;

/// A job of one task, as this manager keeps it.
struct Known {
    job: Job,
    task: Task,
}

struct Manager {
    engine: Engine,
    now: Time,
    low: Known,
    high: Known,
    names: Vec<Name>,
    events: Events,
}

fn gpus(engine: &mut Engine, gpu: Name, count: i64) -> cede::Result<Resources> {
    engine.resources(&[(gpu, Amount::whole(count))])
}

impl Manager {
    fn new(now: Time) -> cede::Result<Manager> {
        let mut engine = Engine::new(POLICY)?;
        let names = engine.names(["root", "gpu", "g", "default", "n1", "low", "high", "worker"])?;
        let [root, gpu, group, policy, node, low, high, worker] =
            <[Name; 8]>::try_from(&names[..]).expect("as many as were asked for");
        let (eight, four) = (gpus(&mut engine, gpu, 8)?, gpus(&mut engine, gpu, 4)?);

        engine.set_now(now)?;
        engine.put_groups(&[Group::default().name(group).policy(policy)])?;
        engine.put_queues(&[Queue::default().name(root)])?;
        engine.put_nodes(&[Node::default().name(node).resources(eight)])?;
        let started = now - Duration::from_secs(10_000);
        let low = Known {
            job: Job::default()
                .name(low)
                .queue(root)
                .class(2)
                .state(JobState::Running)
                .submitted(started)
                .started(started)
                .checkpoint_mode(CheckpointMode::Auto),
            task: Task::default().name(worker).node(node).resources(eight).gpus(0xff),
        };
        let high = Known {
            job: Job::default()
                .name(high)
                .queue(root)
                .class(8)
                .value(Amount::whole(100))
                .submitted(now - Duration::from_secs(1_000)),
            task: Task::default().name(worker).resources(four),
        };
        engine.put_job(low.job, &[low.task])?;
        engine.put_job(high.job, &[high.task])?;
        Ok(Manager { engine, now, low, high, names, events: Events::new() })
    }

    /// Performs one action and reports the result: first the change of the cluster, then the event.
    fn perform(&mut self, action: &Action, places: &[Place]) -> cede::Result<bool> {
        let mut started = false;
        match (action.kind(), action.job()) {
            (ActionKind::CheckpointHint, Some(job)) => {
                println!("hint to job {} for job {}", job.get(), action.target().get());
                self.events.push(Event::checkpoint_done(job)); // a real job needs time and reports this itself
            }
            (ActionKind::Suspend, Some(job)) => {
                println!("stop job {}", job.get());
                self.events.push(Event::released(job));
            }
            (ActionKind::Requeue, Some(job)) => {
                let how = if action.resume() { "to resume" } else { "from the beginning" };
                println!("job {} waits again, {}", job.get(), how);
                self.low.job = self
                    .low
                    .job
                    .state(JobState::Pending)
                    .started(None)
                    .submitted(action.submitted())
                    .waiting_since(action.waiting_since())
                    .preempted_count(action.preempted_count())
                    .resume(action.resume());
                self.low.task = self.low.task.node(None).gpus(None);
                self.engine.put_job(self.low.job, &[self.low.task])?;
            }
            (ActionKind::Start, Some(job)) => {
                let place = action.places(places)[0];
                println!("start job {} on node {}, devices {:#x}", job.get(), place.node().get(), place.gpus());
                self.high.job = self.high.job.state(JobState::Running).started(self.now);
                self.high.task = self.high.task.node(place.node()).gpus(place.gpus());
                self.engine.put_job(self.high.job, &[self.high.task])?;
                self.events.push(Event::started(job));
                started = true;
            }
            _ => {} // release-hold: this manager keeps nothing off the node, so it drops nothing
        }
        self.events.push(Event::action_done(action.id()));
        Ok(started)
    }

    /// Reports what has happened since the last step, and does what is to be done now.
    fn turn(&mut self) -> cede::Result<bool> {
        let step = self.engine.step(self.now, &self.events)?;
        self.events.clear();
        let (actions, places) = (step.actions()?, step.places()?);
        let mut started = false;
        for action in &actions {
            started |= self.perform(action, &places)?;
        }
        self.now = self.now + Duration::from_secs(1);
        Ok(started)
    }
}

/// What the plan says, without any document.
fn show(plan: &Plan) -> cede::Result<()> {
    let facts = plan.facts()?;
    let wait = facts.expected_start().and_then(|start| start.since(facts.now())).map_or(0, |wait| wait.as_secs());
    println!(
        "plan for job {}: {} of {} criteria proven, expected in {} s",
        facts.target().get(),
        facts.proven(),
        facts.criterion_count(),
        wait
    );
    for victim in plan.victims()? {
        println!("victim: job {}, cost {}", victim.job().get(), victim.cost());
    }
    Ok(())
}

fn main() -> cede::Result<()> {
    let mut manager = Manager::new(Time::from_millis(1_760_000_000_000))?;
    let high = manager.names[6];
    let plan = manager.engine.ask_numbers().at(manager.now).plan(high)?;
    show(&plan)?;
    assert_eq!(plan.outcome(), Outcome::Preempt);
    manager.engine.commit(&plan, manager.now, None)?;
    while !manager.turn()? {}
    manager.turn()?; // the last answers
    manager.turn()?;
    println!("{} entries left", manager.engine.in_flight()?.count());
    let names = std::mem::take(&mut manager.names);
    manager.engine.forget(&names)?;
    Ok(())
}
