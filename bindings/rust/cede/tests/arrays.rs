// SPDX-License-Identifier: MIT
//! The array door: the same plans as from documents, and what is special about numbers.

mod scene;

use cede::{
    ActionKind, Amount, Budget, Claim, CostKind, Engine, EntryState, ErrorKind, Event, Events, Job, Name, Outcome,
    Phase, Picture, Purpose, Queue, Target, Task, TaskName, Term, TermKind, VictimAction,
};
use std::time::Duration;

#[test]
fn both_doors_give_the_same_plan() {
    let (arrays, numbers) = scene::put();
    let documents = scene::loaded();
    let left = arrays.ask_numbers().plan(numbers.high).unwrap();
    let right = documents.plan("high").unwrap();
    let without_revision = |text: &str| text.split(", \"revision\"").next().map(str::to_string);
    assert_eq!(without_revision(&left.json().unwrap()), without_revision(&right.json().unwrap()));
    assert_eq!(*arrays.export().unwrap(), *documents.export().unwrap());
}

#[test]
fn a_plan_tells_everything_in_numbers() {
    let (engine, numbers) = scene::put();
    let plan = engine.ask_numbers().at(scene::NOW).plan(numbers.high).unwrap();
    let facts = plan.facts().unwrap();
    assert_eq!((facts.outcome(), facts.purpose(), facts.target()), (Outcome::Preempt, Purpose::Job, numbers.high));
    assert_eq!((facts.now(), facts.revision()), (scene::NOW, engine.revision()));
    assert!(facts.optimal() && facts.proven() == facts.criterion_count());
    assert_eq!((facts.gap_value(), facts.gap_bound()), (None, None));
    assert_eq!((facts.cost(), plan.bound()), (plan.cost(), facts.bound()));
    assert!(facts.expected_start() > Some(scene::NOW));

    let (victims, tasks, parts) = (plan.victims().unwrap(), plan.victim_tasks().unwrap(), plan.cost_parts().unwrap());
    assert_eq!(victims.len(), facts.victim_count());
    let victim = victims[0];
    assert_eq!((victim.job(), victim.hold(), victim.requeue(), victim.whole_job()), (numbers.low, None, true, true));
    assert_eq!((victim.action(), victim.then()), (Some(VictimAction::Checkpoint), Some(VictimAction::Suspend)));
    assert_eq!(victim.cost(), plan.cost());
    let task = victim.tasks(&tasks)[0];
    assert_eq!((task.job(), task.task(), task.position()), (numbers.low, numbers.worker, Some(0)));
    assert_eq!(task.node(), numbers.node);
    let sum: i64 = victim.cost_parts(&parts).iter().map(|part| part.value().in_thousandths()).sum();
    assert_eq!(Amount::thousandths(sum), victim.cost());
    assert!(parts.iter().any(|part| part.kind() == CostKind::Checkpoint && part.victim() == 0));
    assert!(victim.moves(&plan.moves().unwrap()).is_empty());

    let place = plan.places().unwrap()[0];
    assert_eq!((place.job(), place.task()), (Some(numbers.high), Some(numbers.worker)));
    assert_eq!((place.node(), place.gpus(), place.devices_known()), (numbers.node, 0xf, true));
    assert_eq!((place.index(), place.share(), place.whole_node()), (0, 0, false));
    assert_eq!(plan.criteria().unwrap().len(), plan.criterion_names().count());
    assert!(plan.violations().unwrap().is_empty() && plan.after_jobs().unwrap().is_empty());
    assert_eq!((plan.met().count(), plan.missed().count(), plan.after().count()), (0, 0, 0));
    assert_eq!(plan.victim_task_names(0).collect::<Vec<_>>(), ["worker"]);
    assert!(plan.objective().starts_with("[["));
    assert_eq!((plan.profile(), plan.policy(), plan.rule()), ("class-cost", "default", ""));
    assert!(plan.picture(Picture::Text, 0).unwrap().contains("n1"));
    assert!(plan.picture(Picture::Svg, 640).unwrap().starts_with("<svg"));
    assert!(plan.explain().unwrap().len() > plan.json().unwrap().len());
}

