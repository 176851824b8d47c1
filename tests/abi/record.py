#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the ABI that the header describes with the recorded one, tests/abi/recorded/cede-VERSION.abi.

Anything that abidiff reports fails the test: a symbol that is gone, a field that moved, and also a struct that
has grown at its end or a call that is new, which are allowed. If the change is allowed, renew the record in the
same commit; layout.c and the tests that are compiled with the recorded header then show that nothing has moved.

usage: record.py HEADER MAP COMPILER RECORD [--renew]      (exit status 77: abidiff is not installed)
"""
import os
import shutil
import subprocess
import sys
import tempfile

import bites


def write(record, library, headers):
    subprocess.run(["abidw", "--headers-dir", headers, "--exported-interfaces-only", "--load-all-types",
                    "--no-comp-dir-path", "--short-locs", "--no-show-locs", "--out-file", record, library], check=True)


def main():
    header_path, map_path, compiler, record = sys.argv[1:5]
    if not shutil.which("abidiff") or not shutil.which("abidw"):
        print("abidiff is not installed; packaging/setup installs it")
        sys.exit(bites.SKIPPED)
    with open(header_path, encoding="ascii") as file:
        header = file.read()
    with open(map_path, encoding="ascii") as file:
        exports = file.read()
    with tempfile.TemporaryDirectory() as folder:
        library = bites.build(folder, "now", compiler, header, exports)
        now = os.path.join(folder, "now.abi")
        write(now, library, os.path.join(folder, "now"))
        if sys.argv[5:] == ["--renew"]:
            shutil.copy(now, record)
            return
        status, report = bites.compare(record, now)
        if status:
            sys.exit(f"{report}\nThe ABI is not the recorded one. If this is allowed, run:\n"
                     f"  tests/abi/record.py include/cede/cede.h lib/libcede.map cc {record} --renew")
    print("the ABI is the recorded one")


if __name__ == "__main__":
    main()
