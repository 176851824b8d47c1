// SPDX-License-Identifier: MIT
//! The structs and constants have the layout and values that the C compiler sees in the header of the library that is
//! linked: a small C program prints them.

use std::collections::BTreeMap;
use std::env;
use std::mem::{align_of, size_of, MaybeUninit};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::addr_of;

/// What a field is, as the C program writes it.
trait Written {
    const AS: &'static str;
}
impl Written for i32 {
    const AS: &'static str = "i32";
}
impl Written for u32 {
    const AS: &'static str = "u32";
}
impl Written for i64 {
    const AS: &'static str = "i64";
}
impl Written for u64 {
    const AS: &'static str = "u64";
}
impl<const N: usize> Written for [std::os::raw::c_char; N] {
    const AS: &'static str = "text";
}

fn written<T: Written>(_field: *const T) -> (&'static str, usize) {
    (T::AS, size_of::<T>())
}

type Facts = BTreeMap<String, String>;

macro_rules! each_struct {
    ($($name:ident { $($field:ident,)* })*) => {
        fn struct_facts(facts: &mut Facts) {
            $({
                let size = format!("{} {}", size_of::<cede_sys::$name>(), align_of::<cede_sys::$name>());
                facts.insert(stringify!($name).into(), size);
                let place = MaybeUninit::<cede_sys::$name>::uninit();
                let base = place.as_ptr();
                $({
                    // SAFETY: only the address is taken.
                    let field = unsafe { addr_of!((*base).$field) };
                    let (kind, size) = written(field);
                    let offset = field as usize - base as usize;
                    let name = concat!(stringify!($name), ".", stringify!($field));
                    facts.insert(name.into(), format!("{} {} {}", offset, size, kind));
                })*
            })*
        }
    };
}

macro_rules! each_constant {
    ($($name:ident,)*) => {
        fn constant_facts(facts: &mut Facts) {
            facts.insert("CEDE_NOW_OF_CLUSTER".into(), cede_sys::CEDE_NOW_OF_CLUSTER.to_string());
            facts.insert("CEDE_NONE".into(), cede_sys::CEDE_NONE.to_string());
            $(facts.insert(stringify!($name).into(), cede_sys::$name.to_string());)*
        }
    };
}

include!("names.rs");

fn rust_facts() -> Facts {
    let mut facts = Facts::new();
    struct_facts(&mut facts);
    constant_facts(&mut facts);
    facts
}

fn c_program(facts: &Facts) -> String {
    let mut lines = vec![
        "#include <cede/cede.h>".to_string(),
        "#include <stddef.h>".into(),
        "#include <stdio.h>".into(),
        "#define KIND(x) _Generic((x), int32_t: \"i32\", uint32_t: \"u32\", int64_t: \"i64\", uint64_t: \"u64\", \
         char*: \"text\")"
            .into(),
        "int main(void) {".into(),
    ];
    for name in facts.keys() {
        lines.push(match name.split_once('.') {
            Some((of, field)) => format!(
                "  printf(\"{} %zu %zu %s\\n\", offsetof({}, {}), sizeof((({}*)0)->{}), KIND((({}*)0)->{}));",
                name, of, field, of, field, of, field
            ),
            None if name.starts_with("CEDE_") => format!("  printf(\"{} %lld\\n\", (long long)({}));", name, name),
            None => format!("  printf(\"{} %zu %zu\\n\", sizeof({}), _Alignof({}));", name, name, name),
        });
    }
    lines.push("  return 0;\n}\n".into());
    lines.join("\n")
}

fn c_facts(name: &str, program: &str) -> Facts {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join(name).with_extension("c"), folder.join(name));
    std::fs::write(&source, program).expect("the folder of cargo can be written");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let built = Command::new(&compiler)
        .args(["-std=c11", "-I", env!("CEDE_SYS_INCLUDE_DIR"), "-o"])
        .args([&binary, &source])
        .output()
        .expect("cc links Rust programs, so there is one");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().expect("it was just built").stdout;
    let lines = String::from_utf8(output).expect("ASCII");
    lines.lines().filter_map(|line| line.split_once(' ')).map(|(name, fact)| (name.into(), fact.into())).collect()
}

#[test]
fn structs_and_constants_are_those_of_the_header() {
    let expected = rust_facts();
    assert!(expected.len() > 400, "only {} facts", expected.len());
    let found = c_facts("layout", &c_program(&expected));
    for (name, fact) in &expected {
        assert_eq!(Some(fact), found.get(name), "{}: Rust on the left, C on the right", name);
    }
}

#[test]
fn a_wrong_layout_is_told() {
    let mut wrong = rust_facts();
    let right = wrong.insert("cede_action.deadline".into(), "16 8 i64".into());
    assert_eq!(c_facts("wrong_layout", &c_program(&wrong)).get("cede_action.deadline"), right.as_ref());
    assert_ne!(right.as_deref(), Some("16 8 i64"));
}

/// Without bindgen nobody would notice that the header has gained something.
#[test]
fn the_header_has_nothing_that_is_not_bound() {
    let header = std::fs::read_to_string(PathBuf::from(env!("CEDE_SYS_INCLUDE_DIR")).join("cede/cede.h")).unwrap();
    let bindings = include_str!("../../src/bindings.rs");
    let declared = header.split("CEDE_API ").filter_map(|text| text.split('(').next());
    let names = declared.filter_map(|text| text.split_whitespace().next_back());
    let calls = names.filter(|name| name.starts_with("cede_")).map(|name| format!("fn {}(", name));
    let defined = header.lines().filter_map(|line| line.strip_prefix("#define CEDE_"));
    let constants = defined.filter_map(|rest| rest.split_once(' ')).map(|(name, _)| format!("const CEDE_{}:", name));
    let by_hand = ["const CEDE_API:", "const CEDE_NOW_OF_CLUSTER:", "const CEDE_NONE:"];
    let names: Vec<String> = calls.chain(constants).filter(|name| !by_hand.contains(&name.as_str())).collect();
    assert!(names.len() > 300, "only {} names in the header", names.len());
    let missing: Vec<&String> = names.iter().filter(|name| !bindings.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "run bindings/rust/cede-sys/generate: {:?} not bound", missing);
}

#[test]
fn the_library_has_the_version_of_the_bindings() {
    // SAFETY: takes nothing.
    let version = unsafe { cede_sys::cede_version() };
    assert!(version >= cede_sys::CEDE_VERSION as u32, "{} is older than {}", version, cede_sys::CEDE_VERSION);
    let package =
        format!("{}.{}.{}", cede_sys::CEDE_VERSION_MAJOR, cede_sys::CEDE_VERSION_MINOR, cede_sys::CEDE_VERSION_PATCH);
    assert_eq!(env!("CARGO_PKG_VERSION"), package);
}
