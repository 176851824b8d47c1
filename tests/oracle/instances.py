# SPDX-License-Identifier: MIT
"""Random clusters of 50 to 200 running units and one waiting job, for each profile.

Amounts are whole numbers and times whole minutes, so that the model's coefficients stay small. The countable resource
is called `slots` and not `gpu`, because devices are no part of the model. Limits and guarantees are set near what is
used, where they bind.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]

PROFILES = ("priority", "class-cost", "quota", "fair-share", "guarantee")
NOW = 1_760_000_000
MINUTE = 60
REQUEST = "request"


@dataclass(frozen=True)
class Instance:
    seed: str
    cluster: Document
    policy: Document


def draw(profile: str, seed: str) -> Instance:
    return _Drawing(profile, seed).instance()


class _Drawing:
    def __init__(self, profile: str, seed: str) -> None:
        self.profile = profile
        self.seed = seed
        self.random = random.Random(f"{profile}/{seed}")
        self.settings: Document = {}
        self.units = 0
        self.wanted_units = self.random.randint(50, 200)
        self.slots = self.random.choice((8, 16))
        self.largest_task = self.random.choice((2, 4, 4, self.slots // 2))
        self.starts = [NOW - 10 * MINUTE * self.random.randint(1, 90) for _ in range(self.random.randint(3, 8))]
        self.queues = self._tree()
        self.nodes = self._nodes()
        self.free = {n["id"]: dict(n["resources"]) for n in self.nodes}
        self.jobs: list[Document] = []

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def instance(self) -> Instance:
        while self.units < self.wanted_units:
            if not self._add_job():
                break
        waiting = self._request()
        {"priority": self._priority, "class-cost": self._class_cost, "quota": self._quota,
         "fair-share": self._fair_share, "guarantee": self._guarantee}[self.profile](waiting)
        if self.profile != "class-cost" and self.chance(0.15):
            self._limit_victims(waiting)
        if self.chance(0.15):
            self.settings["cost_model"] = "lost-work"
        leaves = sorted({n["network"][0] for n in self.nodes})
        cluster = {"format": "cede-cluster/1", "now": NOW, "groups": [{"id": "g", "policy": "default"}],
                   "network": {"levels": ["leaf"], "domains": [{"id": leaf, "level": "leaf"} for leaf in leaves]},
                   "queues": self.queues, "nodes": self.nodes, "jobs": [*self.jobs, waiting]}
        policy = {"format": "cede-policy/1",
                  "policies": {"default": {"profile": self.profile, "settings": self.settings}}}
        return Instance(self.seed, cluster, policy)

    # The cluster

    def _tree(self) -> list[Document]:
        queues: list[Document] = [{"id": "root"}]
        for top in "abc"[:self.random.randint(2, 3)]:
            queues.append({"id": top, "parent": "root"})
            queues += [{"id": f"{top}{i}", "parent": top} for i in range(self.random.randint(1, 3))]
        return queues

    def _leaf_queues(self) -> list[str]:
        parents = {q.get("parent") for q in self.queues}
        return [q["id"] for q in self.queues if q["id"] not in parents]

    def _nodes(self) -> list[Document]:
        # A gang counts once and has tasks on several nodes; in fair-share most units are single tasks.
        mean = (0.95 if self.profile == "fair-share" else 1.4) * (1 + self.largest_task) / 2
        count = max(6, round(self.wanted_units * mean / self.slots))
        in_leaf = self.random.randint(3, 8)
        two_types = self.chance(0.3)
        nodes = []
        for i in range(count):
            slots = self.slots * 2 if two_types and self.chance(0.3) else self.slots
            nodes.append({"id": f"n{i:02}", "group": "g", "resources": {"cpu": 4 * slots, "slots": slots},
                          "network": [f"leaf{i // in_leaf}"]})
        return nodes

    def _shape(self) -> dict[str, int]:
        slots = self.random.randint(1, self.largest_task)
        return {"cpu": self.random.randint(1, 6 * slots), "slots": slots}

    def _place(self, shape: dict[str, int]) -> str | None:
        node: str
        for node in self.random.sample(sorted(self.free), min(10, len(self.free))):
            if all(self.free[node][r] >= amount for r, amount in shape.items()):
                for r, amount in shape.items():
                    self.free[node][r] -= amount
                return node
        return None

    def _add_job(self) -> bool:
        """Whether one found room."""
        # In fair-share what a job has beyond its share is taken, so it has few and large jobs.
        pools = self.profile == "fair-share"
        kind: str = self.random.choices(("single", "gang", "tasks"), (1, 1, 3) if pools else (6, 2, 2))[0]
        most = 20 if pools and kind == "tasks" else 5
        count = 1 if kind == "single" else self.random.randint(2, most)
        tasks: list[Document] = []
        same = self._shape()
        for _ in range(count):
            shape = same if kind == "gang" else self._shape()
            node = self._place(shape)
            if node is None:  # what is left of a node takes a small one
                shape = {"cpu": 1, "slots": 1}
                node = self._place(shape)
            if node is None:
                break
            tasks.append({"resources": shape, "node": node})
        if not tasks:
            return False
        gang = kind != "tasks"
        job: Document = {"id": f"j{len(self.jobs):03}", "queue": self.random.choice(self._leaf_queues()), "gang": gang,
                         "state": "running", "started": self.random.choice(self.starts), "priority": 0, "tasks": tasks}
        if not gang:
            for task in tasks:
                task["started"] = self.random.choice(self.starts)
        if self.chance(0.06):
            job["preemptible"] = self.random.choice((False, "last-resort"))
        self.jobs.append(job)
        self.units += 1 if gang else len(tasks)
        return True

    def _used(self, queue: str, resource: str, counts: Any = lambda job: True) -> int:
        below = {queue}
        for each in self.queues:
            if each.get("parent") in below:
                below.add(each["id"])
        return sum(t["resources"].get(resource, 0) for job in self.jobs if job["queue"] in below and counts(job)
                   for t in job["tasks"])

    # The waiting job

    def _request(self) -> Document:
        sizes = [self.largest_task, self.slots // 2]
        if self.profile not in ("fair-share", "guarantee"):  # where few units of a node are eligible
            sizes += [self.slots * 3 // 4, self.slots]
        slots = self.random.choice(sizes)
        most = max(1, len(self.nodes) * self.slots // (3 * slots))
        if self.chance(0.5):
            most = min(most, 3)
        groups = [(slots, self.random.randint(1, most))]
        if self.chance(0.3):
            groups.append((self.random.randint(1, slots), self.random.randint(1, 4)))
        tasks = [{"count": count, "resources": {"cpu": self.random.randint(0, 4 * size), "slots": size}}
                 for size, count in groups]
        waiting: Document = {"id": REQUEST, "queue": self.random.choice(self._leaf_queues()), "gang": self.chance(0.8),
                             "submitted": NOW - 60 * MINUTE, "priority": 50, "tasks": tasks}
        if self.chance(0.4):
            waiting["require"] = {"network": [{"level": "leaf", "max_domains": self.random.randint(1, 2)}]}
        return waiting

    def _asked(self, waiting: Document, resource: str) -> int:
        return sum(t["count"] * t["resources"].get(resource, 0) for t in waiting["tasks"])

    def _limit_somewhere(self, waiting: Document) -> None:
        """A `max` on the request's path that lacks some room."""
        by_name = {q["id"]: q for q in self.queues}
        queue = by_name[waiting["queue"]]
        if self.chance(0.4):
            queue = by_name[queue["parent"]]
        resource = self.random.choice(("cpu", "slots"))
        used, asked = self._used(queue["id"], resource), self._asked(waiting, resource)
        queue["max"] = {resource: max(asked, used + asked - self.random.randint(0, max(1, used // 2)))}

    def _limit_victims(self, waiting: Document) -> None:
        """`max_victims` about as large as is needed, or none."""
        about = self._asked(waiting, "slots") / self.largest_task
        most = max(1, round(about * self.random.uniform(0.7, 2.0)))
        self.settings["max_victims"] = "none" if self.chance(0.33) else most

    # The profiles

    def _priority(self, waiting: Document) -> None:
        self.settings["preemption_order"] = self.random.choice(("oldest", "newest", "fewest", "smallest"))
        for job in self.jobs:
            job["priority"] = self.random.choices((0, 1, 2, 3, 5, 6), (3, 3, 3, 3, 3, 1))[0]
        if self.chance(0.3):
            self._limit_somewhere(waiting)
        if self.settings["preemption_order"] == "smallest":
            self._round_capacity()

    def _round_capacity(self) -> None:
        """Sizes are billionths of the group's capacity, rounded up. Of a power of two they divide well."""
        missing = {}
        for resource in ("cpu", "slots"):
            total = sum(n["resources"][resource] for n in self.nodes)
            missing[resource] = (1 << total.bit_length()) - total
        self.nodes.append({"id": "zz", "group": "g", "resources": missing, "network": ["leafz"]})
        self.jobs.append({"id": "zz", "queue": self._leaf_queues()[0], "gang": True, "state": "running",
                          "started": NOW - MINUTE, "priority": 90, "tasks": [{"resources": missing, "node": "zz"}]})

    def _class_cost(self, waiting: Document) -> None:
        waiting["class"] = self.random.choice((5, 7, 9))
        self._limit_victims(waiting)
        if self.chance(0.3):
            self.settings["class_first"] = True
        if self.chance(0.3):
            waiting["value"] = self.random.randint(1, 40) * self.random.choice((10, 50))
        for job in self.jobs:
            job["class"] = self.random.randint(0, 7)
            mode = self.random.choice(("none", "auto", "manual"))
            checkpoint: Document = {"mode": mode}
            if mode == "auto" and self.chance(0.7):
                checkpoint["estimate"] = MINUTE * self.random.randint(1, 30)
            if mode == "manual" and self.chance(0.7):
                checkpoint["timeout"] = MINUTE * self.random.randint(1, 30)
            if mode == "none" and self.chance(0.5):
                checkpoint["last"] = NOW - MINUTE * self.random.randint(1, 60)
            if self.chance(0.3):
                checkpoint["restart"] = MINUTE * self.random.randint(1, 5)
            job["checkpoint"] = checkpoint
            if self.chance(0.6):
                job["walltime"] = MINUTE * self.random.choice((200, 400, 1000, 2000))

    def _quota(self, waiting: Document) -> None:
        for job in self.jobs:
            job["priority"] = self.random.choice((0, 1, 2, 3, 60))
        if self.chance(0.5):
            waiting["preemptible"] = False
        fixed = waiting.get("preemptible") is False
        by_name = {q["id"]: q for q in self.queues}
        for name in (waiting["queue"], by_name[waiting["queue"]]["parent"]):
            queue = by_name[name]
            queue["guaranteed"], queue["max"] = {}, {}
            for resource in ("cpu", "slots"):
                used, asked = self._used(name, resource), self._asked(waiting, resource)
                never = self._used(name, resource, lambda job: job.get("preemptible") is False)
                least = never + asked if fixed else 0
                # What cannot be preempted stays within the minimum; the rest may have to give way to it.
                lack = self.random.randint(0, max(0, used - never) // 2) if fixed and self.chance(0.7) else 0
                queue["guaranteed"][resource] = least
                queue["max"][resource] = max(least, used + asked - lack)
        if self.chance(0.2):
            self.settings["check_parent_quota"] = False

    def _fair_share(self, waiting: Document) -> None:
        waiting["below_fair_share_since"] = NOW - 60 * MINUTE
        waiting["gang"] = self.chance(0.3)
        if waiting["gang"]:
            waiting["tasks"] = [{**t, "count": min(t["count"], 3)} for t in waiting["tasks"]]
        else:
            self.settings["tasks_per_plan"] = self.random.randint(1, 3)
        for queue in self.queues[1:]:
            queue["weight"] = self.random.choice((1, 1, 2, 4))
        if self.chance(0.5):
            self.settings["enable_aggressive_starvation"] = True
        if self.chance(0.3):
            self._limit_somewhere(waiting)
        if self.chance(0.5):
            waiting["tasks"].append({"count": 20, "resources": {"cpu": 4, "slots": 1}})  # for a larger share
            waiting["gang"] = False
        for job in self.jobs:
            if self.chance(0.3):
                job["fair_share"] = self.random.randint(0, 20) / 1000

    def _guarantee(self, waiting: Document) -> None:
        waiting["waiting_since"] = NOW - 60 * MINUTE
        waiting["priority"] = 5
        self.settings["cross_node"] = self.chance(0.6)
        if not waiting["gang"]:
            self.settings["tasks_per_plan"] = self.random.randint(1, 6)
        for job in self.jobs:
            job["priority"] = self.random.choices((0, 1, 2, 3, 5, 9), (4, 4, 4, 4, 4, 1))[0]
            for task in job["tasks"]:
                if self.chance(0.1):
                    task["originator"] = True
        path = {waiting["queue"], next(q["parent"] for q in self.queues if q["id"] == waiting["queue"])}
        for queue in self.queues[1:]:
            if queue["id"] not in path and self.chance(0.3):
                continue
            queue["guaranteed"] = {}
            for resource in ("cpu", "slots"):
                used, asked = self._used(queue["id"], resource), self._asked(waiting, resource)
                if queue["id"] in path:
                    queue["guaranteed"][resource] = used + self.random.randint(1, max(1, asked))
                elif self.chance(0.8):
                    queue["guaranteed"][resource] = round(used * self.random.uniform(0.2, 1.0))
        parent = next(q["parent"] for q in self.queues if q["id"] == waiting["queue"])
        siblings = sum(q.get("parent") == parent for q in self.queues)
        if siblings > 1 and self.chance(0.4):  # then only they can make room
            queue = next(q for q in self.queues if q["id"] == parent)
            resource = self.random.choice(("cpu", "slots"))
            used, asked = self._used(queue["id"], resource), self._asked(waiting, resource)
            lack = self.random.randint(0, max(1, used // 2))
            queue["max"] = {resource: max(asked, used + asked - lack, queue["guaranteed"][resource])}
