# SPDX-License-Identifier: MIT
"""The plugin as packaging/slurm builds it has the protections of everything else; nothing of Slurm runs here."""
import os
import platform
import sys

from cede_site import SOURCE, build_plugin

sys.path.insert(0, os.path.join(SOURCE, "tests/install"))
import hardening  # noqa: E402


def main():
    folder = build_plugin()
    cet = platform.machine() == "x86_64"
    paths = [os.path.join(folder, "preempt_cede.so"), os.path.join(folder, "late/preempt_cede.so")]
    told = [f"{path}: {fault}" for path in paths for fault in hardening.faults(path, cet, True)]
    objects = [os.path.join(found, name) for found, _, names in os.walk(folder) for name in names if name.endswith(".c.o")]
    told += [f"{path}: its ELF note does not say IBT and SHSTK" for path in hardening.unmarked_objects(objects) if cet]
    if not objects:
        told.append(f"'{folder}' has no object files")
    sys.exit("\n".join(told) or 0)


main()
