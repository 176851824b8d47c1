# SPDX-License-Identifier: MIT
"""What a cluster and a policy document say about one waiting job, in whole numbers.

Reads the documents alone, so that a kept case is replayed from its two files. It knows what the generator writes and no
more: one group, integer amounts, no devices, no elastic jobs, no homes, nothing in flight. Prices are stated here a
second time, from the specification and not from the library.
"""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

Amounts = dict[str, int]
Document = dict[str, Any]

GANGS_BY_DEFAULT = {"priority": True, "class-cost": True, "quota": True, "fair-share": False, "guarantee": False}
DEFAULT_MAX_VICTIMS = {"class-cost": 3}
MINUTE = 60
THOUSANDTHS = 1000


def half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def add(into: Amounts, amounts: Amounts) -> None:
    for resource, amount in amounts.items():
        into[resource] = into.get(resource, 0) + amount


@dataclass(frozen=True)
class Unit:
    """What can be preempted on its own: a whole gang, or one task of another job."""
    job: str
    tasks: tuple[str, ...]
    queue: str
    frees: dict[str, Amounts]  # by node
    priority: int
    job_class: int
    started: int
    last_resort: bool
    originators: int
    lost_work: int  # thousandths of a node-minute, like every price
    price: int
    checkpoint: int  # the price's part for it

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.job, self.tasks

    @property
    def total(self) -> Amounts:
        total: Amounts = {}
        for amounts in self.frees.values():
            add(total, amounts)
        return total


@dataclass
class Queue:
    name: str
    parent: str | None
    guaranteed: Amounts
    max: Amounts
    usage: Amounts = field(default_factory=dict)


