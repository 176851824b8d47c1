#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that lib/README.md speaks of code that exists: glossary.py ROOT, or glossary.py --self-test."""
import os
import re
import sys
import tempfile

PAGE = "lib/README.md"
# `base/`, `policy/rules/eligibility`, `engine/plan.cpp`: a folder or a file of lib, or of the tree.
PATH = re.compile(r"\b[a-z_]+(?:/[a-z_]+)+(?:\.\w+)?")
# Types are in PascalCase; other words of the tables are ordinary nouns.
TYPE = re.compile(r"^[A-Z][A-Za-z]+$")
MEMBER = re.compile(r"`([A-Z]\w+)::(\w+)`")


def sources(root):
    for folder, _, names in os.walk(os.path.join(root, "lib")):
        for name in names:
            if name.endswith((".h", ".cpp")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()


def exists(root, path):
    return any(os.path.exists(os.path.join(root, start, path + end)) for start in ("lib", "") for end in ("", ".h"))


def faults(root):
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        page = file.read()
    code = "\n".join(sources(root))
    types = set(re.findall(r"\b(?:class|struct|using)\s+(\w+)", code))
    for path in sorted(set(PATH.findall(page))):
        if not exists(root, path):
            yield f"'{path}' does not exist"
    words = {word.strip() for row in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE) for word in row.split(",")}
    words |= set(re.findall(r"`(\w+)`", page))
    for word in sorted(words):
        if TYPE.match(word) and word not in types:
            yield f"'{word}' is no type of lib"
    for owner, member in sorted(set(MEMBER.findall(page))):
        if not re.search(rf"\b{owner}::{member}\b", code):
            yield f"'{owner}::{member}' is not defined in lib"


def check(root):
    found = [f"{PAGE}: {why}" for why in faults(root)]
    for line in found:
        print(line)
    return 1 if found else 0


def self_test():
    page = "| word | meaning |\n|---|---|\n| Model, Gone | rows |\n\n**engine/plan.cpp** calls `Model::plan` and `Model::go`, " \
           "then **engine/nowhere.cpp**.\n"
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "lib/engine"))
        with open(os.path.join(root, PAGE), "w", encoding="utf-8") as file:
            file.write(page)
        with open(os.path.join(root, "lib/engine/plan.cpp"), "w", encoding="utf-8") as file:
            file.write("struct Model;\nvoid Model::plan() {}\n")
        found = list(faults(root))
    expected = ["'engine/nowhere.cpp' does not exist", "'Gone' is no type of lib", "'Model::go' is not defined in lib"]
    if found != expected:
        print(f"found {found}, not {expected}")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(self_test() if sys.argv[1] == "--self-test" else check(sys.argv[1]))
