#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks who includes whom: include_table.py ROOT, or include_table.py --self-test.

The folders of lib/ are layers; an include against the arrows is how a layer stops being one.
"""
import os
import re
import sys

LOW = {"base", "model"}
MIDDLE = LOW | {"topology", "policy", "report"}
# Which folders of lib/ the files of a folder may include, besides their own.
MAY_INCLUDE = {
    "base": set(),
    "model": {"base"},
    "topology": LOW,
    "policy": LOW,
    "report": LOW,
    "placement": MIDDLE,
    "search": MIDDLE | {"placement"},
    "verify": LOW | {"topology", "policy"},
    "sequence": MIDDLE | {"placement", "search"},
    "document": MIDDLE,
    "engine": MIDDLE | {"placement", "search", "verify", "sequence", "document"},
    "capi": MIDDLE | {"placement", "search", "sequence", "engine"},
}
# Parts of policy that are free of rules: the plan check uses them and shares no rule with the search.
WITHOUT_RULES = ("lib/policy/settings/", "lib/policy/shares/")
RULES = ("policy/rules/", "policy/profiles/", "policy/rule.h", "policy/composition.h")
# The verifier shares data, settings and fair shares with the search, and no rule: of the folders it may include, these
# files alone. A rule that both read would be wrong in both.
VERIFY_MAY_INCLUDE = re.compile(
    r"base/|model/|verify/|policy/settings/|policy/shares/|topology/import/device_catalogue\.h$")
# Third-party headers by the start of their name, and the folders of lib/ that may know them.
THIRD_PARTY = {
    "hwloc": {"topology"},
    "boost/": {"document"},
    "tbb/": {"base", "placement", "search"},
    "oneapi/": {"base", "placement", "search"},
    "execution": {"placement", "search"},  # the standard's parallel algorithms are TBB underneath
    "cede/": {"capi"},
}
# The arena belongs to the engine; what runs in it belongs to search.
ARENA = {f"{prefix}tbb/{name}.h" for prefix in ("", "oneapi/") for name in ("task_arena", "global_control", "info")}
# The library prints nothing and reads neither files nor random numbers.
OUTSIDE_WORLD = {"iostream", "fstream", "filesystem", "random"}

SHARED = "base/edit_distance.h"
# Tests that see what a user of the library sees.
OUTSIDE_TESTS = ("tests/abi", "tests/lives", "tests/fuzz")
SOURCES = (".h", ".hpp", ".c", ".cpp", ".go")
# In Go the C part is a comment, each line of which may start with //.
INCLUDE = re.compile(r'^\s*(?://\s*)?#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("//") and not path.endswith(".go"):
            continue
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def library_fault(layer, quoted, name):
    if layer not in MAY_INCLUDE:
        return f"'{layer}' is no known folder of lib/: {', '.join(MAY_INCLUDE)}"
    for start, allowed in THIRD_PARTY.items():
        if name.startswith(start):
            if layer in allowed or (layer == "engine" and name in ARENA):
                return None
            return f"only {' and '.join(sorted(allowed))} may include this"
    if name in OUTSIDE_WORLD:
        return "the library neither prints nor reads files or random numbers"
    folder = name.split("/")[0] if "/" in name else None
    if not quoted:
        return None if folder in (None, "sys") else f"the library does not depend on '{folder}'"
    if folder not in MAY_INCLUDE:
        return "name the folder of lib/ it is in, as in \"base/text.h\""
    if folder != layer and folder not in MAY_INCLUDE[layer]:
        return f"{layer} may include {', '.join(sorted(MAY_INCLUDE[layer] | {layer}))}"
    if layer == "verify" and not VERIFY_MAY_INCLUDE.match(name):
        return "the verifier states every rule itself: of policy it may include settings and shares"
    return None


def outsider_fault(path, home, quoted, name, files):
    """Plugins, bindings, ABI tests, lives and fuzz targets: the public header, their own files, and what their job
    brings along.

    The command also checks the settings of the Slurm plugin, whose reader includes nothing of Slurm.
    """
    if name.startswith("cede/"):
        return None
    # One measure of how near two names are, for the whole tree: plain C, without symbols.
    if quoted and name == SHARED and home in ("plugins/cli", "plugins/slurm"):
        return None
    # Boost.JSON's own sources, and the reader of scenarios, which is not the library's.
    if path == "tests/fuzz/boost_json.cpp" and name == "boost/json/src.hpp":
        return None
    if path == "tests/fuzz/scenario.cpp" and quoted and name.startswith(("cli/", "local/")):
        return None
    if not quoted:
        folder = name.split("/")[0] if "/" in name else None
        brought = {"tests/abi": {"CUnit"}, "plugins/slurm": {"slurm", "src"}}.get(home, set())
        if path.startswith(("plugins/slurm/config/", "plugins/slurm/translate/")):
            brought = set()
        if name.startswith("hwloc"):
            return "only lib/topology may include this"
        known = {None, "sys", "linux", "netinet", "arpa"} | brought
        return None if folder in known else f"{home} sees include/cede and its own files only"
    if home == "plugins/cli" and f"plugins/slurm/{name}" in files and name.startswith("config/"):
        return None
    # The embedded manager is a command of the command line and uses its console and JSON reader.
    if home == "plugins/local" and f"plugins/{name}" in files and name.startswith("cli/"):
        return None
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if any(f in files and f.startswith(home + "/") for f in (beside, f"{home}/{name}")):
        return None
    return f"{home} sees include/cede and its own files only"


def fault(path, quoted, name, files):
    parts = path.split("/")
    if path.startswith(WITHOUT_RULES) and name.startswith(RULES):
        return "settings and shares know no rules"
    if parts[0] == "lib":
        return library_fault(parts[1], quoted, name)
    if parts[0] == "include":
        return None if name in ("stddef.h", "stdint.h") or name.startswith("cede/") or path.endswith(".hpp") else \
            "public headers include only <stddef.h>, <stdint.h> and <cede/...>"
    home = "/".join(parts[:2])
    if parts[0] in ("plugins", "bindings") or home in OUTSIDE_TESTS:
        return outsider_fault(path, home, quoted, name, files)
    if path.startswith("tests/support/enumerator.") and quoted and not name.startswith("support/") \
            and not VERIFY_MAY_INCLUDE.match(name):
        return "the oracle asks the verifier: it must not know the rules that are searched by"
    return None


def faults(path, text, files):
    for number, quoted, name in includes(path, text):
        why = fault(path, quoted, name, files)
        if why:
            yield f"{path}:{number}: includes '{name}'; {why}"


def check_tree(root):
    files = set()
    for top in ("lib", "include", "plugins", "bindings", "tests/support", *OUTSIDE_TESTS):
        for folder, _, names in os.walk(os.path.join(root, top)):
            files.update(os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith(SOURCES))
    if not any(f.startswith("lib/") for f in files):
        return [f"no sources under '{root}'"]
    found = []
    for path in sorted(files):
        with open(os.path.join(root, path), encoding="utf-8") as source:
            found += faults(path, source.read(), files)
    return found


GOOD = [
    ("lib/base/text.cpp", '#include "base/text.h"'),
    ("lib/base/text.cpp", "#include <string_view>"),
    ("lib/policy/rules/caps.cpp", '#include "policy/rule.h"'),
    ("lib/policy/shares/fair_share.h", '#include "policy/settings/effective_settings.h"'),
    ("lib/search/victims.cpp", '#include "topology/check.h"'),
    ("lib/search/victims.cpp", "#include <oneapi/tbb/parallel_reduce.h>"),
    ("lib/engine/engine.cpp", "#include <oneapi/tbb/task_arena.h>"),
    ("lib/engine/engine.cpp", '#include "verify/verify.h"'),
    ("lib/verify/caps.cpp", '#include "policy/settings/effective_settings.h"'),
    ("lib/verify/caps.cpp", '#include "policy/shares/water_filling.h"'),
    ("tests/support/enumerator.cpp", '#include "verify/plan_checks.h"'),
    ("lib/engine/engine.cpp", '#include "document/document.h"'),
    ("lib/document/cluster_reader.cpp", "#include <boost/json/basic_parser.hpp>"),
    ("lib/topology/import.cpp", "#include <hwloc.h>"),
    ("lib/capi/engine.cpp", "#include <cede/cede.h>"),
    ("lib/base/text.cpp", '// #include "engine/engine.h"'),
    ("include/cede/cede.h", "#include <stdint.h>"),
    ("plugins/cli/main.cpp", '#include "output.h"'),
    ("plugins/cli/main.cpp", "#include <cede/cede.h>"),
    ("plugins/cli/slurm_settings.cpp", '#include "config/settings.h"'),
    ("plugins/cli/message_text.cpp", '#include "base/edit_distance.h"'),
    ("plugins/slurm/config/field.c", '#include "base/edit_distance.h"'),
    ("plugins/slurm/preempt/plugin.c", '#include "translate/text.h"'),
    ("plugins/slurm/preempt/plugin.c", "#include <src/slurmctld/slurmctld.h>"),
    ("tests/abi/engine.c", "#include <CUnit/Basic.h>"),
    ("tests/fuzz/boost_json.cpp", "#include <boost/json/src.hpp>"),
    ("tests/fuzz/scenario.cpp", '#include "local/scenario_reader.h"'),
    ("tests/unit/text_test.cpp", '#include "base/text.h"'),
]
BAD = [
    ("lib/verify/caps.cpp", '#include "policy/rules/caps.h"'),
    ("lib/verify/caps.cpp", '#include "policy/composition.h"'),
    ("lib/verify/caps.cpp", '#include "policy/unit.h"'),
    ("lib/verify/caps.cpp", '#include "placement/space.h"'),
    ("lib/verify/topology.cpp", '#include "topology/fit/node_fit.h"'),
    ("lib/search/decision.cpp", '#include "verify/verify.h"'),
    ("tests/support/enumerator.cpp", '#include "policy/composition.h"'),
    ("tests/support/enumerator.cpp", '#include "search/objective.h"'),
    ("lib/base/text.cpp", '#include "model/cluster.h"'),
    ("lib/model/cluster.h", '#include "policy/rule.h"'),
    ("lib/topology/check.cpp", '#include "policy/rule.h"'),
    ("lib/report/explain.cpp", '#include "search/plan.h"'),
    ("lib/search/victims.cpp", '#include "sequence/ledger.h"'),
    ("lib/search/victims.cpp", '#include "document/document.h"'),
    ("lib/document/plan_writer.cpp", '#include "search/plan.h"'),
    ("lib/engine/engine.cpp", '#include "capi/guard.h"'),
    ("lib/capi/engine.cpp", '#include "document/document.h"'),
    ("lib/policy/rules/caps.cpp", '  #  include "search/plan.h"'),
    ("lib/policy/settings/effective_settings.h", '#include "policy/composition.h"'),
    ("lib/policy/shares/fair_standing.h", '#include "policy/rules/caps.h"'),
    ("lib/model/cluster.h", "#include <hwloc.h>"),
    ("lib/model/cluster.h", "#include <hwloc/bitmap.h>"),
    ("lib/engine/engine.cpp", "#include <boost/json.hpp>"),
    ("lib/policy/rule.cpp", "#include <tbb/parallel_for.h>"),
    ("lib/engine/engine.cpp", "#include <oneapi/tbb/parallel_for.h>"),
    ("lib/policy/rule.cpp", "#include <oneapi/tbb/task_arena.h>"),
    ("lib/base/text.cpp", "#include <execution>"),
    ("lib/engine/engine.cpp", "#include <cede/cede.h>"),
    ("lib/engine/engine.cpp", '#include "cede/cede.h"'),
    ("lib/base/text.cpp", "#include <iostream>"),
    ("lib/base/text.cpp", '#include "text.h"'),
    ("lib/base/text.cpp", '#include "../base/text.h"'),
    ("lib/base/text.cpp", "#include <gtest/gtest.h>"),
    ("lib/odds/text.cpp", "#include <string>"),
    ("include/cede/cede.h", "#include <stdbool.h>"),
    ("plugins/cli/main.cpp", '#include "base/text.h"'),
    ("plugins/cli/main.cpp", '#include "../../lib/base/text.h"'),
    ("plugins/cli/main.cpp", "#include <boost/json.hpp>"),
    ("plugins/cli/main.cpp", "#include <hwloc.h>"),
    ("plugins/cli/main.cpp", '#include "translate/text.h"'),
    ("plugins/slurm/config/settings.c", "#include <slurm/slurm.h>"),
    ("bindings/go/cede.go", '// #include "base/text.h"'),
    ("tests/abi/engine.c", '#include "../unit/support.h"'),
    ("tests/abi/engine.c", "#include <gtest/gtest.h>"),
    ("tests/lives/main.cpp", '#include "base/text.h"'),
    ("tests/fuzz/calls.cpp", '#include "base/text.h"'),
    ("tests/fuzz/calls.cpp", "#include <boost/json/src.hpp>"),
    ("tests/fuzz/calls.cpp", '#include "local/scenario_reader.h"'),
]


def self_test():
    files = {path for path, _ in GOOD + BAD}
    files |= {"plugins/slurm/config/settings.h", "plugins/slurm/translate/text.h", "plugins/cli/output.h", "lib/base/text.h", "tests/unit/support.h"}
    wrong = [f"refused but allowed: {f}" for path, line in GOOD for f in faults(path, line, files)]
    wrong += [f"allowed but wrong: {path}: {line}" for path, line in BAD if not list(faults(path, line, files))]
    third = "\n\n" + BAD[0][1]
    if not any(f"{BAD[0][0]}:3:" in f for f in faults(BAD[0][0], third, files)):
        wrong.append("the line number is not told")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = self_test() if sys.argv[1] == "--self-test" else check_tree(sys.argv[1])
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
