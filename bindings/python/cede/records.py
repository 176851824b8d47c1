# SPDX-License-Identifier: MIT
"""What the library answers, as frozen dataclasses.

All numbers are those of cede.h: times are milliseconds since 1970, durations milliseconds, costs and amounts
thousandths. None stands for "there is no such time or value".
"""
from __future__ import annotations

import dataclasses
from typing import Optional

from . import enums, structs

_NONE = -(2**63)


def given(value: int) -> Optional[int]:
    return None if value == _NONE else value


def devices(mask: int) -> tuple[int, ...]:
    """The devices of a bit mask."""
    return tuple([device for device in range(mask.bit_length()) if mask >> device & 1])


@dataclasses.dataclass(frozen=True)
class CostPart:
    kind: enums.CostKind
    value: int


@dataclasses.dataclass(frozen=True)
class Victim:
    """A job that gives way with these of its tasks; or, where `hold` is not 0, the space kept by that entry."""

    job: str
    tasks: tuple[str, ...]
    whole_job: bool
    action: enums.VictimAction
    then: Optional[enums.VictimAction]
    unsaved: Optional[enums.VictimAction]
    requeue: bool
    hold: int
    cost: int
    cost_parts: tuple[CostPart, ...]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where one task goes. `gpus` are whole devices; `share` is thousandths of `share_device`."""

    task: str
    node: str
    gpus: tuple[int, ...]
    devices_known: bool
    whole_node: bool
    share: int
    share_device: int

    @classmethod
    def of(cls, place: structs.Place, task: str, node: str) -> "Place":
        return cls(task, node, devices(place.gpus), bool(place.devices_known), bool(place.whole_node), place.share,
                   place.share_device)


@dataclasses.dataclass(frozen=True)
class Criterion:
    """One of the values that were compared, in their order."""

    name: str
    kind: enums.CriterionKind
    value: int
    proven: bool


@dataclasses.dataclass(frozen=True)
class Gap:
    """The first criterion that is not proven: the plan has `value`, and no set of victims has less than `bound`."""

    criterion: str
    value: Optional[int]
    bound: Optional[int]


@dataclasses.dataclass(frozen=True)
class Proof:
    """The first `proven` of the criteria are proven best."""

    optimal: bool
    proven: int
    criteria: tuple[Criterion, ...]
    gap: Optional[Gap]


@dataclasses.dataclass(frozen=True)
class PlanRecord:
    """Everything a plan says, without the library behind it: to compare, to store, dataclasses.asdict()."""

    target: str
    purpose: enums.Purpose
    outcome: enums.Outcome
    rule: str
    reason: str
    cause: str
    policy: str
    profile: str
    revision: int
    now: int
    expected_start: Optional[int]
    latest_start: Optional[int]
    cost: int
    bound: Optional[int]
    partial: bool
    proof: Proof
    victims: tuple[Victim, ...]
    placement: tuple[Place, ...]
    after: tuple[str, ...]
    met: tuple[str, ...]
    missed: tuple[str, ...]
    units: int
    work: int


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a check found. `path` is empty for the document as a whole, `line` 0 where there is no text."""

    severity: enums.Severity
    status: enums.Status
    line: int
    column: int
    path: str
    text: str


@dataclasses.dataclass(frozen=True)
class Report:
    """`status` is that of load, apply or set_policy; `dropped` is how many findings there are beyond these."""

    status: enums.Status
    findings: tuple[Finding, ...]
    dropped: int


@dataclasses.dataclass(frozen=True)
class Ruling:
    """The values that count for a job, and what it may ask for."""

    priority: int
    job_class: int
    preemptible: enums.Preemptible
    min_priority: int
    max_priority: int
    default_priority: int
    max_class: int
    may_change: bool
    may_opt_out: bool
    min_opt_out_priority: int
    max_opt_out_priority: int


@dataclasses.dataclass(frozen=True)
class Action:
    """What is to be done. Which fields count for which kind, cede.h says at cede_action."""

    id: int
    entry: int
    plan: int
    kind: enums.Do
    job: str
    tasks: tuple[str, ...]
    places: tuple[Place, ...]
    preemptor: str
    purpose: enums.Purpose
    cause: str
    deadline: Optional[int]
    signal: Optional[enums.Signal]
    via: Optional[enums.Via]
    how: Optional[enums.How]
    resume: bool
    waits_for_owner: bool
    keep_local: bool
    preempted_count: int
    submitted: Optional[int]
    waiting_since: Optional[int]


@dataclasses.dataclass(frozen=True)
class InFlightVictim:
    job: str
    phase: enums.Phase
    how: Optional[enums.How]
    deadline: Optional[int]


@dataclasses.dataclass(frozen=True)
class Entry:
    """One plan that is committed and not finished. `plan` is the revision it was made on."""

    entry: int
    plan: int
    requester: str
    cause: str
    purpose: enums.Purpose
    state: enums.EntryState
    committed: int
    deadline: Optional[int]
    has_hold: bool
    victims: tuple[InFlightVictim, ...]


@dataclasses.dataclass(frozen=True)
class TopologyFacts:
    """What a text says about a machine or a network; 0 where it does not."""

    kind: enums.TopologyKind
    devices: int
    physical_devices: int
    numa_nodes: int
    sockets: int
    cores: int
    islands: int
    links_known: bool
    nics: int
    levels: int
    domains: int
    nodes: int


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of Engine(): pass it as threads=2 or as "threads=2"."""

    name: str
    default: str
    help: str


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    default: str
    unit: str
    range: str
    side: str
    help: str


@dataclasses.dataclass(frozen=True)
class Profile:
    name: str
    help: str
    settings: tuple[Setting, ...]
