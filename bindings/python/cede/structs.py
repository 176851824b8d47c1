# SPDX-License-Identifier: MIT
# Written by bindings/python/generate from cede.h; do not edit.
"""Every struct of cede.h, as ctypes lays it out: what the arrays are made of."""
import operator
from ctypes import Structure, c_char, c_int32, c_int64, c_uint32, c_uint64
from typing import Any


class Fields(Structure):
    """Takes every kind of integer, numpy's too; a field that does not exist is an AttributeError."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, operator.index(value))


class Error(Fields):
    __slots__ = ()
    status: int
    line: int
    text: bytes
    _fields_ = [
        ("status", c_int32),
        ("line", c_uint32),
        ("text", c_char * 248),
    ]


class Finding(Fields):
    __slots__ = ()
    severity: int
    status: int
    line: int
    column: int
    _fields_ = [
        ("severity", c_int32),
        ("status", c_int32),
        ("line", c_uint32),
        ("column", c_uint32),
    ]


class Amount(Fields):
    __slots__ = ()
    amount: int
    resource: int
    reserved: int
    _fields_ = [
        ("amount", c_int64),
        ("resource", c_uint32),
        ("reserved", c_uint32),
    ]


class Group(Fields):
    __slots__ = ()
    name: int
    policy: int
    resources: int
    reserved: int
    _fields_ = [
        ("name", c_uint32),
        ("policy", c_uint32),
        ("resources", c_uint32),
        ("reserved", c_uint32),
    ]


class Domain(Fields):
    __slots__ = ()
    name: int
    level: int
    parent: int
    reserved: int
    _fields_ = [
        ("name", c_uint32),
        ("level", c_uint32),
        ("parent", c_uint32),
        ("reserved", c_uint32),
    ]


class Queue(Fields):
    __slots__ = ()
    weight: int
    delay: int
    fair_share: int
    name: int
    parent: int
    guaranteed: int
    max: int
    settings: int
    kind: int
    policy: int
    priority_offset: int
    zero: int
    reserved: int
    _fields_ = [
        ("weight", c_int64),
        ("delay", c_int64),
        ("fair_share", c_int64),
        ("name", c_uint32),
        ("parent", c_uint32),
        ("guaranteed", c_uint32),
        ("max", c_uint32),
        ("settings", c_uint32),
        ("kind", c_int32),
        ("policy", c_int32),
        ("priority_offset", c_int32),
        ("zero", c_uint32),
        ("reserved", c_uint32),
    ]


class Node(Fields):
    __slots__ = ()
    fingerprint_at: int
    overcommit_since: int
    name: int
    group: int
    resources: int
    topology: int
    domain: int
    network: int
    home: int
    fingerprint: int
    labels: int
    state: int
    zero: int
    reserved: int
    _fields_ = [
        ("fingerprint_at", c_int64),
        ("overcommit_since", c_int64),
        ("name", c_uint32),
        ("group", c_uint32),
        ("resources", c_uint32),
        ("topology", c_uint32),
        ("domain", c_uint32),
        ("network", c_uint32),
        ("home", c_uint32),
        ("fingerprint", c_uint32),
        ("labels", c_uint32),
        ("state", c_int32),
        ("zero", c_uint32),
        ("reserved", c_uint32),
    ]


class Reservation(Fields):
    __slots__ = ()
    from_: int
    until: int
    name: int
    nodes: int
    queue: int
    user: int
    job: int
    zero: int
    _fields_ = [
        ("from_", c_int64),
        ("until", c_int64),
        ("name", c_uint32),
        ("nodes", c_uint32),
        ("queue", c_uint32),
        ("user", c_uint32),
        ("job", c_uint32),
        ("zero", c_uint32),
    ]


class Job(Fields):
    __slots__ = ()
    submitted: int
    waiting_since: int
    started: int
    resumed: int
    walltime: int
    below_fair_share_since: int
    checkpoint_last: int
    checkpoint_estimate: int
    checkpoint_timeout: int
    checkpoint_restart: int
    value: int
    fair_share: int
    name: int
    queue: int
    group: int
    app: int
    user: int
    project: int
    tenant: int
    max: int
    settings: int
    require: int
    kind: int
    state: int
    priority: int
    job_class: int
    gang: int
    preemptible: int
    may_preempt: int
    resume: int
    interruptible: int
    checkpoint_mode: int
    checkpoint_via: int
    min_tasks: int
    preempted_count: int
    task_count: int
    zero: int
    reserved: int
    _fields_ = [
        ("submitted", c_int64),
        ("waiting_since", c_int64),
        ("started", c_int64),
        ("resumed", c_int64),
        ("walltime", c_int64),
        ("below_fair_share_since", c_int64),
        ("checkpoint_last", c_int64),
        ("checkpoint_estimate", c_int64),
        ("checkpoint_timeout", c_int64),
        ("checkpoint_restart", c_int64),
        ("value", c_int64),
        ("fair_share", c_int64),
        ("name", c_uint32),
        ("queue", c_uint32),
        ("group", c_uint32),
        ("app", c_uint32),
        ("user", c_uint32),
        ("project", c_uint32),
        ("tenant", c_uint32),
        ("max", c_uint32),
        ("settings", c_uint32),
        ("require", c_uint32),
        ("kind", c_int32),
        ("state", c_int32),
        ("priority", c_int32),
        ("job_class", c_int32),
        ("gang", c_int32),
        ("preemptible", c_int32),
        ("may_preempt", c_int32),
        ("resume", c_int32),
        ("interruptible", c_int32),
        ("checkpoint_mode", c_int32),
        ("checkpoint_via", c_int32),
        ("min_tasks", c_uint32),
        ("preempted_count", c_uint32),
        ("task_count", c_uint32),
        ("zero", c_uint32),
        ("reserved", c_uint32),
    ]


class Task(Fields):
    __slots__ = ()
    started: int
    gpus: int
    job: int
    name: int
    node: int
    required_node: int
    resources: int
    count: int
    share: int
    share_device: int
    priority: int
    preemptible: int
    may_preempt: int
    originator: int
    zero: int
    only_nodes: int
    avoid_nodes: int
    leaving: int
    leaving_until: int
    _fields_ = [
        ("started", c_int64),
        ("gpus", c_uint64),
        ("job", c_uint32),
        ("name", c_uint32),
        ("node", c_uint32),
        ("required_node", c_uint32),
        ("resources", c_uint32),
        ("count", c_uint32),
        ("share", c_uint32),
        ("share_device", c_uint32),
        ("priority", c_int32),
        ("preemptible", c_int32),
        ("may_preempt", c_int32),
        ("originator", c_int32),
        ("zero", c_uint32),
        ("only_nodes", c_uint32),
        ("avoid_nodes", c_uint32),
        ("leaving", c_int32),
        ("leaving_until", c_int64),
    ]


class Budget(Fields):
    __slots__ = ()
    name: int
    apps: int
    jobs: int
    queue: int
    limit_kind: int
    limit: int
    mode: int
    reserved: int
    _fields_ = [
        ("name", c_uint32),
        ("apps", c_uint32),
        ("jobs", c_uint32),
        ("queue", c_uint32),
        ("limit_kind", c_int32),
        ("limit", c_uint32),
        ("mode", c_int32),
        ("reserved", c_uint32),
    ]


class TaskName(Fields):
    __slots__ = ()
    job: int
    task: int
    _fields_ = [
        ("job", c_uint32),
        ("task", c_uint32),
    ]


class Ruling(Fields):
    __slots__ = ()
    priority: int
    job_class: int
    preemptible: int
    min_priority: int
    max_priority: int
    default_priority: int
    max_class: int
    may_change: int
    may_opt_out: int
    min_opt_out_priority: int
    max_opt_out_priority: int
    _fields_ = [
        ("priority", c_int32),
        ("job_class", c_int32),
        ("preemptible", c_int32),
        ("min_priority", c_int32),
        ("max_priority", c_int32),
        ("default_priority", c_int32),
        ("max_class", c_int32),
        ("may_change", c_int32),
        ("may_opt_out", c_int32),
        ("min_opt_out_priority", c_int32),
        ("max_opt_out_priority", c_int32),
    ]


class Term(Fields):
    __slots__ = ()
    kind: int
    job: int
    node: int
    task: int
    index: int
    combination: int
    _fields_ = [
        ("kind", c_int32),
        ("job", c_uint32),
        ("node", c_uint32),
        ("task", c_uint32),
        ("index", c_uint32),
        ("combination", c_uint32),
    ]


class PlanFacts(Fields):
    __slots__ = ()
    now: int
    expected_start: int
    latest_start: int
    cost: int
    bound: int
    gap_value: int
    gap_bound: int
    revision: int
    units: int
    work: int
    outcome: int
    purpose: int
    cause: int
    optimal: int
    partial: int
    target: int
    group: int
    proven: int
    criterion_count: int
    victim_count: int
    task_count: int
    place_count: int
    move_count: int
    cost_part_count: int
    violation_count: int
    after_count: int
    met_count: int
    missed_count: int
    _fields_ = [
        ("now", c_int64),
        ("expected_start", c_int64),
        ("latest_start", c_int64),
        ("cost", c_int64),
        ("bound", c_int64),
        ("gap_value", c_int64),
        ("gap_bound", c_int64),
        ("revision", c_uint64),
        ("units", c_uint64),
        ("work", c_uint64),
        ("outcome", c_int32),
        ("purpose", c_int32),
        ("cause", c_int32),
        ("optimal", c_int32),
        ("partial", c_int32),
        ("target", c_uint32),
        ("group", c_uint32),
        ("proven", c_uint32),
        ("criterion_count", c_uint32),
        ("victim_count", c_uint32),
        ("task_count", c_uint32),
        ("place_count", c_uint32),
        ("move_count", c_uint32),
        ("cost_part_count", c_uint32),
        ("violation_count", c_uint32),
        ("after_count", c_uint32),
        ("met_count", c_uint32),
        ("missed_count", c_uint32),
    ]


class Victim(Fields):
    __slots__ = ()
    cost: int
    hold: int
    job: int
    task_count: int
    first_task: int
    cost_part_count: int
    first_cost_part: int
    move_count: int
    first_move: int
    action: int
    then: int
    unsaved: int
    requeue: int
    whole_job: int
    _fields_ = [
        ("cost", c_int64),
        ("hold", c_uint64),
        ("job", c_uint32),
        ("task_count", c_uint32),
        ("first_task", c_uint32),
        ("cost_part_count", c_uint32),
        ("first_cost_part", c_uint32),
        ("move_count", c_uint32),
        ("first_move", c_uint32),
        ("action", c_int32),
        ("then", c_int32),
        ("unsaved", c_int32),
        ("requeue", c_int32),
        ("whole_job", c_int32),
    ]


class VictimTask(Fields):
    __slots__ = ()
    job: int
    task: int
    position: int
    node: int
    _fields_ = [
        ("job", c_uint32),
        ("task", c_uint32),
        ("position", c_uint32),
        ("node", c_uint32),
    ]


class Place(Fields):
    __slots__ = ()
    gpus: int
    job: int
    task: int
    position: int
    index: int
    node: int
    share: int
    share_device: int
    devices_known: int
    whole_node: int
    reserved: int
    _fields_ = [
        ("gpus", c_uint64),
        ("job", c_uint32),
        ("task", c_uint32),
        ("position", c_uint32),
        ("index", c_uint32),
        ("node", c_uint32),
        ("share", c_uint32),
        ("share_device", c_uint32),
        ("devices_known", c_int32),
        ("whole_node", c_int32),
        ("reserved", c_uint32),
    ]


class CostPart(Fields):
    __slots__ = ()
    value: int
    victim: int
    kind: int
    _fields_ = [
        ("value", c_int64),
        ("victim", c_uint32),
        ("kind", c_int32),
    ]


class Criterion(Fields):
    __slots__ = ()
    value: int
    kind: int
    proven: int
    _fields_ = [
        ("value", c_int64),
        ("kind", c_int32),
        ("proven", c_int32),
    ]


class Violation(Fields):
    __slots__ = ()
    budget: int
    tasks: int
    _fields_ = [
        ("budget", c_uint32),
        ("tasks", c_uint32),
    ]


class Event(Fields):
    __slots__ = ()
    length: int
    entry: int
    action: int
    kind: int
    code: int
    job: int
    task: int
    node: int
    text: int
    text_size: int
    reserved: int
    _fields_ = [
        ("length", c_int64),
        ("entry", c_uint64),
        ("action", c_uint64),
        ("kind", c_int32),
        ("code", c_int32),
        ("job", c_uint32),
        ("task", c_uint32),
        ("node", c_uint32),
        ("text", c_uint32),
        ("text_size", c_uint32),
        ("reserved", c_uint32),
    ]


class Action(Fields):
    __slots__ = ()
    id: int
    entry: int
    plan: int
    deadline: int
    submitted: int
    waiting_since: int
    kind: int
    purpose: int
    cause: int
    target: int
    job: int
    first_task: int
    task_count: int
    first_place: int
    place_count: int
    signal: int
    via: int
    how: int
    resume: int
    waits_for_owner: int
    keep_local: int
    preempted_count: int
    _fields_ = [
        ("id", c_uint64),
        ("entry", c_uint64),
        ("plan", c_uint64),
        ("deadline", c_int64),
        ("submitted", c_int64),
        ("waiting_since", c_int64),
        ("kind", c_int32),
        ("purpose", c_int32),
        ("cause", c_int32),
        ("target", c_uint32),
        ("job", c_uint32),
        ("first_task", c_uint32),
        ("task_count", c_uint32),
        ("first_place", c_uint32),
        ("place_count", c_uint32),
        ("signal", c_int32),
        ("via", c_int32),
        ("how", c_int32),
        ("resume", c_int32),
        ("waits_for_owner", c_int32),
        ("keep_local", c_int32),
        ("preempted_count", c_uint32),
    ]


class Entry(Fields):
    __slots__ = ()
    entry: int
    plan: int
    committed: int
    deadline: int
    state: int
    purpose: int
    cause: int
    has_hold: int
    target: int
    first_victim: int
    victim_count: int
    first_place: int
    place_count: int
    reserved: int
    _fields_ = [
        ("entry", c_uint64),
        ("plan", c_uint64),
        ("committed", c_int64),
        ("deadline", c_int64),
        ("state", c_int32),
        ("purpose", c_int32),
        ("cause", c_int32),
        ("has_hold", c_int32),
        ("target", c_uint32),
        ("first_victim", c_uint32),
        ("victim_count", c_uint32),
        ("first_place", c_uint32),
        ("place_count", c_uint32),
        ("reserved", c_uint32),
    ]


class LedgerVictim(Fields):
    __slots__ = ()
    entry: int
    deadline: int
    phase: int
    how: int
    job: int
    first_task: int
    task_count: int
    reserved: int
    _fields_ = [
        ("entry", c_uint64),
        ("deadline", c_int64),
        ("phase", c_int32),
        ("how", c_int32),
        ("job", c_uint32),
        ("first_task", c_uint32),
        ("task_count", c_uint32),
        ("reserved", c_uint32),
    ]


class TopologyFacts(Fields):
    __slots__ = ()
    kind: int
    devices: int
    physical_devices: int
    numa_nodes: int
    sockets: int
    cores: int
    islands: int
    links_known: int
    nics: int
    levels: int
    domains: int
    nodes: int
    _fields_ = [
        ("kind", c_int32),
        ("devices", c_uint32),
        ("physical_devices", c_uint32),
        ("numa_nodes", c_uint32),
        ("sockets", c_uint32),
        ("cores", c_uint32),
        ("islands", c_uint32),
        ("links_known", c_int32),
        ("nics", c_uint32),
        ("levels", c_uint32),
        ("domains", c_uint32),
        ("nodes", c_uint32),
    ]
