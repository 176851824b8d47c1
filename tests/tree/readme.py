#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that README tells the truth: its commands exist, its C example prints what it says.

readme.py --readme F --command F --library F --cc F [--sanitize S] [--self-test]
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

STRICT = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def blocks(text):
    """Fenced blocks in order, as (language, content)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def command_fault(line, root, command):
    words = shlex.split(line, comments=True)
    if not words:
        return None
    if words[0].startswith("./packaging/"):
        script = os.path.join(root, words[0])
        return None if os.path.isfile(script) and os.access(script, os.X_OK) else f"'{words[0]}' is no script"
    if words[0] == "cede":
        first = words[1] if len(words) > 1 else "--help"
        asked = [command, first] if first.startswith("-") else [command, first, "--help"]
        result = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return None if result.returncode == 0 and result.stdout else \
            f"'{' '.join(['cede', *asked[1:]])}' ends with status {result.returncode}: {result.stderr.strip()}"
    return None


def example_fault(source, expected, root, options):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "example")
        with open(program + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        library = os.path.dirname(options.library)
        build = [options.cc, *STRICT, "-I", os.path.join(root, "include"), "-o", program, program + ".c",
                 "-L", library, f"-Wl,-rpath,{library}", "-lcede"]
        if options.sanitize:
            build.append(f"-fsanitize={options.sanitize}")
        built = subprocess.run(build, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return f"the C example does not compile:\n{built.stderr}"
        ran = subprocess.run([program], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60, check=False)
    if ran.returncode != 0 or ran.stdout != expected:
        return f"the C example ends with status {ran.returncode} and prints\n{ran.stdout}{ran.stderr}" \
               f"where README says\n{expected}"
    return None


def faults(text, options):
    found = blocks(text)
    root = os.path.dirname(os.path.abspath(options.readme))
    lines = [line for language, content in found if language == "sh" for line in content.splitlines()]
    examples = [(content, *following) for (language, content), following in zip(found, found[1:]) if language == "c"]
    if not any(line.startswith("./packaging/") for line in lines):
        yield "README has no ./packaging command in a block marked sh"
    if not examples:
        yield "README has no C example followed by its output"
    for line in lines:
        fault = command_fault(line, root, options.command)
        if fault:
            yield fault
    for source, language, expected in examples:
        if language != "text":
            yield "a C example in README is not followed by a block marked text"
            continue
        fault = example_fault(source, expected, root, options)
        if fault:
            yield fault


def self_test(text, options):
    """Each of these lies must be noticed."""
    lies = {
        "a script that does not exist": ("```sh\n", "```sh\n./packaging/fly\n"),
        "a subcommand that does not exist": ("```sh\n", "```sh\ncede fly --high\n"),
        "an example that does not compile": ("int main(void) {", "int main(void) {\n  int unused;"),
        "an example with another output": ("```text\n", "```text\nmore\n"),
        "an example without output": ("```text\n", "```sh\n"),
        "no example": ("```c\n", "```cpp\n"),
    }
    for name, (old, new) in lies.items():
        if old not in text or not list(faults(text.replace(old, new), options)):
            yield f"not noticed: {name}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("readme", "command", "library", "cc"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sanitize", default="")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    with open(options.readme, encoding="utf-8") as file:
        text = file.read()
    found = list(self_test(text, options) if options.self_test else faults(text, options))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
