// SPDX-License-Identifier: MIT
//! What a call costs from Rust: bindings_bench.c says what is measured.

use cede::{Amount, Engine, Group, Job, JobState, Name, Node, Outcome, Queue, Resources, Task, Time};
use std::os::raw::c_long;
use std::time::Duration;

const NODES: usize = 1000;
const DEVICES: usize = 8;
const PLANS: usize = 1000;
const PUTS: usize = 5;
const JOBS: usize = 100_000;
const NOW: Time = Time::from_millis(1_760_000_000_000);

/// Processor time in microseconds; std only has the time on the wall.
fn clock_micros() -> f64 {
    extern "C" {
        fn clock() -> c_long;
    }
    // SAFETY: takes nothing. POSIX has it in millionths of a second.
    unsafe { clock() as f64 }
}

fn gpus(engine: &mut Engine, count: usize) -> cede::Result<Resources> {
    let gpu = engine.name("gpu")?;
    engine.resources(&[(gpu, Amount::whole(count as i64))])
}

/// Nodes, a queue, and on every device a job of one task.
fn full_cluster() -> cede::Result<Engine> {
    let policy = r#"{"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}}"#;
    let mut engine = Engine::builder().policy(policy).threads(1).build()?;
    let (group, policy, root) = (engine.name("g")?, engine.name("default")?, engine.name("root")?);
    let (all, one) = (gpus(&mut engine, DEVICES)?, gpus(&mut engine, 1)?);
    engine.set_now(NOW)?;
    engine.put_groups(&[Group::default().name(group).policy(policy)])?;
    engine.put_queues(&[Queue::default().name(root)])?;
    let names = engine.names((0..NODES).map(|index| format!("n{}", index)))?;
    let nodes: Vec<Node> = names.iter().map(|&name| Node::default().name(name).resources(all)).collect();
    engine.put_nodes(&nodes)?;
    let running = Job::default().queue(root).state(JobState::Running).task_count(1);
    let jobs = engine.names((0..NODES * DEVICES).map(|index| format!("running{}", index)))?;
    let jobs: Vec<Job> = jobs
        .iter()
        .enumerate()
        .map(|(index, &name)| {
            let started = NOW - Duration::from_secs(600 + index as u64 % 3600);
            running.name(name).class(1 + index as i32 % 5).started(started)
        })
        .collect();
    let tasks: Vec<Task> = (0..NODES * DEVICES)
        .map(|index| Task::default().node(names[index / DEVICES]).resources(one).gpus(1 << (index % DEVICES)))
        .collect();
    engine.put_jobs(&jobs, &tasks)?;
    Ok(engine)
}

fn measure_plan(engine: &mut Engine) -> cede::Result<()> {
    let (train, root, three) = (engine.name("train")?, engine.name("root")?, gpus(engine, 3)?);
    let job = Job::default().name(train).queue(root).class(8).value(Amount::whole(1000));
    engine.put_job(job, &[Task::default().resources(three)])?;
    let start = clock_micros();
    let mut sum = 0;
    for _ in 0..PLANS {
        let plan = engine.ask_numbers().plan(train)?;
        assert_eq!(plan.outcome(), Outcome::Preempt, "{}", plan.reason());
        sum += plan.victims()?.len() + plan.places()?.len();
    }
    println!("plan {:.3}", (clock_micros() - start) / PLANS as f64);
    assert_eq!(sum, PLANS * 4);
    Ok(())
}

fn measure_put(engine: &mut Engine) -> cede::Result<()> {
    let (root, one) = (engine.name("root")?, gpus(engine, 1)?);
    let names: Vec<Name> = engine.names((0..JOBS).map(|index| format!("waiting{}", index)))?;
    let mut best = f64::MAX;
    for _ in 0..PUTS {
        let mut copy = engine.try_clone()?;
        let start = clock_micros();
        let waiting = Job::default().queue(root).task_count(1);
        let jobs: Vec<Job> = names
            .iter()
            .enumerate()
            .map(|(index, &name)| {
                let submitted = Time::from_millis(1_759_990_000_000 + index as i64);
                waiting.name(name).class(index as i32 % 10).submitted(submitted)
            })
            .collect();
        let tasks = vec![Task::default().resources(one); JOBS];
        copy.put_jobs(&jobs, &tasks)?;
        drop((jobs, tasks));
        best = best.min(clock_micros() - start);
    }
    println!("put {:.0}", best);
    Ok(())
}

fn main() -> cede::Result<()> {
    let mut engine = full_cluster()?;
    measure_plan(&mut engine)?;
    measure_put(&mut engine)
}
