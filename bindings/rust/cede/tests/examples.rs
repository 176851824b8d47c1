// SPDX-License-Identifier: MIT
//! The examples run and print what they promise: from the plan to the started job, in arrays and in documents.

use std::path::PathBuf;
use std::process::Command;

fn output_of(example: &str) -> String {
    // The tests are in target/PROFILE/deps, the examples beside it.
    let mut folder: PathBuf = std::env::current_exe().unwrap().parent().unwrap().into();
    folder.set_file_name("examples");
    let output = Command::new(folder.join(example)).output().expect("cargo test builds the examples");
    assert!(output.status.success(), "{}: {}", example, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn array_manager() {
    let expected = "\
plan for job 7: 8 of 8 criteria proven, expected in 330 s
victim: job 6, cost 6
hint to job 6 for job 7
stop job 6
job 6 waits again, to resume
start job 7 on node 5, devices 0xf
0 entries left
";
    assert_eq!(output_of("array_manager"), expected);
}

#[test]
fn custom_manager() {
    let expected = "\
1 job gives way to 'high'
hint to low for high
restored
hint to low for high
stop low
low waits again, to resume
start high on n1, devices 0xf
0 entries left
";
    assert_eq!(output_of("custom_manager"), expected);
}
