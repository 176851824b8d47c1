# SPDX-License-Identifier: MIT
"""Draws instances of one profile, compares each, keeps what disagrees and counts."""
from __future__ import annotations

import json
import os
import traceback
from collections import Counter

from comparison import Command, Result, compare
from instances import Instance, draw

# How often a cluster is drawn anew when its request needs no search: it fits, or a trigger refuses it.
ATTEMPTS = 30


class Totals:
    def __init__(self, profile: str) -> None:
        self.profile = profile
        self.counted: Counter[str] = Counter()
        self.worst_gap = 0.0
        self.cede_seconds = 0.0
        self.slowest = 0.0
        self.solver_seconds = 0.0

    def add(self, result: Result) -> None:
        self.counted["instances"] += 1
        self.counted[result.outcome] += 1
        self.counted["disagreements"] += bool(result.faults)
        self.counted["unproven but best"] += result.outcome == "unproven" and result.best_found
        self.counted["undecided with a set"] += result.outcome == "undecided" and result.detail == "a set exists"
        self.worst_gap = max(self.worst_gap, result.gap)
        self.cede_seconds += result.cede_seconds
        self.slowest = max(self.slowest, result.cede_seconds)
        self.solver_seconds += result.solver_seconds

    @property
    def passed(self) -> bool:
        # One that was never searched has checked nothing.
        return not self.counted["disagreements"] and not self.counted["not-searched"]

    def __str__(self) -> str:
        n = self.counted
        return (f"{self.profile}: {n['instances']} instances: {n['optimal']} proven optimal, {n['unproven']} unproven "
                f"({n['unproven but best']} of them best all the same, worst stated gap {100 * self.worst_gap:.1f} %), "
                f"{n['no']} proven no, {n['undecided']} undecided ({n['undecided with a set']} of them have a set), "
                f"{n['disagreements']} disagreements; CPU-seconds: cede {self.cede_seconds:.1f} (slowest "
                f"{self.slowest:.2f}), model {self.solver_seconds:.1f}; {n['drawn anew']} drawn anew, "
                f"{n['not-searched']} given up")


def run(command: Command, profile: str, numbers: range, keep: str, verbose: bool) -> Totals:
    totals = Totals(profile)
    for number in numbers:
        for attempt in range(ATTEMPTS):
            instance = draw(profile, f"{number}.{attempt}")
            result = try_one(command, instance)
            if result.outcome != "not-searched":
                break
            totals.counted["drawn anew"] += 1
        totals.add(result)
        if verbose:
            print(profile, instance.seed, result, flush=True)
        if result.faults:
            folder = os.path.join(keep, f"{profile}-{instance.seed}")
            write(instance, folder)
            print(f"{profile}, seed {instance.seed}, documents in {folder}: {'; '.join(result.faults)}", flush=True)
    return totals


def try_one(command: Command, instance: Instance) -> Result:
    """A failure of the command or of the solver is a disagreement like any other: the documents are kept."""
    try:
        return compare(command, instance)
    except Exception:  # pylint: disable=broad-exception-caught
        return Result(outcome="failed", faults=[traceback.format_exc()])


def write(instance: Instance, folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, document in (("cluster", instance.cluster), ("policy", instance.policy)):
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)


def read(folder: str) -> Instance:
    documents = []
    for name in ("cluster", "policy"):
        with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
            documents.append(json.load(file))
    return Instance("replay", documents[0], documents[1])
