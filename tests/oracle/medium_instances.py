#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the plans of random medium clusters against a mixed-integer model solved by HiGHS.

ctest runs it once per profile. By hand: medium_instances.py --profile NAME, or --replay FOLDER for a kept case.
Status 1: something disagrees; its documents are kept. Status 77: HiGHS is not installed (packaging/setup --long).
"""
from __future__ import annotations

import argparse
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("CEDE_SOURCE", os.path.dirname(os.path.dirname(HERE)))
COMMAND = os.environ.get("CEDE_COMMAND", os.path.join(SOURCE, "build/release/plugins/cli/cede"))
SOLVER_HOME = os.path.join(SOURCE, "build/highs")  # where packaging/setup --long installs HiGHS


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--profile", help="the profile to try")
    what.add_argument("--replay", metavar="FOLDER", help="compare the cluster.json and policy.json there")
    parser.add_argument("--instances", type=int, default=500 if os.environ.get("CEDE_LONG") else 10, metavar="N",
                        help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first instance")
    parser.add_argument("--keep", default="cases", metavar="FOLDER", help="for the documents of what disagrees")
    parser.add_argument("--totals", metavar="FILE", help="write the totals there, too")
    parser.add_argument("--verbose", action="store_true", help="a line for every instance")
    return parser.parse_args()


def require_solver() -> None:
    """Goes on in the Python that has HiGHS where this one has not; ends with status 77 where none has."""
    if importlib.util.find_spec("highspy"):
        return
    python = os.path.join(SOLVER_HOME, "bin/python")
    if os.path.exists(python) and os.path.realpath(sys.prefix) != os.path.realpath(SOLVER_HOME):
        os.execv(python, [python, "-B", *sys.argv])
    print("skipped: Python has no module highspy; packaging/setup --long installs it into build/highs")
    sys.exit(77)


def main() -> int:
    arguments = parse()
    require_solver()
    # They need the solver.
    import trials  # pylint: disable=import-outside-toplevel
    from comparison import Command, compare  # pylint: disable=import-outside-toplevel

    command = Command(os.path.abspath(COMMAND))
    if arguments.replay:
        result = compare(command, trials.read(arguments.replay))
        print(result)
        return 1 if result.faults else 0
    numbers = range(arguments.first, arguments.first + arguments.instances)
    totals = trials.run(command, arguments.profile, numbers, arguments.keep, arguments.verbose)
    print(totals)
    if arguments.totals:
        with open(arguments.totals, "w", encoding="utf-8") as file:
            print(totals, file=file)
    return 0 if totals.passed else 1


if __name__ == "__main__":
    sys.exit(main())
