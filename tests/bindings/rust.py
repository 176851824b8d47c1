#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the Rust binding: rust.py test|lint|generated --tree TREE --library FILE --build FOLDER [--sanitize=...]

test: cargo's own tests with the library in CEDE_LIB_DIR, then the programs of the README and the layout once more with the
library that pkg-config finds, if there is a pkg-config. lint: clippy and rustfmt find nothing. generated: bindgen makes the
checked-in bindings of the header. Everything goes into FOLDER and works without a network. Status 77: it cannot be done
here, and the output says why.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

FIRST = (1, 63)  # the Rust of Debian 12
SKIPPED = 77


PACKAGE = """Name: cede
Description: the library of the build
Version: 0.2.0
Libs: -L{library} -lcede
Cflags: -I{include}
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, check=False, **options)
    if result.returncode != 0:
        sys.exit(result.returncode if result.returncode == SKIPPED else 1)


def find_cargo():
    cargo, compiler = shutil.which("cargo"), shutil.which("rustc")
    if not cargo or not compiler:
        skip("no cargo and rustc on the path; packaging/setup installs Debian's")
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"rustc (\d+)\.(\d+)", said)
    if not version or tuple(map(int, version.groups())) < FIRST:
        skip(f"Rust {'.'.join(map(str, FIRST))} or newer is needed; here is '{said.strip()}'")
    return cargo


def environment(arguments):
    """The library that was just built, its header, and no network."""
    library, build = pathlib.Path(arguments.library), pathlib.Path(arguments.build)
    searched = [str(library.parent), os.environ.get("LD_LIBRARY_PATH", "")]
    return {**os.environ, "CEDE_LIB_DIR": str(library.parent), "CEDE_INCLUDE_DIR": str(arguments.tree / "include"),
            "LD_LIBRARY_PATH": ":".join(filter(None, searched)), "CARGO_TARGET_DIR": str(build / "target"),
            "CARGO_NET_OFFLINE": "true", "RUST_BACKTRACE": "0"}


def with_pkg_config(arguments, env):
    """The same library, found as an installed one is."""
    if not shutil.which("pkg-config"):
        print("no pkg-config on the path: the library is not searched for with it")
        return env
    arguments.build.mkdir(parents=True, exist_ok=True)
    (arguments.build / "cede.pc").write_text(PACKAGE.format(library=env["CEDE_LIB_DIR"], include=env["CEDE_INCLUDE_DIR"]))
    found = {name: value for name, value in env.items() if name not in ("CEDE_LIB_DIR", "CEDE_INCLUDE_DIR")}
    return {**found, "PKG_CONFIG_PATH": str(arguments.build), "CARGO_TARGET_DIR": str(arguments.build / "pkg-config")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["test", "lint", "generated"])
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sanitize", default="")
    arguments = parser.parse_args()
    if arguments.sanitize:
        skip("a library with sanitizers cannot be linked into a program without")
    home = arguments.tree / "bindings/rust"
    if arguments.what == "generated":
        if not shutil.which("rustfmt"):
            skip("no rustfmt on the path: the bindings of bindgen cannot be compared")
        run(home / "cede-sys/generate", "--check")
        return
    cargo, env = find_cargo(), environment(arguments)
    if arguments.what == "test":
        run(cargo, "test", "--locked", "--offline", "--manifest-path", home / "Cargo.toml", env=env)
        env = with_pkg_config(arguments, env)
        run(cargo, "test", "--locked", "--offline", "--test", "layout", "--manifest-path", home / "cede-sys/Cargo.toml", env=env)
        run(sys.executable, "-B", pathlib.Path(__file__).with_name("rust_readme.py"), cargo, arguments.tree,
            arguments.build / "readme", env=env)
        return
    for tool in ("cargo-clippy", "rustfmt"):
        if not shutil.which(tool):
            skip(f"no {tool} on the path (Debian: apt install rust-clippy rustfmt)")
    run(cargo, "fmt", "--check", cwd=home)
    run(cargo, "clippy", "--locked", "--offline", "--all-targets", "--manifest-path", home / "Cargo.toml", "--", "-D",
        "warnings", env=env)
    run(cargo, "doc", "--locked", "--offline", "--no-deps", "--manifest-path", home / "Cargo.toml",
        env={**env, "RUSTDOCFLAGS": "-D warnings"})


main()
