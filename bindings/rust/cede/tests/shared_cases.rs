// SPDX-License-Identifier: MIT
//! The cases beside the public data, when CEDE_DATA names it: a policy, a cluster, a question, and what must come back.

mod json;

use cede::{Claim, Engine, Plan, Result, Target};
use json::Json;
use std::path::Path;
use std::{env, fs};

fn arguments(words: &[String], name: &str) -> Option<String> {
    words.iter().position(|word| word == name).and_then(|at| words.get(at + 1)).cloned()
}

fn ask(engine: &Engine, question: &Json) -> Result<Plan> {
    if let Some(job) = question.get("job").and_then(Json::text) {
        return engine.plan(job);
    }
    let words = question.get("args").expect("a question").texts();
    let mut asked = engine.ask();
    if let Some(job) = arguments(&words, "--protect") {
        asked = asked.protect(&job);
    }
    if let Some(job) = arguments(&words, "--job") {
        return asked.plan(&job);
    }
    if let Some(target) = arguments(&words, "--relief") {
        let target = match target.split_once(':').expect("a kind and a name") {
            ("node", name) => Target::Node(name),
            ("queue", name) => Target::Queue(name),
            (_, name) => Target::Job(name),
        };
        return asked.relief(target, None);
    }
    let queue = arguments(&words, "--claim").expect("a job, a target or a claim");
    let nodes = arguments(&words, "--nodes").expect("nodes");
    let nodes: Vec<&str> = nodes.split(',').collect();
    let sensitive = arguments(&words, "--reason").as_deref() == Some("sensitive");
    asked.claim(&queue, &nodes, if sensitive { Claim::Sensitive } else { Claim::Reclaim })
}

fn plan(case: &Json) -> Result<Plan> {
    let mut engine = Engine::new(case.get("policy").expect("a policy").write())?;
    engine.load(case.get("cluster").expect("a cluster").write())?;
    ask(&engine, case.get("ask").expect("a question"))
}

/// How many tasks of a job are placed.
fn placed(cluster: &Json, job: &str) -> usize {
    let jobs = cluster.get("jobs").map_or(&[][..], Json::items);
    let job = jobs.iter().find(|each| each.get("id").and_then(Json::text) == Some(job));
    let tasks = job.and_then(|job| job.get("tasks")).map_or(&[][..], Json::items);
    let running = tasks.iter().filter(|task| task.get("node").is_some());
    running.map(|task| task.get("count").and_then(Json::number).unwrap_or(1)).sum()
}

/// Whole jobs by name, single tasks as job/task; one-task jobs always by name.
fn victims(plan: &Plan, cluster: &Json) -> Vec<String> {
    let whole: Vec<bool> = plan.victims().unwrap().iter().map(|victim| victim.whole_job()).collect();
    let mut all = Vec::new();
    for (index, job) in plan.victim_jobs().enumerate() {
        let tasks: Vec<&str> = plan.victim_task_names(index).collect();
        if whole[index] || tasks.len() >= placed(cluster, job).max(1) {
            all.push(job.to_string());
        } else {
            all.extend(tasks.iter().map(|task| format!("{}/{}", job, task)));
        }
    }
    all.sort();
    all
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

/// What is wrong with the answer.
fn faults(case: &Json) -> Vec<String> {
    let expected = case.get("expect").expect("what is expected");
    let plan = match (plan(case), expected.get("error").and_then(Json::text)) {
        (Err(error), Some(part)) if error.text().contains(part) => return Vec::new(),
        (Err(error), _) => return vec![format!("error: {}", error)],
        (Ok(_), Some(part)) => return vec![format!("no error that names '{}'", part)],
        (Ok(plan), None) => plan,
    };
    let document = Json::read(&plan.json().unwrap());
    let found = victims(&plan, case.get("cluster").expect("a cluster"));
    let mut wrong = Vec::new();
    for name in ["outcome", "rule", "cause", "violates"] {
        if expected.get(name).is_some() && document.get(name) != expected.get(name) {
            wrong.push(format!("{}: {:?}, wanted {:?}", name, document.get(name), expected.get(name)));
        }
    }
    if expected.get("victims").map_or(false, |victims| sorted(victims.texts()) != found) {
        wrong.push(format!("victims: {:?}", found));
    }
    if expected.get("victims_count").map_or(false, |count| count.number() != Some(found.len())) {
        wrong.push(format!("victims: {:?}", found));
    }
    if let Some(choices) = expected.get("victims_one_of") {
        if !choices.items().iter().any(|choice| sorted(choice.texts()) == found) {
            wrong.push(format!("victims: {:?}", found));
        }
    }
    if let Some(nodes) = expected.get("nodes") {
        let mut used: Vec<String> = plan.placement().map(|(_, node)| node.to_string()).collect();
        used.sort();
        used.dedup();
        if used != sorted(nodes.texts()) {
            wrong.push(format!("nodes: {:?}", used));
        }
    }
    let entries = document.get("victims").map_or(&[][..], Json::items);
    for each in expected.get("each").map_or(&[][..], Json::items) {
        let entry = entries.iter().find(|entry| entry.get("job") == each.get("job"));
        if let Json::Object(members) = each {
            let differs = |(name, value): &(&String, &Json)| entry.and_then(|entry| entry.get(name)) != Some(value);
            wrong.extend(members.iter().filter(differs).map(|(name, _)| format!("victim's {}: {:?}", name, entry)));
        }
    }
    if let Err(error) = plan.verify() {
        wrong.push(format!("verify: {}", error));
    }
    wrong
}

#[test]
fn every_case_gets_its_answer() {
    let data = match env::var_os("CEDE_DATA") {
        Some(data) => data,
        None => return eprintln!("skipped: CEDE_DATA is not set"),
    };
    let folder = Path::new(&data).join("../cases");
    let files = match fs::read_dir(&folder) {
        Ok(files) => files,
        Err(error) => return eprintln!("skipped: '{}': {}", folder.display(), error),
    };
    let mut wrong = Vec::new();
    let mut asked = 0;
    for file in
        files.map(|file| file.unwrap().path()).filter(|file| file.extension().map_or(false, |end| end == "json"))
    {
        let case = Json::read(&fs::read_to_string(&file).unwrap());
        asked += 1;
        wrong.extend(faults(&case).iter().map(|fault| format!("{}: {}", file.display(), fault)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("{} cases", asked);
}
