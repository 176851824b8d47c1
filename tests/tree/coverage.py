# SPDX-License-Identifier: MIT
"""Checks tests/coverage.md: every test it names exists and, where the specification is at hand, every statement
of its coverage page has a row.

coverage.py ROOT | coverage.py --self-test
"""
import pathlib
import re
import sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\((\w+), (\w+)\)")
PYTHON_CLASS_OR_TEST = re.compile(r"^class (\w+)\(|^    def (test_\w+)\(", re.MULTILINE)
C_TEST = re.compile(r'^ *(?:CU_TestInfo \w+\[\] = \{)?\{"[^"]+", (\w+)\}', re.MULTILINE)


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


def python_tests(text):
    """Class.test_name of each test of a Python file."""
    owner = ""
    for owner_here, name in PYTHON_CLASS_OR_TEST.findall(text):
        owner = owner_here or owner
        if name:
            yield f"{owner}.{name}"


def known_tests(root):
    """Suite.Name of GoogleTest, Class.test_name of Python, file.function of CUnit."""
    tests = root / "tests"
    known = {f"{suite}.{name}" for path in (tests / "unit").glob("*_test.cpp")
             for suite, name in TEST.findall(path.read_text())}
    for path in tests.glob("*/*_test.py"):
        known.update(python_tests(path.read_text()))
    for path in [*(tests / "abi").glob("*.c"), *(tests / "slurm").glob("*.c")]:
        known.update(f"{path.stem}.{name}" for name in C_TEST.findall(path.read_text()))
    return known


def main(arguments):
    if arguments == ["--self-test"]:
        page = "| a | b | `S.T` |\n| a | c | `S.U` |\n| a | d | soon |\n"
        found = list(faults(page, {"S.T"}, {("a", "b"), ("a", "e")}))
        if len(found) != 3:
            sys.exit(f"three faults were planted, these were found: {found}")
        source = "class A(Base):\n    def test_x(self):\n    def check(self):\nclass B(Base):\n    def test_y(self):\n"
        if list(python_tests(source)) != ["A.test_x", "B.test_y"]:
            sys.exit(f"tests of a Python file: {list(python_tests(source))}")
        source = 'CU_TestInfo tests[] = {{"one", one},\n    {"two words", two},\n    CU_TEST_INFO_NULL};\n'
        if C_TEST.findall(source) != ["one", "two"]:
            sys.exit(f"tests of a C file: {C_TEST.findall(source)}")
        return
    root = pathlib.Path(arguments[0])
    spec = root.parent / "shared" / "spec" / "coverage.md"
    wanted = {(source, statement) for source, statement, _ in rows(spec.read_text())} if spec.exists() else set()
    found = list(faults((root / "tests" / "coverage.md").read_text(), known_tests(root), wanted))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(sys.argv[1:])