#[test]
fn terms_and_other_questions() {
    let (mut engine, numbers) = scene::put();
    let protected = engine.ask_numbers().protect(numbers.low).plan(numbers.high).unwrap();
    assert_eq!(protected.outcome(), Outcome::Wait);
    assert_eq!(engine.ask().protect("low").plan("high").unwrap().outcome(), Outcome::Wait);
    let only = engine.ask_numbers().only(numbers.node).plan(numbers.high).unwrap();
    assert_eq!(only.outcome(), Outcome::Preempt);
    assert_ne!(engine.ask_numbers().avoid(numbers.node).plan(numbers.high).unwrap().outcome(), Outcome::Preempt);
    let both = Term::default().kind(TermKind::Protect).job(numbers.low).node(numbers.node);
    assert_eq!(engine.ask_numbers().term(both).plan(numbers.high).unwrap_err().kind(), ErrorKind::Invalid);
    assert!(engine.ask().refused("worker", "n1").plan("high").is_err(), "not available yet");

    let plans = engine.ask_numbers().batch(&[numbers.high]).unwrap();
    assert_eq!(plans.len(), 1);
    assert!(cede::Plan::batch_json(&plans).unwrap().contains("\"batch\""));
    assert_eq!(engine.ask().batch(&["high"]).unwrap().len(), 1);
    assert!(engine.ask().batch::<&str>(&[]).unwrap().is_empty());

    let relief = engine.ask_numbers().partial().relief(Target::Node(numbers.node), None).unwrap();
    assert_eq!((relief.outcome(), relief.facts().unwrap().purpose()), (Outcome::Fits, Purpose::Node));
    assert_eq!(engine.ask().relief(Target::Job("low"), None).unwrap().facts().unwrap().purpose(), Purpose::JobMax);
    let queue = engine.ask_numbers().relief(Target::Queue(numbers.root), None).unwrap();
    assert_eq!(queue.facts().unwrap().purpose(), Purpose::Queue);

    let serve = engine.name("serve").unwrap();
    engine.put_queues(&[Queue::default().name(serve).parent(numbers.root)]).unwrap();
    let claim = engine.ask_numbers().claim(serve, &[numbers.node], Claim::Sensitive).unwrap();
    assert_eq!(claim.facts().unwrap().purpose(), Purpose::Sensitive);
    assert_eq!(claim.places().unwrap().iter().find_map(|place| place.job()), None, "the nodes of a claim are no job's");
    let text = engine.ask().claim("serve", &["n1"], Claim::Sensitive).unwrap();
    assert_eq!(*text.json().unwrap(), *claim.json().unwrap());
}

