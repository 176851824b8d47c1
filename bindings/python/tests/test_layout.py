# SPDX-License-Identifier: MIT
"""The package repeats the header: its structs, its constants and its calls, all of which it uses."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import unittest

from cede import structs
from cede._calls import CALLS

from . import HEADER, PACKAGE, build_folder, needs_numpy

STRUCTS = {name: value for name, value in vars(structs).items()
           if isinstance(value, type) and issubclass(value, structs.Fields) and value is not structs.Fields}
# Another call does the same, in a form that suits Python better.
UNUSED = {"cede_ledger_victim_phase": "cede_ledger_victims", "cede_engine_names": "cede_engine_names_packed",
          "cede_plan_victim_count": "cede_plan_victims",
          "cede_plan_place_count": "cede_plan_places", "cede_step_action_count": "cede_step_actions",
          "cede_report_count": "cede_report_findings"}


def c_name(name):
    return "cede_" + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


class LayoutTest(unittest.TestCase):
    def test_modules_are_what_the_header_says(self):
        made = subprocess.run([sys.executable, "-B", PACKAGE / "generate", "--check", HEADER / "cede" / "cede.h"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def test_every_call_is_used(self):
        text = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "cede").glob("*.py")
                       if path.name != "_calls.py")
        missing = [call for call in CALLS if not re.search(rf"library\.{call}\b", text)]
        self.assertEqual(sorted(missing), sorted(UNUSED))

    def test_no_struct_has_padding(self):
        for name, struct in STRUCTS.items():
            with self.subTest(name):
                self.assertEqual(sum(getattr(struct, field[0]).size for field in struct._fields_), ctypes.sizeof(struct))

    def test_structs_are_those_of_c(self):
        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            self.skipTest("no C compiler")
        lines, wanted = [], []
        for name, struct in STRUCTS.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({c_name(name)}));')
            wanted.append(f"{name} {ctypes.sizeof(struct)}")
            for field in struct._fields_:
                member = field[0].rstrip("_")
                lines.append(f'printf("{name}.{field[0]} %zu %zu\\n", offsetof({c_name(name)}, {member}), '
                             f'sizeof((({c_name(name)}*)0)->{member}));')
                offset = getattr(struct, field[0])
                wanted.append(f"{name}.{field[0]} {offset.offset} {offset.size}")
        with build_folder() as folder:
            with open(f"{folder}/layout.c", "w", encoding="utf-8") as source:
                source.write("#include <cede/cede.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) +
                             "\nreturn 0; }\n")
            subprocess.run([compiler, f"-I{HEADER}", f"{folder}/layout.c", "-o", f"{folder}/layout"], check=True)
            out = subprocess.run([f"{folder}/layout"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(out.splitlines(), wanted)

    @needs_numpy
    def test_dtypes_are_the_structs(self):
        import cede
        for name, struct in STRUCTS.items():
            with self.subTest(name):
                made = cede.dtype(struct)
                self.assertEqual(made.itemsize, ctypes.sizeof(struct))
                for field in struct._fields_:
                    kind, offset = made.fields[field[0]][:2]
                    descriptor = getattr(struct, field[0])
                    self.assertEqual((kind.itemsize, offset), (descriptor.size, descriptor.offset))
