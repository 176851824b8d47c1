// SPDX-License-Identifier: MIT
//! Every call and constant of the C ABI is used by this crate: what the header gains, the crate gains.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What another call or type stands for.
const NOT_NEEDED: [&str; 6] = [
    "cede_engine_names",      // cede_engine_names_packed, without an array of pointers
    "cede_plan_victim_count", // the length of victims(), and iterators that end
    "cede_plan_place_count",  // the same of places()
    "cede_plan_after_count",  // the same of after()
    "CEDE_ABI",               // the number in the name of the library
    "CEDE_REMARK_WARNINGS",   // any status above 0
];

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect()
}

fn sources() -> String {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap() + "\n").collect()
}

#[test]
fn nothing_public_is_unsafe() {
    let sources = sources();
    let unsafe_face = |line: &&str| line.trim_start().starts_with("pub unsafe ") || line.contains("pub use sys");
    let found: Vec<&str> = sources.lines().filter(unsafe_face).collect();
    assert_eq!(found, ["    pub unsafe trait Sealed {}"], "which nobody outside can name");
}

#[test]
fn every_call_and_constant_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bindings = match fs::read_to_string(root.join("../cede-sys/src/bindings.rs")) {
        Ok(bindings) => bindings,
        Err(error) => return eprintln!("skipped: no cede-sys beside this crate: {}", error),
    };
    let sources = sources();
    let used = words(&sources);
    let (mut all, mut missing) = (0, Vec::new());
    for line in bindings.lines() {
        let name = line.trim_start().strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const "));
        let name = match name.and_then(|rest| rest.split(['(', ':']).next()) {
            Some(name) => name,
            None => continue,
        };
        all += 1;
        if !used.contains(name) && !NOT_NEEDED.contains(&name) && !name.starts_with("CEDE_VERSION") {
            missing.push(name);
        }
    }
    assert!(all > 300, "only {} names in the bindings", all);
    assert!(missing.is_empty(), "not used: {}", missing.join(", "));
}
