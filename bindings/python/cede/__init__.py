# SPDX-License-Identifier: MIT
"""libcede: which running jobs give way to a waiting one.

    with cede.Engine(policy) as engine:
        plan = engine.load(cluster).plan("train")

The manual of every call is cede.h; the names are those of its calls without their prefix. All numbers are those of
cede.h too: times in milliseconds since 1970, costs and amounts in thousandths.
"""
from . import structs
from .admission import Admission
from .arrays import dtype, zeros
from .catalogue import (document_kind, has_feature, options, profiles, schema, schema_formats, status_name, version,
                        version_text)
from .engine import Engine
from .enums import (BudgetLimit, BudgetMode, Cause, CheckpointMode, CostKind, CriterionKind, Do, DocumentKind, EntryState,
                    EventKind, How, JobState, Kind, NodeState, Outcome, Part, Phase, Picture, Preemptible, Purpose,
                    QueuePolicy, Severity, Signal, Status, TermKind, TopologyKind, Via, VictimAction, Zero)
from .errors import (DamagedError, DocumentError, Error, InternalError, InvalidError, LimitError, NoMemoryError, StaleError,
                     UnknownError, VersionError)
from .plan import Plan, batch_json
from .records import (Action, CostPart, Criterion, Entry, Finding, Gap, InFlightVictim, Option, Place, PlanRecord, Profile,
                      Proof, Report, Ruling, Setting, TopologyFacts, Victim)
from .sequence import Ledger, Step
from .topology import Topology

#: In the fields of structs that are yes, no or not given.
YES = 1
NO = 2

__version__ = "0.2.0"

__all__ = [
    "NO", "YES", "Action", "Admission", "BudgetLimit", "BudgetMode", "Cause", "CheckpointMode", "CostKind", "CostPart",
    "Criterion", "CriterionKind", "DamagedError", "Do", "DocumentError", "DocumentKind", "Engine", "Entry", "EntryState",
    "Error", "EventKind", "Finding", "Gap", "How", "InFlightVictim", "InternalError", "InvalidError", "JobState", "Kind",
    "Ledger", "LimitError", "NoMemoryError", "NodeState", "Option", "Outcome", "Part", "Phase", "Picture", "Place", "Plan",
    "PlanRecord", "Preemptible", "Profile", "Proof", "Purpose", "QueuePolicy", "Report", "Ruling", "Setting", "Severity",
    "Signal", "StaleError", "Status", "Step", "TermKind", "Topology", "TopologyFacts", "TopologyKind", "UnknownError",
    "VersionError", "Via", "Victim", "VictimAction", "Zero", "batch_json", "document_kind", "dtype", "has_feature",
    "options", "profiles", "schema", "schema_formats", "status_name", "structs", "version", "version_text", "zeros",
]
