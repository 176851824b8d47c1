// SPDX-License-Identifier: MIT
//! The border between Rust and C: threads, lifetimes, panics, texts that C cannot hold.

mod scene;

use cede::{Engine, ErrorKind, Level, Outcome, Plan, Remark};
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn handles_cross_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Engine>();
    shared::<Plan>();
    shared::<cede::Step>();
    shared::<cede::Ledger>();
    shared::<cede::Report>();
    shared::<cede::Admission>();
    shared::<cede::Topology>();
    shared::<cede::Text>();
    shared::<cede::State>();
    shared::<cede::Error>();
}

#[test]
fn many_threads_plan_on_one_engine_and_share_a_plan() {
    let engine = scene::loaded();
    let expected = engine.plan("high").unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let plan = engine.plan("high").unwrap();
                    assert_eq!(*plan.json().unwrap(), *expected.json().unwrap());
                    assert_eq!(expected.victim_jobs().collect::<Vec<_>>(), ["low"]);
                    expected.verify().unwrap();
                }
            });
        }
    });
}

#[test]
fn an_engine_moves_to_another_thread_with_its_log() {
    let lines = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&lines);
    let mut engine = scene::loaded();
    let count = move |_: Level, _: &str| {
        counted.fetch_add(1, Ordering::Relaxed);
    };
    engine.set_log(count).unwrap();
    let engine = thread::spawn(move || {
        engine.load(scene::CLUSTER).unwrap();
        engine
    });
    drop(engine.join().unwrap());
    assert!(lines.load(Ordering::Relaxed) > 0);
    assert_eq!(Arc::strong_count(&lines), 1, "the engine drops its log");
}

#[test]
fn plans_outlive_their_engine() {
    let plan = scene::loaded().plan("high").unwrap();
    assert_eq!(plan.outcome(), Outcome::Preempt);
    assert_eq!(plan.placement().collect::<Vec<_>>(), [("worker", "n1")]);
    plan.verify().unwrap();
}

#[test]
fn a_log_that_panics_ends_at_the_border() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let before = panic::take_hook();
    panic::set_hook(Box::new(|_| ())); // the message would look like a failed test
    let mut engine = Engine::builder()
        .policy(scene::POLICY)
        .log(move |_, _| {
            counted.fetch_add(1, Ordering::Relaxed);
            panic!("no space left on device");
        })
        .build()
        .unwrap();
    let loaded = engine.load(scene::CLUSTER);
    let again = engine.load(scene::CLUSTER);
    panic::set_hook(before);

    assert_eq!(loaded, Ok(Remark::None), "the call does its work");
    assert_eq!(again, Ok(Remark::None));
    assert_eq!(engine.plan("high").unwrap().outcome(), Outcome::Preempt);
    assert_eq!(calls.load(Ordering::Relaxed), 1, "a callback that panicked is not called again");
    let payload = engine.take_log_panic().expect("the panic is kept");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"no space left on device"));
    assert!(engine.take_log_panic().is_none(), "once");
}

#[test]
fn the_log_says_what_happens() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let mut engine = scene::loaded();
    engine.set_log(move |level, text| kept.lock().unwrap().push((level, text.to_string()))).unwrap();
    engine.load(scene::CLUSTER).unwrap();
    assert_eq!(*lines.lock().unwrap(), [(Level::Info, "cluster loaded: 1 nodes, 1 queues and 2 jobs now".to_string())]);
    let mut copy = engine.try_clone().unwrap();
    copy.load(scene::CLUSTER).unwrap();
    engine.clear_log().unwrap();
    engine.load(scene::CLUSTER).unwrap();
    assert_eq!(lines.lock().unwrap().len(), 1, "a clone has no log, and a cleared log is silent");
}

#[test]
fn texts_with_a_nul_are_refused() {
    let engine = scene::loaded();
    let error = engine.plan("hi\0gh").unwrap_err();
    assert_eq!((error.kind(), error.text()), (ErrorKind::Invalid, "job: 'hi\\0gh' has a NUL character"));
    assert_eq!(engine.ask().avoid("n\0").plan("high").unwrap_err().kind(), ErrorKind::Invalid);
    assert!(!cede::has_feature("arrays\0"));
    assert_eq!(Engine::builder().option("thr\0eads", 1).build().unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
fn errors_say_what_and_where() {
    let error = Engine::new("{\n\"format\": \"cede-policy/1\",\n\"polices\": {}}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Document);
    assert_eq!((error.line(), error.status(), error.status_name()), (Some(3), -2, "CEDE_E_DOCUMENT"));
    let error = scene::loaded().plan("nobody").unwrap_err();
    assert_eq!((error.kind(), error.line()), (ErrorKind::Unknown, None));
    let boxed: Box<dyn std::error::Error + Send + Sync> = error.into();
    assert!(boxed.to_string().contains("'nobody'"));
    assert_eq!(Engine::builder().option("thread", 2).build().unwrap_err().kind(), ErrorKind::Unknown);
}

#[test]
fn an_empty_text_is_a_text() {
    let mut engine = scene::loaded();
    assert_eq!(engine.load("").unwrap_err().kind(), ErrorKind::Document);
    assert_eq!(Engine::new("").unwrap_err().kind(), ErrorKind::Document);
    assert!(!engine.check("").unwrap().accepted());
    assert_eq!(engine.name("").unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(engine.find_name(""), None);
    assert_eq!(engine.restore(b"").unwrap_err().kind(), ErrorKind::Damaged);
}
