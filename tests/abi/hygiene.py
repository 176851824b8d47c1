#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the public header alone, as one standard of C or C++, with every warning an error.

Also: it includes only what rule 2 allows, brings in no macro that does not start with CEDE_, and the flags
used here do find a struct with a hole in it (else a clean run would prove nothing).

usage: hygiene.py HEADER STANDARD COMPILER
"""
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["-Wall", "-Wextra", "-pedantic", "-Wpadded", "-Werror"]
HOLE = "\ntypedef struct cede_hole { int32_t a; int64_t b; } cede_hole;\n"


def compile_text(compiler, standard, include, text, *more):
    language = "c++" if "++" in standard else "c"
    command = [compiler, "-x", language, f"-std={standard}", *FLAGS, "-I", include, *more, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def macros(compiler, standard, include, text):
    done = compile_text(compiler, standard, include, text, "-dM", "-E")
    if done.returncode != 0:
        sys.exit(f"macros cannot be listed: {done.stderr}")
    return set(re.findall(r"^#define (\w+)", done.stdout, re.M))


def main():
    header, standard, compiler = sys.argv[1:4]
    include = os.path.dirname(os.path.dirname(os.path.abspath(header)))
    with open(header, encoding="ascii") as file:
        text = file.read()

    for name in re.findall(r"^\s*#\s*include\s*(\S+)", text, re.M):
        if name not in ("<stddef.h>", "<stdint.h>") and not name.startswith("<cede/"):
            sys.exit(f"{header} includes {name}; allowed are <stddef.h>, <stdint.h> and <cede/...>")

    use = "#include <cede/cede.h>\n#include <cede/cede.h>\n"
    with tempfile.TemporaryDirectory() as folder:
        to_object = ("-c", "-o", os.path.join(folder, "header.o"))
        # As the main file, so that nothing is forgiven for being in a header; then twice, as users do.
        for source in (text, use):
            done = compile_text(compiler, standard, include, source, *to_object)
            if done.returncode != 0:
                sys.exit(f"not clean as {standard}:\n{done.stderr}")
        if compile_text(compiler, standard, include, text + HOLE, *to_object).returncode == 0:
            sys.exit(f"{compiler} -std={standard} does not notice a struct with a hole")

    base = "#include <stddef.h>\n#include <stdint.h>\n"
    foreign = [m for m in macros(compiler, standard, include, use) - macros(compiler, standard, include, base)
               if not m.startswith("CEDE_")]
    if foreign:
        sys.exit(f"macros of other names: {', '.join(sorted(foreign))}")


if __name__ == "__main__":
    main()
