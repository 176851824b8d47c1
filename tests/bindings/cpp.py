#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The C++ wrapper as a user meets it: cpp.py --library FILE --build FOLDER --cxx COMPILER [--sanitize KINDS].

Every call of cede.h is made by the wrapper, and the quick starts and the example print what they say.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = SOURCE / "include"
BINDING = SOURCE / "bindings" / "cpp"
# Another call does the same, in a form that suits C++ better.
UNUSED = {"cede_engine_names": "cede_engine_names_packed", "cede_report_count": "cede_report_findings",
          "cede_plan_victim_count": "cede_plan_victims", "cede_plan_place_count": "cede_plan_places",
          "cede_step_action_count": "cede_step_actions"}
EXAMPLE = """victim: low, cost 6
hint to low
stop low
low waits again, to resume
start high on n1, devices 0xf
nothing in flight
"""


class WrapperTest(unittest.TestCase):
    def run_program(self, name, source, standard="c++17"):
        path = pathlib.Path(given.build)
        path.mkdir(parents=True, exist_ok=True)
        path = path / f"{name}.cpp"
        path.write_text(source, encoding="utf-8")
        flags = [f"-fsanitize={given.sanitize}"] if given.sanitize else []
        built = subprocess.run([given.cxx, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion",
                                "-Werror", *flags, f"-I{INCLUDE}", path, given.library, "-o", path.with_suffix("")],
                               capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        made = subprocess.run([path.with_suffix("")], stdout=subprocess.PIPE, text=True, check=False,
                              env={**os.environ, "LD_LIBRARY_PATH": str(pathlib.Path(given.library).parent)})
        self.assertEqual(made.returncode, 0)
        return made.stdout

    def test_every_call_is_made(self):
        calls = re.findall(r"^CEDE_API [^;(]*?(cede_\w+)\(", (INCLUDE / "cede" / "cede.h").read_text(), re.MULTILINE)
        text = "".join((INCLUDE / "cede" / name).read_text() for name in ("cede.hpp", "answers.hpp"))
        self.assertEqual(sorted(c for c in calls if not re.search(rf"\b{c}\b", text)), sorted(UNUSED))

    def test_quick_starts_print_what_they_say(self):
        text = (BINDING / "README.md").read_text(encoding="utf-8")
        starts = re.findall(r"```cpp\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
        self.assertEqual(len(starts), 2)
        for index, (source, printed) in enumerate(starts):
            self.assertEqual(self.run_program(f"quick_start_{index}", source), printed)

    def test_the_example(self):
        source = (BINDING / "examples" / "plan_to_started.cpp").read_text(encoding="utf-8")
        self.assertEqual(self.run_program("plan_to_started", source), EXAMPLE)

    def test_newer_standards(self):
        self.run_program("newer", "#include <cede/cede.hpp>\nint main() { return cede::version() == 0; }\n", "c++20")


options = argparse.ArgumentParser()
for option in ("--library", "--build", "--cxx"):
    options.add_argument(option, required=True)
options.add_argument("--sanitize", default="")
given, rest = options.parse_known_args()
unittest.main(argv=[sys.argv[0], *rest])
