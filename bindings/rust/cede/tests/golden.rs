// SPDX-License-Identifier: MIT
//! The questions of tests/golden, which every binding is asked; `tests/golden/write` says what is in them.

use cede::{Claim, Engine, Error, Plan, Result, Target, Time};
use std::fs;
use std::path::{Path, PathBuf};

/// What these words ask cannot be written in Rust: the types allow only what exists.
const NOT_IN_RUST: [&str; 2] = ["class-cost/wrong-reason", "priority/wrong-target"];

struct Question {
    lines: Vec<Vec<String>>,
}

impl Question {
    fn read(file: &Path) -> Question {
        let text = fs::read_to_string(file).unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect();
        Question { lines: text.lines().map(words).collect() }
    }

    fn find(&self, word: &str) -> Option<&[String]> {
        self.lines.iter().find(|line| line[0] == word).map(|line| &line[1..])
    }

    fn value(&self, word: &str) -> Option<&str> {
        self.find(word).and_then(|values| values.first()).map(String::as_str)
    }

    /// The answer as a document.
    fn ask(&self, engine: &Engine) -> Result<String> {
        let mut ask = engine.ask();
        for line in &self.lines {
            ask = match line[0].as_str() {
                "protect" => ask.protect(&line[1]),
                "avoid" => ask.avoid(&line[1]),
                "only" => ask.only(&line[1]),
                "partial" => ask.partial(),
                "now" => ask.at(Time::from_millis(line[1].parse::<i64>().unwrap() * 1000)),
                _ => ask,
            };
        }
        if let Some(jobs) = self.find("batch") {
            return Ok(Plan::batch_json(&ask.batch(jobs)?)?.to_string());
        }
        let plan = if let Some(job) = self.value("job") {
            ask.plan(job)?
        } else if let Some(target) = self.value("relief") {
            ask.relief(target_of(target), self.value("group"))?
        } else {
            let reason = match self.value("reason") {
                Some("sensitive") => Claim::Sensitive,
                _ => Claim::Reclaim,
            };
            ask.claim(self.value("claim").unwrap(), self.find("nodes").unwrap(), reason)?
        };
        plan.verify()?;
        Ok(plan.json()?.to_string())
    }
}

fn target_of(text: &str) -> Target<&str> {
    match text.split_once(':').unwrap() {
        ("node", name) => Target::Node(name),
        ("queue", name) => Target::Queue(name),
        ("job", name) => Target::Job(name),
        _ => panic!("no such target: {}", text),
    }
}

fn answer(file: &Path) -> Result<String> {
    let folder = file.parent().unwrap();
    let mut engine = Engine::new(fs::read(folder.join("policy.json")).unwrap())?;
    engine.load(fs::read(folder.join("cluster.json")).unwrap())?;
    Question::read(file).ask(&engine)
}

fn written(error: &Error) -> String {
    format!("{}\n{}\n{}\n", error.status_name(), error.line().unwrap_or(0), error.text())
}

fn questions(root: &Path) -> Vec<PathBuf> {
    let folders =
        fs::read_dir(root).into_iter().flatten().map(|folder| folder.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path());
    files.filter(|file| file.extension().map_or(false, |end| end == "ask")).collect()
}

#[test]
fn every_question_gets_the_answer_of_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden");
    let files = questions(&root);
    if files.is_empty() {
        return eprintln!("skipped: no golden cases in '{}': this is not the source tree of libcede", root.display());
    }
    let mut wrong = Vec::new();
    let mut asked = 0;
    for file in files {
        let name = file.strip_prefix(&root).unwrap().with_extension("").display().to_string();
        if NOT_IN_RUST.contains(&name.as_str()) {
            continue;
        }
        asked += 1;
        let (end, found) = match answer(&file) {
            Ok(document) => ("json", document + "\n"),
            Err(error) => ("error", written(&error)),
        };
        // An error of a document also names the column and how many more there are.
        let expected = fs::read_to_string(file.with_extension(end)).unwrap_or_default();
        let same = match end {
            "json" => found.trim_end() == expected.trim_end(),
            _ => !expected.is_empty() && found.starts_with(expected.trim_end()),
        };
        if !same {
            wrong.push(format!("{}: expected {:?}, found {:?}", name, expected, found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 20, "only {} questions", asked);
}
