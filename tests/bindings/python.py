#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of bindings/python: python.py --library FILE --build FOLDER [--sanitize KINDS].

In build/python, if packaging/setup --long has made it: that Python has numpy and mypy. Else in this one, and what needs
them is skipped.
"""
import argparse
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
options = argparse.ArgumentParser()
options.add_argument("--library", required=True)
options.add_argument("--build", required=True)
options.add_argument("--sanitize", default="")
given = options.parse_args()
if given.sanitize:
    print("skipped: Python cannot load a library with sanitizers")
    sys.exit(77)
complete = SOURCE / "build" / "python" / "bin" / "python"
python = str(complete) if complete.exists() else sys.executable
environment = {**os.environ, "CEDE_LIBRARY": given.library, "CEDE_BUILD": given.build}
sys.exit(subprocess.run([python, "-B", "-m", "unittest", "-v"], cwd=SOURCE / "bindings" / "python", env=environment,
                        check=False).returncode)
