#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that abidiff would notice: throw-away libraries are built from the header as it is, with a field
widened, with two fields that change places, with a struct that has grown, and with a symbol dropped. abidiff must
be silent about an equal build and report all others, growth too (see record.py).

usage: bites.py HEADER MAP COMPILER        (exit status 77: abidiff is not installed)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
CHANGED = 4  # bits of abidiff's exit status
INCOMPATIBLE = 8


def definitions(header, dropped):
    """A C source that defines every function of the header, but one, as a function that does nothing."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    source = "#include <cede/cede.h>\n"
    for result, name, arguments in re.findall(r"CEDE_API\s+([^;()]*?)(\w+)\(([^;]*)\)\s*;", text):
        body = "" if result.strip() == "void" else "return 0;"
        if name != dropped:
            source += f"{result}{name}({arguments}) {{ {body} }}\n"
    return source


def build(folder, name, compiler, header, exports, dropped=None):
    source = definitions(header, dropped)
    if dropped:
        exports = exports.replace(f"{dropped};", "")
    place = os.path.join(folder, name)
    os.makedirs(os.path.join(place, "cede"))
    paths = {"cede/cede.h": header, "cede.c": source, "cede.map": exports}
    for path, text in paths.items():
        with open(os.path.join(place, path), "w", encoding="ascii") as file:
            file.write(text)
    library = os.path.join(place, "libcede.so.0")
    link = ["-Wl,-soname,libcede.so.0", "-Wl,--no-undefined-version"]
    link.append(f"-Wl,--version-script={place}/cede.map")
    subprocess.run([compiler, "-std=c11", "-g", "-O0", "-fPIC", "-shared", "-I", place, *link, "-o", library,
                    os.path.join(place, "cede.c")], check=True)
    return library


def compare(old, new):
    command = ["abidiff", "--no-show-locs", old, new]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode & ~(CHANGED | INCOMPATIBLE):
        sys.exit(f"abidiff failed with {done.returncode}: {done.stderr}")
    return done.returncode, done.stdout


def expect(what, right, report):
    print(("ok: " if right else "not ok: ") + what)
    if not right:
        sys.exit(report)


def main():
    header_path, map_path, compiler = sys.argv[1:4]
    if not shutil.which("abidiff") or not shutil.which("abidw"):
        print("abidiff is not installed")
        sys.exit(SKIPPED)
    with open(header_path, encoding="ascii") as file:
        header = file.read()
    with open(map_path, encoding="ascii") as file:
        exports = file.read()
    widened_header, count = re.subn(r"\buint32_t column;", "uint64_t column;", header)
    expect("the header has the field to widen", count == 1, header_path)
    grown_header, count = re.subn(r"\} cede_finding;", "  uint32_t more;\n  uint32_t yet_more;\n} cede_finding;", header)
    expect("the header has the struct to grow", count == 1, header_path)
    swapped_header, count = re.subn(r"uint32_t line;( +/\*[^*]*\*/\n) +uint32_t column;",
                                    r"uint32_t column;\1  uint32_t line;", header)
    expect("the header has the fields to swap", count == 1, header_path)

    with tempfile.TemporaryDirectory() as folder:
        base = build(folder, "base", compiler, header, exports)
        equal = build(folder, "equal", compiler, header, exports)
        widened = build(folder, "widened", compiler, widened_header, exports)
        grown = build(folder, "grown", compiler, grown_header, exports)
        swapped = build(folder, "swapped", compiler, swapped_header, exports)
        dropped = build(folder, "dropped", compiler, header, exports, "cede_report_dropped")
        recorded = os.path.join(folder, "recorded.abi")
        subprocess.run(["abidw", "--out-file", recorded, base], check=True)

        # Against the library itself, and against its recorded form, which is what a release keeps.
        for old, form in ((base, "library"), (recorded, "record")):
            status, report = compare(old, equal)
            expect(f"an equal build is no change ({form})", status == 0, report)
            status, report = compare(old, widened)
            expect(f"a widened field is reported ({form})", status & CHANGED and "column" in report, report)
            status, report = compare(old, grown)
            expect(f"a struct that has grown is reported ({form})", status & CHANGED and "yet_more" in report, report)
            status, report = compare(old, swapped)
            expect(f"fields that change places are reported ({form})", status & CHANGED and "line" in report, report)
            status, report = compare(old, dropped)
            expect(f"a dropped symbol is reported ({form})",
                   status & INCOMPATIBLE and "cede_report_dropped" in report, report)


if __name__ == "__main__":
    main()
