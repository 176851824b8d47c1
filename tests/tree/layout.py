#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks names, licence lines and sizes of the files: layout.py ROOT, or layout.py --self-test."""
import os
import re
import subprocess
import sys
import tempfile

TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md",
             "include", "lib", "plugins", "bindings", "tests", "packaging"}
# Names that tell nobody what is inside. A resource manager is one: the example, and the one of 'cede run'.
EMPTY_WORDS = {"util", "helper", "manager", "common", "misc", "impl"}
EXEMPT = {"array_manager.c", "custom_manager.c", "array_manager.rs", "custom_manager.rs", "manager.h", "manager.cpp",
          "manager_actions.cpp", "manager_events.cpp", "manager_plans.cpp", "manager_reports.cpp"}
LICENSED = (".c", ".h", ".hpp", ".cpp", ".py", ".cmake", ".go", ".rs", ".sh", ".bash", ".zsh", ".1")
SIZED = ("lib/", "include/", "plugins/")
MAX_LINES = 600
# The one public header is the reference manual of every call.
MANUAL = "include/cede/cede.h"


def tracked(root):
    """Files that are or would be committed; of an unpacked archive, all but build/."""
    git = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if os.path.exists(os.path.join(root, ".git")):
        try:
            listed = subprocess.run(git, capture_output=True, check=True).stdout.decode().split("\0")
            return sorted({f for f in listed if f and os.path.exists(os.path.join(root, f))})
        except (OSError, subprocess.CalledProcessError):
            pass
    found = []
    for folder, folders, names in os.walk(root):
        if folder == root:
            folders[:] = [f for f in folders if f not in (".git", "build")]
        found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(found)


def name_faults(path):
    top = path.split("/")[0]
    if top not in TOP_LEVEL and not top.startswith("."):
        yield f"'{top}' does not belong on the top level; allowed: {', '.join(sorted(TOP_LEVEL))} and dot files"
    name = os.path.basename(path)
    for word in re.split(r"[^a-z]+", path.lower()) if name not in EXEMPT else []:
        if word in EMPTY_WORDS or word.rstrip("s") in EMPTY_WORDS:
            yield f"'{word}' says nothing about what the file is for"


def text_faults(path, text, executable):
    lines = text.splitlines()
    script = text.startswith("#!")
    if path.endswith(LICENSED) or os.path.basename(path) == "CMakeLists.txt" or script:
        licence = "GPL-2.0-or-later" if path.startswith("plugins/slurm/") else "MIT"
        if not any(f"SPDX-License-Identifier: {licence}" in line for line in lines[:3]):
            yield f"the first three lines have no 'SPDX-License-Identifier: {licence}'"
    if path.startswith(SIZED) and path != MANUAL and len(lines) > MAX_LINES:
        yield f"{len(lines)} lines; at most {MAX_LINES} are allowed: it holds more than one idea"
    if script and path.startswith(("packaging/", ".ci/")) and not executable:
        yield "a script without its run bit"


def check_tree(root):
    paths = tracked(root)
    found = [] if any(p.startswith("lib/") for p in paths) else [f"no files of lib/ under '{root}'"]
    for path in paths:
        full = os.path.join(root, path)
        found += [f"{path}: {why}" for why in name_faults(path)]
        try:
            with open(full, encoding="utf-8") as source:
                text = source.read()
        except UnicodeDecodeError:
            continue
        found += [f"{path}: {why}" for why in text_faults(path, text, os.access(full, os.X_OK))]
    return found


SPDX = "// SPDX-License-Identifier: MIT\n"
GOOD = {"lib/base/text.h": SPDX, "README.md": "", ".clang-format": "", "lib/libcede.map": "CEDE_0 {};\n",
        "bindings/c/examples/custom_manager.c": SPDX, "lib/base/long.cpp": SPDX + "\n" * (MAX_LINES - 1),
        "tests/tree/layout.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: MIT\n",
        "plugins/slurm/agent.c": "/* SPDX-License-Identifier: GPL-2.0-or-later */\n"}
BAD = {"scripts/run": "", "notes.txt": "", "lib/base/string_utils.h": SPDX, "lib/misc/text.h": SPDX,
       "plugins/cli/output.cpp": "#include <string>\n", "lib/base/longer.cpp": SPDX + "\n" * MAX_LINES,
       "plugins/slurm/step.c": SPDX, "lib/base/name.cpp": "\n\n\n" + SPDX, "tests/CMakeLists.txt": "",
       "packaging/publish": "#!/bin/sh\n# SPDX-License-Identifier: MIT\n"}


def self_test():
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**GOOD, **BAD}.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        named = {line.split(":")[0] for line in check_tree(root)}
    return [f"refused but allowed: {p}" for p in sorted(named - set(BAD))] + \
        [f"allowed but wrong: {p}" for p in sorted(set(BAD) - named)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = self_test() if sys.argv[1] == "--self-test" else check_tree(sys.argv[1])
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