#[test]
fn from_the_plan_to_the_started_job() {
    let (mut engine, numbers) = scene::put();
    let plan = engine.ask_numbers().plan(numbers.high).unwrap();
    let entry = engine.commit(&plan, scene::NOW, Some(Duration::from_micros(20))).unwrap();
    let step = engine.step(scene::NOW, &Events::new()).unwrap();
    let (actions, tasks) = (step.actions().unwrap(), step.tasks().unwrap());
    assert_eq!((actions.len(), step.action_count()), (1, 1));
    let hint = actions[0];
    assert_eq!((hint.kind(), hint.entry(), hint.job()), (ActionKind::CheckpointHint, entry, Some(numbers.low)));
    assert_eq!((hint.target(), hint.tasks(&tasks)[0].node()), (numbers.high, numbers.node));
    assert_eq!((step.job(0), step.preemptor(0), step.cause(0)), (Some("low"), Some("high"), Some("priority")));
    assert_eq!(step.task_names(0).collect::<Vec<_>>(), ["worker"]);
    assert!(step.next_due() > Some(scene::NOW));

    let ledger = engine.in_flight().unwrap();
    let (entries, victims) = (ledger.entries().unwrap(), ledger.victims().unwrap());
    assert_eq!((entries[0].id(), entries[0].state(), entries[0].has_hold()), (entry, EntryState::Waiting, true));
    let victim = entries[0].victims(&victims)[0];
    assert_eq!((victim.job(), victim.phase(), victim.how()), (numbers.low, Phase::Checkpointing, None));
    assert_eq!(victim.tasks(&ledger.tasks().unwrap()).len(), 1);
    assert_eq!(entries[0].places(&ledger.places().unwrap())[0].node(), numbers.node);
    assert_eq!((ledger.requester(0), ledger.cause(0)), (Some("high"), Some("priority")));
    assert_eq!((ledger.victim_job(0, 0), ledger.victim_phase(0, 0)), (Some("low"), Some("checkpointing")));
    assert!(ledger.json().unwrap().contains("cede-in-flight/1"));

    // Told in one step: an event that counts, one about a job that the ledger does not know, a failed action.
    let mut events: Events = [Event::checkpoint_done(numbers.low).task(numbers.worker)].into_iter().collect();
    events.extend([Event::exited(numbers.root, 1)]);
    events.action_failed(hint.id(), "the job is saving already");
    let step = engine.step(scene::NOW + Duration::from_secs(1), &events).unwrap();
    assert_eq!((step.applied(0), step.applied(1), step.applied(3)), (Some(true), Some(false), None));
    assert_eq!(step.actions().unwrap()[0].kind(), ActionKind::Suspend);
    assert!(step.json().unwrap().contains("cede-actions/1"));

    let state = engine.save().unwrap();
    let mut after_crash = Engine::new(scene::POLICY).unwrap();
    after_crash.restore(&state).unwrap();
    assert_eq!(after_crash.in_flight().unwrap().count(), 1);
    assert_eq!(after_crash.restore(&state[..state.len() / 2]).unwrap_err().kind(), ErrorKind::Damaged);

    engine.cancel(entry, scene::NOW).unwrap();
    assert_eq!(engine.cancel(entry, scene::NOW).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(engine.give_up(cede::EntryId::new(99), scene::NOW).unwrap_err().kind(), ErrorKind::Unknown);
    assert_eq!(engine.extend(entry, &plan, scene::NOW, None).unwrap_err().kind(), ErrorKind::Stale);
    engine.note(&plan, scene::NOW, None).unwrap();
    assert!(engine.metrics().unwrap().contains("# EOF"));
}

#[test]
fn a_malformed_event_names_its_place_and_nothing_is_applied() {
    let (mut engine, numbers) = scene::put();
    let plan = engine.ask_numbers().plan(numbers.high).unwrap();
    engine.commit(&plan, scene::NOW, None).unwrap();
    let wrong = [Event::released(numbers.low), Event::node_down(numbers.node).task(numbers.worker)];
    let error = engine.step(scene::NOW, &wrong.into_iter().collect()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.text().starts_with("events[1].task"), "{}", error);
    let step = engine.step(scene::NOW, &Events::new()).unwrap();
    assert_eq!(step.actions().unwrap()[0].kind(), ActionKind::CheckpointHint);
}

#[test]
fn a_zero_that_is_given_is_not_a_field_that_is_left_out() {
    let (mut engine, numbers) = scene::put();
    let task = Task::default().resources(engine.resources(&[(numbers.gpu, Amount::whole(1))]).unwrap());
    let mut exported = |job: Job| {
        engine.put_job(job, &[task]).unwrap();
        engine.export().unwrap().to_string()
    };
    let job = Job::default().name(numbers.high).queue(numbers.root);
    assert!(!exported(job).contains("\"value\""));
    assert!(exported(job.value(Amount::whole(0))).contains("\"value\":0"));
    assert!(!exported(job.value(Amount::whole(0)).value(None)).contains("\"value\""));
    assert!(exported(job.value(Amount::whole(0)).value(Amount::thousandths(2500))).contains("\"value\":2.5"));
}

#[test]
fn numbers_are_given_back_and_wrong_ones_are_errors() {
    let (mut engine, numbers) = scene::put();
    let name = engine.name("not in the cluster").unwrap();
    assert_eq!(engine.find_name("not in the cluster"), Some(name));
    assert_eq!(
        engine.name_texts(&[numbers.low, name]).unwrap().iter().collect::<Vec<_>>(),
        ["low", "not in the cluster"]
    );
    engine.forget(&[name]).unwrap();
    assert_eq!((engine.find_name("not in the cluster"), engine.name_text(name)), (None, None));
    assert_eq!(engine.forget(&[name]).unwrap_err().kind(), ErrorKind::Unknown);
    assert_eq!(engine.name_texts(&[name]).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(engine.ask_numbers().plan(name).unwrap_err().kind(), ErrorKind::Invalid);
    assert!(engine.name_texts(&[]).unwrap().is_empty());
    assert_eq!(engine.names(["good", ""]).unwrap_err().text(), "texts[1]: a name must not be empty");
    let none: [&str; 0] = [];
    assert_eq!(engine.names(none).unwrap(), [] as [Name; 0]);
}

#[test]
fn parts_and_lists() {
    let (mut engine, numbers) = scene::put();
    let labels = engine.labels(r#"{"rack": "r1"}"#).unwrap();
    let list = engine.list(&[numbers.node]).unwrap();
    engine.forget(&[labels]).unwrap();
    engine.forget(&[list]).unwrap();
    engine.fingerprint("driver 550").unwrap();
    engine.queue_settings("{}").unwrap();
    engine.job_settings("{}").unwrap();
    let error = engine.requirement("{\"gpu\":\n 1}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Document);
    assert!(error.line().is_some());
}

#[test]
fn objects_are_removed_and_what_is_not_there_is_refused() {
    let (mut engine, numbers) = scene::put();
    assert_eq!(engine.remove_queues(&[numbers.root]).unwrap_err().kind(), ErrorKind::Document);
    let second = Task::default().job(numbers.high).name(numbers.low);
    let second = second.resources(engine.resources(&[(numbers.gpu, Amount::whole(1))]).unwrap());
    engine.put_tasks(&[second]).unwrap();
    engine.remove_tasks(&[TaskName::default().job(numbers.high).task(numbers.low)]).unwrap();
    engine.remove_jobs(&[numbers.low, numbers.high]).unwrap();
    assert_eq!(engine.remove_jobs(&[numbers.low]).unwrap_err().kind(), ErrorKind::Document);
    engine.remove_nodes(&[numbers.node]).unwrap();
    let budget = Budget::default().name(numbers.low).queue(numbers.root).limit(1);
    assert_eq!(engine.put_budgets(&[budget]).unwrap_err().kind(), ErrorKind::Version);
    engine.put_budgets(&[]).unwrap();
    engine.remove_budgets(&[]).unwrap();
    for call in [
        Engine::remove_groups,
        Engine::remove_domains,
        Engine::remove_reservations,
        Engine::remove_topologies,
        Engine::put_levels,
    ] {
        call(&mut engine, &[]).unwrap();
    }
}
