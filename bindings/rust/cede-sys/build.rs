// SPDX-License-Identifier: MIT
//! Finds libcede: in CEDE_LIB_DIR and CEDE_INCLUDE_DIR, or with pkg-config.

use std::env;
use std::process::{exit, Command};

/// The first version of the library with this ABI.
const NEEDED: &str = "cede >= 0.2.0";

fn fail(why: &str) -> ! {
    eprintln!("cede-sys: {}", why);
    eprintln!("cede-sys: install libcede-dev, or set PKG_CONFIG_PATH to the folder of cede.pc,");
    eprintln!("cede-sys: or set CEDE_LIB_DIR to the folder of libcede.so and CEDE_INCLUDE_DIR to that of cede/cede.h");
    exit(1);
}

fn pkg_config(what: &str) -> String {
    let command = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let output = match Command::new(&command).args([what, NEEDED]).output() {
        Ok(output) => output,
        Err(error) => fail(&format!("{} could not be run: {}", command, error)),
    };
    if !output.status.success() {
        fail(&format!("{} does not find '{}': {}", command, NEEDED, String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What pkg-config says, one word at a time; a backslash keeps a space inside a word.
fn words(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut escaped = false;
    for letter in text.trim().chars() {
        match letter {
            '\\' if !escaped => escaped = true,
            ' ' if !escaped => all.push(String::new()),
            _ => {
                escaped = false;
                all.last_mut().expect("never empty").push(letter);
            }
        }
    }
    all.retain(|word| !word.is_empty());
    all
}

fn main() {
    for name in [
        "CEDE_LIB_DIR",
        "CEDE_INCLUDE_DIR",
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "PKG_CONFIG_LIBDIR",
        "PKG_CONFIG_SYSROOT_DIR",
    ] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation is made without the library
    }
    let mut include = env::var("CEDE_INCLUDE_DIR").ok();
    if let Ok(folder) = env::var("CEDE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", folder);
        println!("cargo:rustc-link-lib=dylib=cede");
    } else {
        for word in words(&pkg_config("--libs")) {
            match (word.get(..2), word.get(2..)) {
                (Some("-L"), Some(folder)) => println!("cargo:rustc-link-search=native={}", folder),
                (Some("-l"), Some(name)) => println!("cargo:rustc-link-lib=dylib={}", name),
                _ => println!("cargo:rustc-link-arg={}", word),
            }
        }
        if include.is_none() {
            // Nothing if it is a folder where the compiler looks anyway.
            include = words(&pkg_config("--cflags-only-I")).first().and_then(|word| word.get(2..)).map(str::to_string);
        }
    }
    // For build scripts of crates that compile C against the header, as DEP_CEDE_INCLUDE, and for the tests.
    let include = include.unwrap_or_else(|| "/usr/include".into());
    println!("cargo:include={}", include);
    println!("cargo:rustc-env=CEDE_SYS_INCLUDE_DIR={}", include);
}