class Facts:
    def __init__(self, cluster: Document, policy: Document, job: str) -> None:
        chosen = policy["policies"]["default"]
        self.profile: str = chosen["profile"]
        self.settings: Document = chosen.get("settings", {})
        self.now: int = cluster["now"]
        self.queues = {q["id"]: Queue(q["id"], q.get("parent"), q.get("guaranteed", {}), q.get("max", {}))
                       for q in cluster["queues"]}
        self.capacity: dict[str, Amounts] = {n["id"]: n["resources"] for n in cluster["nodes"]}
        self.leaf = {n["id"]: n.get("network", [None])[0] for n in cluster["nodes"]}
        self.free = {name: dict(amounts) for name, amounts in self.capacity.items()}
        self.jobs = {j["id"]: j for j in cluster["jobs"]}
        self.job_usage: dict[str, Amounts] = defaultdict(dict)
        for each in cluster["jobs"]:
            self._count(each)
        self.requester = self.jobs[job]
        self.shapes = self._shapes_of_request()
        self.asked: Amounts = {}
        for shape, count in self.shapes:
            add(self.asked, {r: a * count for r, a in shape.items() if a})  # an amount of 0 asks for nothing
        self.units = [unit for each in cluster["jobs"] for unit in self._units_of(each)]

    def setting(self, name: str, default: Any) -> Any:
        return self.settings.get(name, default)

    @property
    def max_victims(self) -> int | None:
        most = self.setting("max_victims", DEFAULT_MAX_VICTIMS.get(self.profile))
        return None if most == "none" else most

    @property
    def value(self) -> int | None:
        """What the request is worth, in thousandths of a minute."""
        value = self.requester.get("value")
        return None if value is None else value * THOUSANDTHS

    def path(self, queue: str) -> list[Queue]:
        """The queue and every one above it."""
        found = []
        at: str | None = queue
        while at is not None:
            found.append(self.queues[at])
            at = self.queues[at].parent
        return found

    def is_below(self, queue: str, above: str) -> bool:
        return any(q.name == above for q in self.path(queue))

    def group_capacity(self, resource: str) -> int:
        return sum(amounts.get(resource, 0) for amounts in self.capacity.values())

    def freed_share(self, unit: Unit) -> int:
        """What it frees of the requested resources, in billionths of the group's capacity."""
        return sum(-(-unit.total.get(r, 0) * 10**9 // self.group_capacity(r)) for r in self.asked)

    def is_eligible(self, unit: Unit) -> bool | None:
        """Whether the rules about single units let it be taken; None where that is not stated here."""
        job = self.jobs[unit.job]
        if job.get("preemptible") is False and self.profile != "guarantee":
            return False
        if self.profile == "priority":
            threshold: int = self.setting("preemptible_priority", 5)
            return unit.priority <= threshold and bool(unit.priority < self.requester["priority"])
        if self.profile == "quota":
            return bool(unit.priority < self.requester["priority"])
        if self.profile == "class-cost":
            unsaved = self._checkpoint_time(job) is None and unit.job_class >= 7
            ends = unit.started + job["walltime"] if "walltime" in job else None
            near_completion = ends is not None and ends - self.now <= 5 * MINUTE
            return unit.job_class < self.requester["class"] and not unsaved and not near_completion
        return None

    def _is_gang(self, job: Document) -> bool:
        return bool(job.get("gang", GANGS_BY_DEFAULT[self.profile]))

    def _count(self, job: Document) -> None:
        for task in job["tasks"]:
            if task.get("node") is None:
                continue
            for resource, amount in task["resources"].items():
                self.free[task["node"]][resource] -= amount
            add(self.job_usage[job["id"]], task["resources"])
            for queue in self.path(job["queue"]):
                add(queue.usage, task["resources"])

    def _shapes_of_request(self) -> list[tuple[Amounts, int]]:
        """The tasks that one plan places: all of a gang, of any other job the first `tasks_per_plan`."""
        waiting = [(t["resources"], t.get("count", 1)) for t in self.requester["tasks"] if t.get("node") is None]
        if self._is_gang(self.requester):
            return waiting
        default = 1 if self.profile in ("fair-share", "guarantee") else "all"
        most = self.setting("tasks_per_plan", default)
        left = sum(count for _, count in waiting) if most == "all" else most
        shapes = []
        for shape, count in waiting:
            taken = min(count, left)
            left -= taken
            if taken:
                shapes.append((shape, taken))
        return shapes

    def _units_of(self, job: Document) -> list[Unit]:
        named = [(t.get("id", f"t{i}"), t) for i, t in enumerate(job["tasks"]) if t.get("node") is not None]
        if not named:
            return []
        if self._is_gang(job):
            return [self._unit(job, named)]
        return [self._unit(job, [each]) for each in named]

    def _unit(self, job: Document, tasks: list[tuple[str, Document]]) -> Unit:
        frees: dict[str, Amounts] = {}
        for _, task in tasks:
            add(frees.setdefault(task["node"], {}), task["resources"])
        own = tasks[0][1]
        gang = self._is_gang(job)
        started: int = job["started"] if gang or "started" not in own else own["started"]
        opted = job.get("preemptible", True)
        checkpoint = self._checkpoint_price(job)
        return Unit(
            job=job["id"], tasks=tuple(name for name, _ in tasks), queue=job["queue"], frees=frees,
            priority=job["priority"], job_class=job.get("class", 4), started=started,
            last_resort=opted == "last-resort" or (self.profile == "guarantee" and opted is False),
            originators=sum(1 for _, task in tasks if task.get("originator")),
            lost_work=self._lost_work(job, started, len(frees)), checkpoint=checkpoint,
            price=checkpoint + self._recompute_price(job, started, len(frees)) + self._walltime_price(job, started)
            + THOUSANDTHS * self.setting("victim_overhead", 1))

    # Prices. Without GPUs nodes are counted; times are whole seconds here, so that only division rounds.

    def _checkpoint_time(self, job: Document) -> int | None:
        """Seconds until it is saved; None where it cannot save."""
        checkpoint = job.get("checkpoint", {})
        mode = checkpoint.get("mode", "none")
        if mode == "none":
            return None
        return int(checkpoint.get("estimate", 5 * MINUTE) if mode == "auto" else checkpoint.get("timeout", 10 * MINUTE))

    def _time_lost(self, job: Document, started: int) -> int:
        last: int = job.get("checkpoint", {}).get("last", started)
        return max(0, self.now - max(started, last))

    def _checkpoint_price(self, job: Document) -> int:
        return half_up((self._checkpoint_time(job) or 0) * THOUSANDTHS, MINUTE)

    def _recompute_price(self, job: Document, started: int, nodes: int) -> int:
        if self._checkpoint_time(job) is not None:
            return 0
        return half_up(self._time_lost(job, started) * nodes * THOUSANDTHS, MINUTE)

    def _walltime_price(self, job: Document, started: int) -> int:
        walltime = job.get("walltime")
        if walltime is None:
            return 0
        elapsed = max(0, self.now - started)
        if 10 * elapsed > 9 * walltime:
            return 1000 * THOUSANDTHS
        if 10 * elapsed < walltime:
            return THOUSANDTHS
        return half_up(100 * elapsed * THOUSANDTHS, walltime)

    def _lost_work(self, job: Document, started: int, nodes: int) -> int:
        checkpoint = job.get("checkpoint", {})
        saving = self._checkpoint_time(job)
        if saving is not None:
            saving = checkpoint.get("estimate", saving)
        lost = checkpoint.get("restart", 0) + (self._time_lost(job, started) if saving is None else saving)
        return half_up(nodes * lost * THOUSANDTHS, MINUTE)
