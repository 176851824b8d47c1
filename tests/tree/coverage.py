# SPDX-License-Identifier: MIT
"""Checks tests/coverage.md: every test it names exists and, where the specification is at hand, every statement
of its coverage page has a row.

coverage.py ROOT | coverage.py --self-test
"""
import pathlib
import re
import sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\((\w+), (\w+)\)")


def rows(text):
    """(source, statement, rest) of each row of the page's table."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and cells[0] != "source":
            yield cells


def faults(page, known, wanted):
    seen = set()
    for source, statement, tests in rows(page):
        seen.add((source, statement))
        named = re.findall(r"`([\w.]+)`", tests)
        if not named and not tests.startswith("none: "):
            yield f"{source}: {statement}: names no test and no reason"
        for name in named:
            if name not in known:
                yield f"{source}: {statement}: there is no test {name}"
    for source, statement in sorted(wanted - seen):
        yield f"{source}: {statement}: has no row"


def known_tests(root):
    sources = (root / "tests" / "unit").glob("*_test.cpp")
    return {f"{suite}.{name}" for path in sources for suite, name in TEST.findall(path.read_text())}


def main(arguments):
    if arguments == ["--self-test"]:
        page = "| a | b | `S.T` |\n| a | c | `S.U` |\n| a | d | soon |\n"
        found = list(faults(page, {"S.T"}, {("a", "b"), ("a", "e")}))
        if len(found) != 3:
            sys.exit(f"three faults were planted, these were found: {found}")
        return
    root = pathlib.Path(arguments[0])
    spec = root.parent / "shared" / "spec" / "coverage.md"
    wanted = {(source, statement) for source, statement, _ in rows(spec.read_text())} if spec.exists() else set()
    found = list(faults((root / "tests" / "coverage.md").read_text(), known_tests(root), wanted))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(sys.argv[1:])
