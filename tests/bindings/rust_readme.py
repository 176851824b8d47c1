#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of bindings/rust/README.md: readme.py [--write] CARGO TREE WORK-FOLDER

Each ```rust block is a program of its own, in a package that depends on the crate as the README says; the ```text block after
it is what it prints. The environment says where the library is. With --write, the README gets what they print.
"""
import pathlib
import re
import subprocess
import sys

PROGRAM = re.compile(r"```rust\n(?P<code>.*?)```\n\n```text\n(?P<output>.*?)```\n", re.DOTALL)
PACKAGE = """[package]
name = "readme"
version = "0.0.0"
edition = "2021"

[dependencies]
cede = {{ path = "{crate}" }}
"""


def output_of(cargo, work, crate, name, code):
    package = work / name
    (package / "src").mkdir(parents=True, exist_ok=True)
    (package / "Cargo.toml").write_text(PACKAGE.format(crate=crate))
    (package / "src" / "main.rs").write_text(code)
    result = subprocess.run([cargo, "run", "--quiet", "--offline", "--manifest-path", package / "Cargo.toml"],
                            capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"program {name} of the README failed:\n{result.stderr}")
    return result.stdout


def main(words):
    write = "--write" in words
    words = [word for word in words if word != "--write"]
    if len(words) != 3:
        sys.exit(__doc__)
    cargo, tree, work = words[0], pathlib.Path(words[1]), pathlib.Path(words[2])
    readme = tree / "bindings/rust/README.md"
    text = readme.read_text()
    programs = list(PROGRAM.finditer(text))
    if len(programs) != text.count("```rust\n") or not programs:
        sys.exit("README.md: a program has no output, or there is none")
    for index, program in reversed(list(enumerate(programs))):
        output = output_of(cargo, work, tree / "bindings/rust/cede", f"program{index}", program["code"])
        if write:
            text = text[:program.start("output")] + output + text[program.end("output"):]
        elif output.strip() != program["output"].strip():
            sys.exit(f"program {index} of the README prints\n{output}\nand not\n{program['output']}")
    if write:
        readme.write_text(text)
    print(f"{len(programs)} programs")


main(sys.argv[1:])
