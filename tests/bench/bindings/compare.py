#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the bindings with C in one run: compare.py --c PROGRAM --library FILE --tree TREE --build FOLDER [--rounds N]

Every language has a program that prints the lines of bindings_bench.c. They run in turns, so that what else the machine does
meets all of them, and the best of all rounds counts. A language whose toolchain is missing is left out, with the reason.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROWS = {"plan": "one plan", "put": "100,000 jobs put"}
# The most that a binding may cost, as a multiple of C.
AIMS = {"plan": 1.1, "put": 1.3}


def run(command, env):
    result = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def rust(options, env):
    """The program, or why there is none."""
    if not shutil.which("cargo"):
        return None, "no cargo on the path"
    target = options.build / "rust"
    run(["cargo", "build", "--quiet", "--release", "--locked", "--offline", "--manifest-path",
         options.tree / "tests/bench/bindings/rust/Cargo.toml"],
        {**env, "CARGO_TARGET_DIR": str(target), "CEDE_LIB_DIR": str(pathlib.Path(options.library).parent),
         "CEDE_INCLUDE_DIR": str(options.tree / "include")})
    return [target / "release/bindings_bench"], None


PACKAGE = """Name: cede
Description: the library of the build
Version: 0
Libs: -L{library} -lcede
Cflags: -I{include}
"""


def go(options, env):
    if not shutil.which("go"):
        return None, "no go on the path"
    version = re.match(r"go(\d+)\.(\d+)", run(["go", "env", "GOVERSION"], {**env, "GOTOOLCHAIN": "local"}))
    if version and tuple(map(int, version.groups())) < (1, 21):
        return None, f"Go 1.21 or newer is needed; here is {version.group()}"
    build = (options.build / "go").resolve()
    build.mkdir(parents=True, exist_ok=True)
    (build / "cede.pc").write_text(PACKAGE.format(library=pathlib.Path(options.library).parent,
                                                  include=options.tree / "include"))
    found = {**env, "PKG_CONFIG_PATH": str(build), "GOCACHE": str(build / "cache"), "GOPATH": str(build / "path"),
             "GOENV": "off", "GOWORK": "off", "GOTOOLCHAIN": "local", "GOPROXY": "off", "CGO_ENABLED": "1"}
    run(["go", "build", "-C", options.tree / "tests/bench/bindings/go", "-buildvcs=false", "-o", build / "bindings_bench",
         "."], found)
    return [build / "bindings_bench"], None


LANGUAGES = {"Go": go, "Rust": rust}


def measured(command, env):
    return {row: float(micros) for row, micros in (line.split() for line in run(command, env).splitlines())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--c", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    searched = [str(pathlib.Path(options.library).parent), os.environ.get("LD_LIBRARY_PATH", "")]
    env = {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, searched))}
    programs = {"C": [options.c]}
    for language, make in LANGUAGES.items():
        command, why = make(options, env)
        if command:
            programs[language] = command
        else:
            print(f"{language}: left out: {why}")
    best = {}
    for _ in range(options.rounds):
        for language, command in programs.items():
            for row, micros in measured(command, env).items():
                best[language, row] = min(micros, best.get((language, row), micros))
    print(f"{'processor time, best of ' + str(options.rounds):34}{'C':>14}" +
          "".join(f"{language:>14}{'x C':>7}" for language in programs if language != "C"))
    for row, about in ROWS.items():
        base = best["C", row]
        print(f"{about + f' (aim: at most {AIMS[row]} x C)':34}{base:11.1f} us" + "".join(
            f"{best[language, row]:11.1f} us{best[language, row] / base:7.2f}" for language in programs if language != "C"))


main()
