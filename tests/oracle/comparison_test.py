#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The comparison finds each kind of wrong answer: right plans pass, altered ones do not."""
from __future__ import annotations

import copy
import unittest
from decimal import Decimal
from typing import Any

from medium_instances import require_solver

require_solver()

from comparison import Command, compare  # noqa: E402  # pylint: disable=wrong-import-position
from instances import NOW, REQUEST, Instance  # noqa: E402  # pylint: disable=wrong-import-position

MINUTE = 60


def running(name: str, slots: int, minutes: int, **more: Any) -> dict[str, Any]:
    """A job on the one node; its price is the minutes it has run and the overhead of 1."""
    return {"id": name, "queue": "root", "gang": True, "state": "running", "started": NOW - minutes * MINUTE,
            "priority": 0, "class": 1, "tasks": [{"resources": {"slots": slots}, "node": "n"}], **more}


CLUSTER: dict[str, Any] = {"now": NOW, "queues": [{"id": "root"}],
           "nodes": [{"id": "n", "resources": {"slots": 8}, "network": ["leaf"]}],
           "jobs": [running("large", 4, 30), running("left", 2, 10), running("right", 2, 10),
                    {"id": REQUEST, "queue": "root", "gang": True, "priority": 9, "class": 9,
                     "tasks": [{"count": 2, "resources": {"slots": 2}}]}]}
PLACEMENT = [{"task": "t0#0", "node": "n"}, {"task": "t0#1", "node": "n"}]
# Two victims of 11 minutes are cheaper than one of 31.
RIGHT: dict[str, Any] = {
         "outcome": "preempt", "rule": None, "excluded": [], "placement": PLACEMENT, "proven": 8, "optimal": True,
         "victims": [{"job": "left", "tasks": ["t0"]}, {"job": "right", "tasks": ["t0"]}],
         "objective": [["last-resort", 0], ["price", 22000], ["class", [[1, 2]]], ["checkpoint", 0], ["victims", 2],
                       ["freed", 500000000], ["preferences", 0], ["borrowed", 0]],
         "cost": Decimal("22.000"), "bound": Decimal("22.000")}
WORSE: dict[str, Any] = {"victims": [{"job": "large", "tasks": ["t0"]}], "cost": Decimal("31.000"),
         "objective": [["last-resort", 0], ["price", 31000], ["class", [[1, 1]]], ["checkpoint", 0], ["victims", 1],
                       ["freed", 500000000], ["preferences", 0], ["borrowed", 0]]}
NO = {"outcome": "wait", "victims": [], "placement": [], "objective": [], "optimal": False}


class Pretended(Command):
    """Answers with a document made up here."""

    def __init__(self, plan: dict[str, Any]) -> None:
        super().__init__("nothing")
        self.plan = plan

    def ask(self, instance: Instance, word: str, *options: str) -> dict[str, Any]:
        return self.plan


class ComparisonTest(unittest.TestCase):
    def faults(self, *changes: dict[str, Any], max_victims: int = 3, opted_out: tuple[str, ...] = ()) -> str:
        plan, cluster = copy.deepcopy(RIGHT), copy.deepcopy(CLUSTER)
        plan["excluded"] = [{"job": name, "tasks": ["t0"], "rule": "not-preemptible"} for name in opted_out]
        for job in cluster["jobs"]:
            job["preemptible"] = job["id"] not in opted_out
        for change in changes:
            plan |= change
        policy = {"policies": {"default": {"profile": "class-cost", "settings": {"max_victims": max_victims}}}}
        return "; ".join(compare(Pretended(plan), Instance("made up", cluster, policy)).faults)

    def test_the_best_plan_passes(self) -> None:
        self.assertEqual(self.faults(), "")

    def test_a_worse_plan_that_says_so_passes(self) -> None:
        self.assertEqual(self.faults(WORSE, {"optimal": False, "proven": 1}), "")

    def test_a_worse_plan_is_not_optimal(self) -> None:
        self.assertIn("'price' is said to be proven at 31000, and 22000 is possible", self.faults(WORSE))
        self.assertIn("optimal, and 'price' could be 22000", self.faults(WORSE, {"proven": 1}))
        self.assertIn("'price' is said to be proven", self.faults(WORSE, {"optimal": False, "proven": 2}))

    def test_caps_bind(self) -> None:
        self.assertIn("breaks a row", self.faults(max_victims=1))
        self.assertEqual(self.faults(WORSE, {"bound": Decimal("31.000")}, max_victims=1), "")

    def test_too_few_victims(self) -> None:
        few = copy.deepcopy(RIGHT["objective"])
        few[1][1], few[2][1], few[4][1] = 11000, [[1, 1]], 1
        self.assertIn("breaks a row", self.faults({"victims": RIGHT["victims"][:1], "objective": few}))

    def test_an_excluded_unit_is_not_taken(self) -> None:
        self.assertIn("no eligible unit", self.faults(opted_out=("left",)))

    def test_a_rule_that_excludes_too_many(self) -> None:
        excluded = [{"job": "large", "tasks": ["t0"], "rule": "class"}]
        self.assertIn("wrongly excluded", self.faults({"excluded": excluded}))

    def test_a_victim_too_many(self) -> None:
        many = copy.deepcopy(RIGHT["objective"])
        many[1][1], many[2][1], many[4][1] = 53000, [[1, 3]], 3
        taken = {"victims": [*RIGHT["victims"], *WORSE["victims"]], "objective": many, "cost": Decimal("53.000")}
        self.assertIn("gives way in vain", self.faults(taken, {"optimal": False, "proven": 1}))

    def test_values_are_those_of_the_victims(self) -> None:
        self.assertIn("'price' is shown as 31000, and is 22000", self.faults({"objective": WORSE["objective"]}))
        self.assertIn("the objective lists", self.faults({"objective": RIGHT["objective"][1:]}))

    def test_a_bound_is_below_every_set(self) -> None:
        self.assertIn("the bound is 23000, and a set costs 22000", self.faults({"bound": Decimal("23.000")}))
        unproven: dict[str, Any] = {"optimal": False, "proven": 1}
        unproven["gap"] = {"criterion": "price", "value": 31000, "bound": 22000}
        self.assertEqual(self.faults(WORSE, unproven), "")
        unproven["gap"] = {"criterion": "price", "value": 31000, "bound": 22001}
        self.assertIn("the gap's bound of 'price' is 22001, and 22000 is possible", self.faults(WORSE, unproven))

    def test_a_no_is_right(self) -> None:
        self.assertIn("'no-set', and there is a set", self.faults(NO, {"rule": "no-set"}))
        all_jobs = ("large", "left", "right")
        self.assertEqual(self.faults(NO, {"rule": "no-set"}, opted_out=all_jobs), "")
        self.assertIn("does not stand alone", self.faults(NO, {"rule": "max-victims"}, opted_out=all_jobs))

    def test_a_no_names_the_cap(self) -> None:
        one: dict[str, Any] = {"max_victims": 1, "opted_out": ("large",)}
        self.assertEqual(self.faults(NO, {"rule": "max-victims"}, **one), "")
        self.assertIn("only one cap", self.faults(NO, {"rule": "no-set"}, **one))


if __name__ == "__main__":
    unittest.main()
