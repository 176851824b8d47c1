# SPDX-License-Identifier: MIT
"""Asks the command about one instance and holds the answer against the model.

Which units are eligible is stated a second time where that is simple (Facts.is_eligible); in fair-share and guarantee
it comes from the command itself (`cede explain`), like the fair shares (`cede shares`): other tests judge these. Which
set of the eligible units is taken is judged here. Units excluded by `frees-nothing` take part: that rule only spares the
search work.
"""
from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from criteria import Criterion, criteria_of, total
from facts import Document, Facts, Unit
from instances import REQUEST, Instance
from victim_model import FULL_SHARE, Shares, VictimModel

SEARCHED_NO = ("no-set", "no-victims", "max-victims", "value-exceeded", "below-guarantee", "no-gain", "one-node")
PLACEMENT_CRITERIA = 3  # freed, preferences and borrowed come after "victims"


@dataclass
class Result:
    """One instance: what the command answered and what is wrong with it."""
    outcome: str = ""  # optimal, unproven, no, undecided, or not-searched
    detail: str = ""
    faults: list[str] = field(default_factory=list)
    best_found: bool = True  # whether an unproven plan is the best set all the same
    gap: float = 0.0
    cede_seconds: float = 0.0
    solver_seconds: float = 0.0


class Command:
    """The `cede` command, asked about two documents in a folder of its own."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.seconds = 0.0

    def ask(self, instance: Instance, word: str, *options: str) -> Document:
        with tempfile.TemporaryDirectory() as folder:
            for name, document in (("cluster", instance.cluster), ("policy", instance.policy)):
                with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
                    json.dump(document, file)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            answer = subprocess.run([self.path, word, "--cluster", "cluster.json", "--policy", "policy.json", "--json",
                                     *options], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if answer.returncode not in (0, 1):
            raise RuntimeError(f"cede {word} ends with {answer.returncode}: {answer.stderr.decode()}")
        told: Document = json.loads(answer.stdout, parse_float=Decimal)
        return told


def compare(command: Command, instance: Instance) -> Result:
    result = Result()
    before = command.seconds
    plan = command.ask(instance, "explain", "--job", REQUEST)
    result.cede_seconds = command.seconds - before
    result.detail = plan["rule"] or plan["outcome"]
    started = time.process_time()
    if plan["outcome"] == "preempt" or (plan["outcome"] == "wait" and plan["rule"] in (*SEARCHED_NO, "undecided")):
        _Comparison(command, instance, plan, result).run()
    else:
        result.outcome = "not-searched"
    result.solver_seconds = time.process_time() - started
    return result


class _Comparison:
    def __init__(self, command: Command, instance: Instance, plan: Document, result: Result) -> None:
        self.plan = plan
        self.result = result
        self.facts = Facts(instance.cluster, instance.policy, REQUEST)
        excluded = {(each["job"], tuple(each["tasks"])) for each in plan["excluded"] if each["rule"] != "frees-nothing"}
        known = {unit.key for unit in self.facts.units}
        if excluded - known:
            raise RuntimeError(f"the explanation names units that the documents do not have: {excluded - known}")
        self.eligible = [unit for unit in self.facts.units if unit.key not in excluded]
        for unit in self.facts.units:
            if self.facts.is_eligible(unit) not in (None, unit in self.eligible):
                self._fault(f"{unit.key} is wrongly {'eligible' if unit in self.eligible else 'excluded'}")
        self.shares = self._shares(command, instance) if self.facts.profile == "fair-share" else Shares()
        self.criteria = criteria_of(self.facts, set(self.shares.aggressive))
        self.model = self._first_tier_with_a_set()

    def _first_tier_with_a_set(self) -> VictimModel:
        """Aggressively preemptible and then last-resort units take part only where no set exists without them."""
        tiers = [2 if u.last_resort else 1 if u.key in self.shares.aggressive else 0 for u in self.eligible]
        for most in sorted(set(tiers))[:-1]:
            model = VictimModel(self.facts, [u for u, tier in zip(self.eligible, tiers) if tier <= most], self.shares)
            if model.best([]) is not None:
                return model
        return VictimModel(self.facts, self.eligible, self.shares)

    def run(self) -> None:
        best = self.model.best(self.criteria)
        if self.plan["outcome"] == "wait":
            self._check_no(best)
        elif best is None:
            self.result.outcome = "optimal" if self.plan["optimal"] else "unproven"
            self._fault("a plan where the model finds no set")
        else:
            self.result.outcome = "optimal" if self.plan["optimal"] else "unproven"
            self._check_plan(best)

    def _fault(self, text: str) -> None:
        self.result.faults.append(text)

    def _shares(self, command: Command, instance: Instance) -> Shares:
        group = command.ask(instance, "shares")["groups"][0]
        fair, within = {}, set()
        for job in group["jobs"]:
            fair[job["id"]] = int(job["dominant"]["fair_share"] * FULL_SHARE)
            within |= {(job["id"], task) for task in job["tasks"]["aggressively_preemptible"]}
        aggressive = {u.key for u in self.facts.units if any((u.job, task) in within for task in u.tasks)}
        return Shares(fair, frozenset(aggressive))

    # A no

    def _check_no(self, best: list[Unit] | None) -> None:
        rule = self.plan["rule"]
        if rule == "undecided":
            self.result.outcome = "undecided"
            self.result.detail = "a set exists" if best is not None else "no set exists"
            return
        self.result.outcome = "no"
        if best is not None:
            self._fault(f"'{rule}', and there is a set: {_names(best)}")
            return
        alone = [cap for cap in self.model.caps
                 if VictimModel(self.facts, self.eligible, self.shares, {cap}).best([]) is not None]
        if rule in self.model.caps and rule not in alone:
            self._fault(f"'{rule}' does not stand alone in the way; alone stand: {alone}")
        if rule == "no-set" and alone:
            self._fault(f"'no-set', but only one cap stands in the way: {alone}")

    # A plan

    def _check_plan(self, best: list[Unit]) -> None:
        names = [criterion.name for criterion in self.criteria]
        shown = self.plan["objective"][:-PLACEMENT_CRITERIA]
        if [name for name, _ in shown] != names:
            self._fault(f"the objective lists {[name for name, _ in shown]} instead of {names}")
            return
        by_key = {unit.key: unit for unit in self.model.units}
        victims = self._victims(by_key)
        if victims is None:
            return
        for criterion, (name, value) in zip(self.criteria, shown):
            if criterion.value(victims) != _plain(value):
                self._fault(f"'{name}' is shown as {_plain(value)}, and is {criterion.value(victims)}")
                return
        if not self.model.allows(victims, self._placement()):
            self._fault("the plan breaks a row of the model")
            return
        for unit in victims:
            if self.model.allows([other for other in victims if other is not unit]):
                self._fault(f"{unit.key} gives way in vain")
        self._check_values([_plain(value) for _, value in shown], best)
        self._check_bound(victims)

    def _victims(self, by_key: dict[tuple[str, tuple[str, ...]], Unit]) -> list[Unit] | None:
        found = []
        for victim in self.plan["victims"]:
            whole = (victim["job"], tuple(victim["tasks"]))
            keys = [whole] if whole in by_key else [(victim["job"], (task,)) for task in victim["tasks"]]
            for key in keys:
                if key not in by_key:
                    self._fault(f"{key} is no eligible unit")
                    return None
                found.append(by_key[key])
        return found

    def _placement(self) -> dict[tuple[int, str], int]:
        """How many tasks of each shape go to each node. Task names are the row's, then '#' and a number."""
        rows = [i for i, t in enumerate(self.facts.requester["tasks"]) if t.get("node") is None]
        placed: dict[tuple[int, str], int] = {}
        for entry in self.plan["placement"]:
            at = rows.index(int(entry["task"].split("#")[0][1:])), entry["node"]
            placed[at] = placed.get(at, 0) + 1
        return placed

    def _check_values(self, values: list[Any], best: list[Unit]) -> None:
        right = [criterion.value(best) for criterion in self.criteria]
        keys = [criterion.sort_key(value) for criterion, value in zip(self.criteria, values)]
        right_keys = [criterion.sort_key(value) for criterion, value in zip(self.criteria, right)]
        if keys < right_keys:
            self._fault(f"the plan is better than the model's best: {values} and {right}")
        equal = 0
        while equal < len(keys) and keys[equal] == right_keys[equal]:
            equal += 1
        self.result.best_found = equal == len(keys)
        proven = min(self.plan["proven"], len(keys))
        if proven > equal:
            self._fault(f"'{self.criteria[equal].name}' is said to be proven at {values[equal]}, "
                        f"and {right[equal]} is possible: {_names(best)}")
        elif self.plan["optimal"] and equal < len(keys):
            self._fault(f"optimal, and '{self.criteria[equal].name}' could be {right[equal]}: {_names(best)}")
        gap = self.plan.get("gap")
        if gap is not None and not self.plan["optimal"]:
            self._check_gap(gap, values, right, equal)

    def _check_gap(self, gap: Document, values: list[Any], right: list[Any], equal: int) -> None:
        """Stated for the first criterion that is not proven, where those before it have their best value."""
        names = [criterion.name for criterion in self.criteria]
        if gap["criterion"] not in names:
            return
        at = names.index(gap["criterion"])
        criterion: Criterion = self.criteria[at]
        bound, value = _plain(gap["bound"]), _plain(gap["value"])
        if value != values[at]:
            self._fault(f"the gap's value of '{criterion.name}' is {value}, the objective's {values[at]}")
        if equal >= at and criterion.sort_key(bound) > criterion.sort_key(right[at]):
            self._fault(f"the gap's bound of '{criterion.name}' is {bound}, and {right[at]} is possible")
        if isinstance(bound, int) and isinstance(value, int) and value > 0:
            self.result.gap = max(self.result.gap, (value - bound) / value)

    def _check_bound(self, victims: list[Unit]) -> None:
        """`bound` is below the cost of every set with as many last-resort units."""
        if self.plan["bound"] is None:
            return
        price = self.facts.profile == "class-cost" and self.facts.setting("cost_model", "formula") == "formula"
        cost = total("cost", lambda u: u.price if price else u.lost_work)
        bound, shown = round(self.plan["bound"] * 1000), round(self.plan["cost"] * 1000)
        if shown != cost.value(victims):
            self._fault(f"the cost is shown as {shown}, and is {cost.value(victims)}")
        cheapest = self.model.best([cost], sum(u.last_resort for u in victims))
        assert cheapest is not None, "the plan itself is such a set"
        if bound > cost.value(cheapest):
            self._fault(f"the bound is {bound}, and a set costs {cost.value(cheapest)}: {_names(cheapest)}")
        leads = self.criteria[1].name in ("price", "lost-work")
        if self.result.outcome == "unproven" and "gap" not in self.plan and leads and shown > 0:
            self.result.gap = max(self.result.gap, (shown - bound) / shown)


def _plain(value: Any) -> Any:
    """Times may carry a fraction of zero."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, Decimal) and value == int(value) else value


def _names(units: list[Unit]) -> str:
    return ", ".join(sorted("/".join((unit.job, *unit.tasks)) for unit in units))
