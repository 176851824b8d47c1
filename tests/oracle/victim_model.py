# SPDX-License-Identifier: MIT
"""The choice of victims as a linear model: what a set must satisfy, from the specification.

Variables: one per eligible unit (is it taken), one per node and task shape (how many tasks go there), and a few more
where a condition needs them. Needs and caps are rows.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from criteria import Criterion, Step
from facts import Facts, Unit
from integer_model import IntegerModel, Terms

FULL_SHARE = 10**12
SAME_SHARE = 1000  # differences up to this count as equal


@dataclass(frozen=True)
class Shares:
    """The fair shares that `cede shares` tells, in the unit of FULL_SHARE, and who is taken only aggressively."""
    fair: dict[str, int] = field(default_factory=dict)
    aggressive: frozenset[tuple[str, tuple[str, ...]]] = frozenset()


class VictimModel:
    """`without` names caps to leave out, to find the one that alone is in the way."""

    def __init__(self, facts: Facts, eligible: Sequence[Unit], shares: Shares, without: Collection[str] = ()) -> None:
        self.facts = facts
        self.units = list(eligible)
        self._model = IntegerModel()
        self._taken = [self._model.variable() for _ in self.units]
        self._placed = {(s, node): self._model.variable(0, count)
                        for s, (_, count) in enumerate(facts.shapes) for node in facts.capacity}
        self._jobs: dict[str, list[int]] = defaultdict(list)
        for i, unit in enumerate(self.units):
            self._jobs[unit.job].append(i)
        self._job_loses: dict[str, int] = {}
        self._places_whole_request()
        self._node_space()
        self._network()
        self._queue_max()
        caps = {"max-victims": self._max_victims, "value-exceeded": self._value_exceeded,
                "below-guarantee": self._below_guarantee, "no-gain": lambda: self._no_gain(shares),
                "one-node": self._one_node}
        self.caps = []
        for name, add_rows in caps.items():
            rows = len(self._model.rows)
            if name not in without:
                add_rows()
            if len(self._model.rows) > rows:
                self.caps.append(name)

    def best(self, criteria: Sequence[Criterion], last_resort: int | None = None) -> list[Unit] | None:
        """The best set; of those with so many last-resort units where that is given. None where no set makes room."""
        steps = [self._terms(step) for each in criteria for step in each.steps(self.units)]
        if last_resort is not None:
            self._model.equals({t: 1 for t, u in zip(self._taken, self.units) if u.last_resort}, last_resort)
        solution = self._model.minimise(steps)
        return None if solution is None else [u for t, u in zip(self._taken, self.units) if solution[t]]

    def allows(self, victims: Collection[Unit], placement: dict[tuple[int, str], int] | None = None) -> bool:
        """Whether these victims make room for the request: at these places, or anywhere."""
        fixed = {t: int(u in victims) for t, u in zip(self._taken, self.units)}
        if placement is not None:
            fixed |= {v: placement.get(at, 0) for at, v in self._placed.items()}
        return self._model.minimise([], fixed) is not None

    def _terms(self, step: Step) -> Terms:
        if not step.highest:
            return {self._taken[i]: amount for i, amount in step.amounts.items()}
        ranks = {amount: rank for rank, amount in enumerate(sorted(set(step.amounts.values())))}
        top = self._model.variable(0, len(ranks))
        for i, amount in step.amounts.items():
            self._model.at_least({top: 1, self._taken[i]: -ranks[amount]}, 0)
        return {top: 1}

    # Needs

    def _places_whole_request(self) -> None:
        for s, (_, count) in enumerate(self.facts.shapes):
            self._model.equals({self._placed[s, node]: 1 for node in self.facts.capacity}, count)

    def _node_space(self) -> None:
        for node, free in self.facts.free.items():
            for resource in self.facts.asked:
                terms = {self._placed[s, node]: shape[resource]
                         for s, (shape, _) in enumerate(self.facts.shapes) if shape.get(resource)}
                for i, unit in enumerate(self.units):
                    if amount := unit.frees.get(node, {}).get(resource, 0):
                        terms[self._taken[i]] = -amount
                # Nothing need be placed on a node that is over its capacity.
                self._model.at_most(terms, max(free.get(resource, 0), 0))

    def _network(self) -> None:
        for entry in self.facts.requester.get("require", {}).get("network", []):
            used = {leaf: self._model.variable() for leaf in sorted(set(self.facts.leaf.values()))}
            for (s, node), placed in self._placed.items():
                self._model.at_most({placed: 1, used[self.facts.leaf[node]]: -self.facts.shapes[s][1]}, 0)
            self._model.at_most({v: 1 for v in used.values()}, entry.get("max_domains", 1))

    def _queue_max(self) -> None:
        """Room below every `max` on the request's path."""
        path = self.facts.path(self.facts.requester["queue"])
        if self.facts.profile == "quota" and not self.facts.setting("check_parent_quota", True):
            path = path[:1]
        for queue in path:
            for resource, most in queue.max.items():
                if asked := self.facts.asked.get(resource, 0):
                    self._model.at_least(self._freed_below(queue.name, resource),
                                         queue.usage.get(resource, 0) + asked - most)

    def _freed_below(self, queue: str, resource: str) -> Terms:
        return {self._taken[i]: unit.total[resource] for i, unit in enumerate(self.units)
                if unit.total.get(resource) and self.facts.is_below(unit.queue, queue)}

    # Caps

    def _loses(self, job: str) -> int:
        """Whether the job loses a task."""
        if job not in self._job_loses:
            variable = self._model.variable()
            for i in self._jobs[job]:
                self._model.at_most({self._taken[i]: 1, variable: -1}, 0)
            self._job_loses[job] = variable
        return self._job_loses[job]

    def _max_victims(self) -> None:
        if self.facts.max_victims is not None:
            self._model.at_most({self._loses(job): 1 for job in self._jobs}, self.facts.max_victims)

    def _value_exceeded(self) -> None:
        if self.facts.profile == "class-cost" and self.facts.value is not None:
            by_lost_work = self.facts.setting("cost_model", "formula") == "lost-work"
            prices = {t: u.lost_work if by_lost_work else u.price for t, u in zip(self._taken, self.units)}
            self._model.at_most(prices, self.facts.value - 1)

    def _below_guarantee(self) -> None:
        """usage - freed + placed >= min(guarantee, usage), for every queue that loses something."""
        if self.facts.profile != "guarantee":
            return
        for queue in self.facts.queues.values():
            gains = self.facts.is_below(self.facts.requester["queue"], queue.name)
            for resource, guarantee in queue.guaranteed.items():
                usage = queue.usage.get(resource, 0)
                placed = self.facts.asked.get(resource, 0) if gains else 0
                freed = self._freed_below(queue.name, resource)
                if freed:
                    self._model.at_most(freed, usage + placed - min(guarantee, usage))

    def _no_gain(self, shares: Shares) -> None:
        """Every job that loses a task stays more satisfied than the requester was.

        Satisfaction goes by the dominant share, the largest over the resources: one resource of which enough is left
        will do, so a variable each says which.
        """
        if self.facts.profile != "fair-share":
            return
        requester = self.facts.requester["id"]
        own, own_fair = self._usage_share(requester), shares.fair[requester]
        for job, units in self._jobs.items():
            fair = shares.fair[job]
            if fair == 0:
                continue
            equal = fair * own_fair * SAME_SHARE // FULL_SHARE
            least = (own * fair + equal) // own_fair + 1  # the smallest share above the requester's satisfaction
            enough = []
            for resource, held in self.facts.job_usage[job].items():
                amount = -(-least * self.facts.group_capacity(resource) // FULL_SHARE)
                variable = self._model.variable()
                enough.append(variable)
                terms = {self._taken[i]: self.units[i].total.get(resource, 0) for i in units}
                # With the variable at 1 at most held - amount goes, else anything.
                self._model.at_most({**terms, variable: amount}, held)
            self._model.at_least({**{v: 1 for v in enough}, self._loses(job): -1}, 0)

    def _usage_share(self, job: str) -> int:
        return max((amount * FULL_SHARE // self.facts.group_capacity(resource)
                    for resource, amount in self.facts.job_usage[job].items()), default=0)

    def _one_node(self) -> None:
        """Victims that make space are on nodes of the placement; in fair-share all of them on one node."""
        crosses = self.facts.profile == "guarantee" and self.facts.setting("cross_node", False)
        if self.facts.profile not in ("fair-share", "guarantee") or crosses:
            return
        chosen = {}
        if self.facts.profile == "fair-share":
            chosen = {node: self._model.variable() for node in self.facts.capacity}
            self._model.equals({v: 1 for v in chosen.values()}, 1)
        for taken, unit in zip(self._taken, self.units):
            if self._makes_queue_room(unit):
                continue
            here = {v: -1 for (_, node), v in self._placed.items() if node in unit.frees}
            self._model.at_most({taken: 1, **here}, 0)
            if chosen:
                self._model.at_most({taken: 1, **{chosen[node]: -1 for node in unit.frees}}, 0)

    def _makes_queue_room(self, unit: Unit) -> bool:
        for queue in self.facts.path(self.facts.requester["queue"]):
            for resource, most in queue.max.items():
                asked = self.facts.asked.get(resource, 0)
                lacks = asked > 0 and queue.usage.get(resource, 0) + asked > most
                if lacks and unit.total.get(resource) and self.facts.is_below(unit.queue, queue.name):
                    return True
        return False
