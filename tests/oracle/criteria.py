# SPDX-License-Identifier: MIT
"""The objective of each profile up to "fewer victims": the value of a set, and which of two values is better.

A criterion is broken into steps, each a sum over the victims that is made as small as possible, because that is what a
linear model can do: "counts per priority" is one step for each priority, from the top; start times, compared between
sets of equal size, are one step for each time.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from facts import Facts, Unit

Value = Any  # a number, [[value, count], ...] or a list of times, as a plan document shows them


@dataclass(frozen=True)
class Step:
    amounts: dict[int, int]  # by the unit's position; those absent are zero
    highest: bool = False  # the largest amount counts instead of the sum


@dataclass(frozen=True)
class Criterion:
    name: str
    value: Callable[[Sequence[Unit]], Value]
    sort_key: Callable[[Value], Any]  # the smaller wins
    steps: Callable[[Sequence[Unit]], list[Step]]


def total(name: str, of: Callable[[Unit], int]) -> Criterion:
    return Criterion(name, lambda victims: sum(map(of, victims)), lambda value: value,
                     lambda units: [Step({i: of(u) for i, u in enumerate(units) if of(u)})])


def highest(name: str, of: Callable[[Unit], int]) -> Criterion:
    return Criterion(name, lambda victims: max(map(of, victims), default=0), lambda value: value,
                     lambda units: [Step({i: of(u) for i, u in enumerate(units)}, highest=True)])


def counts(name: str, of: Callable[[Unit], int]) -> Criterion:
    def value(victims: Sequence[Unit]) -> Value:
        return [list(each) for each in sorted(Counter(map(of, victims)).items(), reverse=True)]

    def steps(units: Sequence[Unit]) -> list[Step]:
        return [Step({i: 1 for i, u in enumerate(units) if of(u) == each})
                for each in sorted(set(map(of, units)), reverse=True)]

    # Without a victim of the higher value a set is better, however many it has of the lower.
    return Criterion(name, value, lambda shown: [tuple(each) for each in shown], steps)


def start_times(first_listed: str, winner: str) -> Criterion:
    """The list begins with the 'oldest' or 'newest' victim; at the first difference the 'older' or 'newer' wins."""
    def value(victims: Sequence[Unit]) -> Value:
        return sorted((u.started for u in victims), reverse=first_listed == "newest")

    def steps(units: Sequence[Unit]) -> list[Step]:
        # Of sets of equal size, the one with more victims at the first time listed wins if that is where the winner
        # stands (older first, newer last), else the one with fewer.
        sign = -1 if (first_listed, winner) in (("oldest", "older"), ("newest", "newer")) else 1
        return [Step({i: sign for i, u in enumerate(units) if u.started == each})
                for each in sorted({u.started for u in units}, reverse=first_listed == "newest")]

    def key(shown: Value) -> Any:
        return [-each if winner == "newer" else each for each in shown]

    return Criterion("started", value, key, steps)


def criteria_of(facts: Facts, aggressive: set[tuple[str, tuple[str, ...]]]) -> list[Criterion]:
    """The profile's list; `aggressive` are the units that fair-share takes only from within a job's share."""
    last_resort = total("last-resort", lambda u: int(u.last_resort))
    victims = total("victims", lambda u: 1)
    priority = counts("priority", lambda u: u.priority)
    by_lost_work = facts.setting("cost_model", "formula") == "lost-work"
    lost_work = [total("lost-work", lambda u: u.lost_work)] if by_lost_work else []
    own: list[Criterion] = []
    if facts.profile == "priority":
        top = highest("highest-priority", lambda u: u.priority)
        own = {"oldest": [priority, start_times("oldest", "older")],
               "newest": [priority, start_times("newest", "newer")],
               "fewest": [top, total("number", lambda u: 1), priority],
               "smallest": [top, total("size", facts.freed_share), priority],
               }[facts.setting("preemption_order", "oldest")]
    elif facts.profile == "class-cost":
        price = [] if by_lost_work else [total("price", lambda u: u.price)]
        classes = [counts("class", lambda u: u.job_class)]
        first = facts.setting("class_first", False)
        own = (classes + price if first else price + classes) + [total("checkpoint", lambda u: u.checkpoint)]
    elif facts.profile == "quota":
        own = [priority]
    elif facts.profile == "fair-share":
        own = [total("aggressive", lambda u: int(u.key in aggressive)), total("number", lambda u: 1),
               start_times("oldest", "newer")]
    elif facts.profile == "guarantee":
        own = [total("originators", lambda u: u.originators), priority]
    return [last_resort, *lost_work, *own, victims]
