#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at what was built for the protections of packaging/cmake/cede_hardening.cmake.

hardening.py [--fortified] [--cet] [--objects LIST] FILE...   LIST holds names of object files, one per line
hardening.py --self-test --cc CC [--cet]                      each protection that is left out is found
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

# What an indirect branch may lead to begins with this instruction, endbr64.
MARK = b"\xf3\x0f\x1e\xfa"


def run(*command):
    result = subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(command)}\nended with status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def readelf(path, *options):
    return run("readelf", "--wide", *options, path)


def is_marked(path, address, segments):
    """Whether the code at an address of the loaded file begins with the mark."""
    for offset, start, size in segments:
        if start <= address < start + size:
            with open(path, "rb") as file:
                file.seek(offset + address - start)
                return file.read(len(MARK)) == MARK
    return False


def cet_faults(path, header, dynamic, segments):
    if not re.search(r"x86 feature:.*IBT.*SHSTK", readelf(path, "--notes")):
        yield "its ELF note does not say IBT and SHSTK"
        return
    loaded = [tuple(int(n, 16) for n in found) for found in
              re.findall(r"^\s*LOAD\s+(0x\w+)\s+(0x\w+)\s+0x\w+\s+(0x\w+)", segments, re.MULTILINE)]
    entries = [("DT_" + name, value) for name, value in re.findall(r"\((INIT|FINI)\)\s+(0x\w+)", dynamic)]
    if "INTERP" in segments:
        entries.append(("the entry point", re.search(r"Entry point address:\s+(0x\w+)", header).group(1)))
    for name, address in entries:
        if not is_marked(path, int(address, 16), loaded):
            yield f"its note says IBT, but {name} does not begin with endbr64"


def faults(path, cet, fortified):
    """What a library or program lacks."""
    header, dynamic = readelf(path, "--file-header"), readelf(path, "--dynamic")
    segments, symbols = readelf(path, "--segments"), readelf(path, "--dyn-syms")
    # A program without an interpreter line is no program; a library may have none.
    if not re.search(r"Type:\s+DYN", header):
        yield "it is not position independent"
    if "INTERP" in segments and not re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic):
        yield "it is not marked as a position independent program"
    if not re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*\bNOW\b", dynamic):
        yield "its symbols are not bound when it starts (BIND_NOW)"
    if "GNU_RELRO" not in segments:
        yield "it has no segment that becomes read-only (RELRO)"
    stack = re.search(r"GNU_STACK.*?0x\w+\s+0x\w+\s+0x\w+\s+0x\w+\s+0x\w+\s+([RWE ]+?)\s+0x", segments)
    if not stack or "E" in stack.group(1):
        yield "its stack is executable"
    if "__stack_chk_fail" not in symbols:
        yield "it has no stack protector"
    if fortified and not re.search(r"\s__(?!stack)\w+_chk\b", symbols):
        yield "it calls nothing of the C library fortified"
    if cet:
        yield from cet_faults(path, header, dynamic, segments)


def unmarked_objects(paths):
    """Object files without the note: the linker was told to set it, so only this shows that it is true."""
    for path in paths:
        if not re.search(r"x86 feature:.*IBT.*SHSTK", readelf(path, "--notes")):
            yield path


CODE = """
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  char text[64];
  snprintf(text, sizeof text, "%d %s", count, words[0]);
  memcpy(text, words[0], strlen(words[0]));
  return puts(text) < 0;
}
"""
GOOD = ["-O2", "-fPIE", "-pie", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong",
        "-Wl,-z,relro,-z,now,-z,noexecstack"]
# Each leaves one out, and must be told with these words.
BAD = {"-no-pie": "not position independent", "-Wl,-z,lazy": "BIND_NOW", "-Wl,-z,norelro": "RELRO",
       "-Wl,-z,execstack": "executable", "-fno-stack-protector": "stack protector", "-U_FORTIFY_SOURCE": "fortified"}


def self_test(cc, cet):
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "x.c"), os.path.join(folder, "x")
        with open(source, "w", encoding="utf-8") as file:
            file.write(CODE)

        def told(*options):
            run(cc, *GOOD, *options, "-o", program, source)
            return list(faults(program, False, True))

        if got := told():
            sys.exit(f"a program with everything is told: {got}")
        for option, words in BAD.items():
            got = told(option)
            if not any(words in each for each in got):
                sys.exit(f"with {option} nothing says '{words}': {got}")
        if not cet:
            return
        run(cc, *GOOD, "-fcf-protection=none", "-o", program, source)
        if not any("IBT and SHSTK" in each for each in faults(program, True, True)):
            sys.exit("a program without the note is not told")
        # Said, but not so.
        run(cc, *GOOD, "-fcf-protection=none", "-Wl,-z,ibt,-z,shstk,--entry=main", "-o", program, source)
        if not any("entry point does not begin" in each for each in faults(program, True, True)):
            sys.exit("a program whose note is not true is not told")
        run(cc, "-fcf-protection=none", "-c", "-o", program, source)
        if list(unmarked_objects([program])) != [program]:
            sys.exit("an object without the note is not told")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fortified", action="store_true")
    parser.add_argument("--cet", action="store_true")
    parser.add_argument("--objects")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        self_test(options.cc, options.cet)
        return
    told = [f"{path}: {fault}" for path in options.files for fault in faults(path, options.cet, options.fortified)]
    if options.cet and options.objects:
        with open(options.objects, encoding="utf-8") as file:
            objects = file.read().split()
        if not objects:
            sys.exit(f"'{options.objects}' names no object file")
        told += [f"{path}: its ELF note does not say IBT and SHSTK" for path in unmarked_objects(objects)]
    if told or not options.files:
        sys.exit("\n".join(told) or "no file to look at")


if __name__ == "__main__":
    main()
