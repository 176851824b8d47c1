# SPDX-License-Identifier: MIT
# Written by bindings/python/generate from cede.h; do not edit.
"""Every group of constants of cede.h."""
from enum import IntEnum, IntFlag
from typing import Type, TypeVar, cast


class _Open(IntEnum):
    """A newer library may answer with a number that this package has no name for; it is kept as it is."""

    @classmethod
    def _missing_(cls, value: object) -> "_Open | None":
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


class Status(_Open):
    OK = 0
    REMARK_WARNINGS = 1
    E_INVALID = -1
    E_DOCUMENT = -2
    E_LIMIT = -3
    E_VERSION = -4
    E_NOMEM = -5
    E_INTERNAL = -6
    E_UNKNOWN = -7
    E_STALE = -8
    E_DAMAGED = -9


class SettingText(_Open):
    NAME = 0
    DEFAULT = 1
    UNIT = 2
    RANGE = 3
    SIDE = 4
    HELP = 5


class LogLevel(_Open):
    DEBUG = 0
    INFO = 1
    WARNING = 2


class DocumentKind(_Open):
    CLUSTER = 1
    CHANGES = 2
    POLICY = 3


class Severity(_Open):
    ERROR = 1
    WARNING = 2


class Part(_Open):
    REQUIREMENT = 3
    QUEUE_SETTINGS = 4
    JOB_SETTINGS = 5
    LABELS = 6
    FINGERPRINT = 7


class Zero(IntFlag):
    PRIORITY = 0x1
    CLASS = 0x2
    VALUE = 0x4
    FAIR_SHARE = 0x8
    SUBMITTED = 0x10
    WAITING_SINCE = 0x20
    STARTED = 0x40
    RESUMED = 0x80
    WALLTIME = 0x100
    BELOW_FAIR_SHARE = 0x200
    CHECKPOINT_LAST = 0x400
    CHECKPOINT_ESTIMATE = 0x800
    CHECKPOINT_TIMEOUT = 0x1000
    CHECKPOINT_RESTART = 0x2000
    GPUS = 0x4000
    FROM = 0x8000
    UNTIL = 0x10000
    FINGERPRINT_AT = 0x20000
    OVERCOMMIT_SINCE = 0x40000
    LEAVING_UNTIL = 0x80000


class Kind(_Open):
    BATCH = 1
    INFERENCE = 2
    INTERACTIVE = 3
    SERVICE = 4
    TRAINING = 5
    SENSITIVE = 6


class QueuePolicy(_Open):
    DEFAULT = 1
    FENCE = 2
    DISABLED = 3


class NodeState(_Open):
    UP = 1
    DRAIN = 2
    DOWN = 3


class JobState(_Open):
    PENDING = 1
    RUNNING = 2
    CHECKPOINTING = 3
    PREEMPTING = 4
    SUSPENDED = 5


class CheckpointMode(_Open):
    NONE = 1
    AUTO = 2
    MANUAL = 3


class Via(_Open):
    SIGNAL = 1
    SHMEM = 2
    CALLBACK = 3


class BudgetLimit(_Open):
    MAX_UNAVAILABLE = 1
    MAX_UNAVAILABLE_PERCENT = 2
    MIN_AVAILABLE = 3
    MIN_AVAILABLE_PERCENT = 4


class BudgetMode(_Open):
    AVOID = 1
    FORBID = 2


class Preemptible(_Open):
    YES = 1
    NO = 2
    LAST_RESORT = 3


class Outcome(_Open):
    FITS = 1
    PREEMPT = 2
    WAIT = 3
    IN_PROGRESS = 4
    IMPOSSIBLE = 5


class TermKind(_Open):
    PROTECT = 1
    AVOID = 2
    ONLY = 3
    PARTIAL = 4
    REFUSED = 5


class Purpose(_Open):
    JOB = 1
    NODE = 2
    QUEUE = 3
    JOB_MAX = 4
    RECLAIM = 5
    SENSITIVE = 6


class Cause(_Open):
    PRIORITY = 1
    RECLAIM = 2
    SENSITIVE = 3
    QUOTA = 4
    STARVATION = 5
    GUARANTEE = 6
    REQUIRED_NODE = 7
    OVERCOMMIT = 8
    LIMIT = 9


class VictimAction(_Open):
    CHECKPOINT = 1
    SUSPEND = 2
    TERMINATE = 3
    SOFT_EVICT = 4
    SIGNAL_FIRST = 5


class CostKind(_Open):
    CHECKPOINT = 1
    RECOMPUTE = 2
    WALLTIME = 3
    OVERHEAD = 4
    LOST_WORK = 5
    BORROWED_DISCOUNT = 6


class CriterionKind(_Open):
    NUMBER = 1
    COUNTS = 2
    TIMES = 3


class Picture(_Open):
    TEXT = 1
    SVG = 2


class EventKind(_Open):
    CHECKPOINT_PROGRESS = 1
    CHECKPOINT_DONE = 2
    CHECKPOINT_FAILED = 3
    DEFER = 4
    RELEASED = 5
    EXITED = 6
    CLAIM_DONE = 7
    STARTED = 8
    CANCELLED = 9
    NODE_DOWN = 10
    NODE_UP = 11
    ACTION_DONE = 12
    ACTION_FAILED = 13


class Do(_Open):
    CHECKPOINT_HINT = 1
    SIGNAL = 2
    SUSPEND = 3
    TERMINATE = 4
    MARK = 5
    REPLAN = 6
    CLAIM_READY = 7
    CANCEL_HINT = 8
    REQUEUE = 9
    START = 10
    RELEASE_HOLD = 11
    GONE = 12
    START_MOVED = 13


class Signal(_Open):
    INT = 1
    TERM = 2
    KILL = 3


class How(_Open):
    COMPLETED = 1
    SAVED = 2
    TERMINATED = 3
    FAILED = 4


class EntryState(_Open):
    PREPARING = 1
    WAITING = 2
    SHORT = 3
    READY = 4
    STARTED = 5
    EXPIRED = 6
    CANCELLED = 7
    FAILED = 8


class Phase(_Open):
    PLANNED = 1
    CHECKPOINTING = 2
    SIGNALLED = 3
    MARKED = 4
    STOPPING = 5
    TERMINATING = 6
    KILLING = 7
    REMOVING = 8
    STUCK = 9
    RELEASED = 10
    SPARED = 11


class TopologyKind(_Open):
    ANY = 0
    HWLOC_XML = 1
    NCCL_XML = 2
    SLURM = 3


_Member = TypeVar("_Member", bound=_Open)


def of(enum: Type[_Member], value: int) -> _Member:
    """enum(value), at a fraction of its cost."""
    return cast("dict[int, _Member]", enum._value2member_map_).get(value) or enum(value)
