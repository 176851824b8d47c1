# SPDX-License-Identifier: MIT
"""A plan: the answer to one question."""
from __future__ import annotations

import ctypes
import functools
import json
from typing import Any, Optional

from . import arrays, enums, structs
from ._library import Handle, ask, document_of, library, make, text_of, told
from .records import CostPart, Criterion, Gap, Place, PlanRecord, Proof, Victim, given


class Plan:
    """Which running jobs give way and where the waiting job goes. Immutable: threads may share it, and it may outlive its
    engine. What it says is read from the library when it is first asked for; record() reads all of it."""

    def __init__(self, handle: int, target: str) -> None:
        self._plan = Handle(handle, library.cede_plan_destroy)
        #: The job that asked, "queue:NAME" and so on of relief, or the queue that claims.
        self.target = target

    @property
    def handle(self) -> int:
        """The cede_plan, for calls of your own."""
        return self._plan.handle

    @functools.cached_property
    def outcome(self) -> enums.Outcome:
        return enums.Outcome(library.cede_plan_outcome(self.handle))

    @property
    def rule(self) -> str:
        """The rule that decided; empty if the outcome is PREEMPT."""
        return told(library.cede_plan_rule(self.handle))

    @property
    def reason(self) -> str:
        return told(library.cede_plan_reason(self.handle))

    @property
    def cause(self) -> str:
        return told(library.cede_plan_cause(self.handle))

    @property
    def policy(self) -> str:
        return told(library.cede_plan_policy(self.handle))

    @property
    def profile(self) -> str:
        return told(library.cede_plan_profile(self.handle))

    @property
    def revision(self) -> int:
        revision: int = library.cede_plan_revision(self.handle)
        return revision

    @property
    def cost(self) -> int:
        """In thousandths of the profile's unit."""
        cost: int = library.cede_plan_cost(self.handle)
        return cost

    @property
    def bound(self) -> Optional[int]:
        """No set of victims costs less; None where the cost is no criterion."""
        return given(library.cede_plan_bound(self.handle))

    @functools.cached_property
    def facts(self) -> structs.PlanFacts:
        """Every number of the plan, as cede.h lists them; do not write to it."""
        facts = structs.PlanFacts()
        ask(library.cede_plan_get, self.handle, ctypes.byref(facts), ctypes.sizeof(facts))
        return facts

    @property
    def expected_start(self) -> Optional[int]:
        return given(self.facts.expected_start)

    @property
    def latest_start(self) -> Optional[int]:
        return given(self.facts.latest_start)

    @functools.cached_property
    def victims(self) -> tuple[Victim, ...]:
        handle = self.handle
        parts = arrays.read(library.cede_plan_cost_parts, handle, structs.CostPart)
        return tuple(_victim(handle, index, victim, parts)
                     for index, victim in enumerate(arrays.read(library.cede_plan_victims, handle, structs.Victim)))

    @functools.cached_property
    def placement(self) -> tuple[Place, ...]:
        handle = self.handle
        return tuple(Place.of(place, told(library.cede_plan_place_task(handle, index)),
                              told(library.cede_plan_place_node(handle, index)))
                     for index, place in enumerate(arrays.read(library.cede_plan_places, handle, structs.Place)))

    @functools.cached_property
    def proof(self) -> Proof:
        found = arrays.read(library.cede_plan_criteria, self.handle, structs.Criterion)
        criteria = tuple(Criterion(told(library.cede_plan_criterion_name(self.handle, index)),
                                   enums.CriterionKind(criterion.kind), criterion.value, bool(criterion.proven))
                         for index, criterion in enumerate(found))
        facts = self.facts
        gap = None
        if not facts.optimal and facts.proven < len(criteria):
            gap = Gap(criteria[facts.proven].name, given(facts.gap_value), given(facts.gap_bound))
        return Proof(bool(facts.optimal), facts.proven, criteria, gap)

    @property
    def objective(self) -> Any:
        """The list of values compared, as in the plan document: [["last-resort", 0], ...]."""
        return json.loads(told(library.cede_plan_objective(self.handle)))

    @property
    def gap(self) -> Optional[Gap]:
        """How far the plan may be from the best; None if it is optimal, or if nothing was compared."""
        return self.proof.gap

    @property
    def after(self) -> tuple[str, ...]:
        """The earlier jobs of a batch that the plan depends on."""
        return tuple(told(library.cede_plan_after(self.handle, index))
                     for index in range(library.cede_plan_after_count(self.handle)))

    @property
    def met(self) -> tuple[str, ...]:
        """What of the job's topology requirement the placement meets."""
        return tuple(told(library.cede_plan_met(self.handle, index)) for index in range(self.facts.met_count))

    @property
    def missed(self) -> tuple[str, ...]:
        """Which of its preferences it misses."""
        return tuple(told(library.cede_plan_missed(self.handle, index)) for index in range(self.facts.missed_count))

    @property
    def arrays(self) -> "PlanArrays":
        return PlanArrays(self)

    def record(self) -> PlanRecord:
        facts = self.facts
        return PlanRecord(
            target=self.target, purpose=enums.Purpose(facts.purpose), outcome=self.outcome, rule=self.rule,
            reason=self.reason, cause=self.cause, policy=self.policy, profile=self.profile, revision=facts.revision,
            now=facts.now, expected_start=self.expected_start, latest_start=self.latest_start, cost=facts.cost,
            bound=given(facts.bound), partial=bool(facts.partial), proof=self.proof, victims=self.victims,
            placement=self.placement, after=self.after, met=self.met, missed=self.missed, units=facts.units,
            work=facts.work)

    def json(self) -> str:
        """The plan as the text of a cede-plan/1 document."""
        return text_of(library.cede_plan_json, self.handle)

    def document(self) -> dict[str, Any]:
        return document_of(library.cede_plan_json, self.handle)

    def explain(self) -> dict[str, Any]:
        """The same with the reason for every unit considered, alternatives, and the work counted."""
        return document_of(library.cede_plan_explain, self.handle)

    def verify(self) -> None:
        """Checks the plan again against the cluster it was made on; raises what fails."""
        ask(library.cede_plan_verify, self.handle)

    def picture(self, format: enums.Picture = enums.Picture.TEXT, width: int = 0) -> str:
        """The nodes that the plan touches, as lines of text or as an <svg> element."""
        return text_of(library.cede_plan_picture, self.handle, format, width)

    def _repr_html_(self) -> str:
        return self.picture(enums.Picture.SVG)

    def __repr__(self) -> str:
        return f"<cede.Plan for {self.target!r}: {self.outcome.name.lower()}, {self.reason}>"


class PlanArrays:
    """A plan in the structs of cede.structs, whose names are numbers."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def _take(self, call: Any, struct: type[ctypes.Structure]) -> arrays.Array:
        return arrays.take(call, self._plan.handle, struct)

    @property
    def victims(self) -> arrays.Array:
        return self._take(library.cede_plan_victims, structs.Victim)

    @property
    def victim_tasks(self) -> arrays.Array:
        return self._take(library.cede_plan_victim_tasks, structs.VictimTask)

    @property
    def places(self) -> arrays.Array:
        return self._take(library.cede_plan_places, structs.Place)

    @property
    def moves(self) -> arrays.Array:
        return self._take(library.cede_plan_moves, structs.Place)

    @property
    def cost_parts(self) -> arrays.Array:
        return self._take(library.cede_plan_cost_parts, structs.CostPart)

    @property
    def criteria(self) -> arrays.Array:
        return self._take(library.cede_plan_criteria, structs.Criterion)

    @property
    def violations(self) -> arrays.Array:
        return self._take(library.cede_plan_violations, structs.Violation)

    @property
    def after_jobs(self) -> arrays.Array:
        count = self._plan.facts.after_count
        numbers, room = arrays.new_numbers(count)
        ask(library.cede_plan_after_jobs, self._plan.handle, room, count, None)
        return numbers


def _victim(handle: int, index: int, victim: structs.Victim, parts: Any) -> Victim:
    costs = parts[victim.first_cost_part:victim.first_cost_part + victim.cost_part_count]
    tasks = [told(library.cede_plan_victim_task(handle, index, task)) for task in range(victim.task_count)]
    action, then, unsaved = victim.action, victim.then, victim.unsaved
    return Victim(
        job=told(library.cede_plan_victim_job(handle, index)), tasks=tuple(tasks), whole_job=victim.whole_job == 1,
        action=enums.of(enums.VictimAction, action), then=enums.of(enums.VictimAction, then) if then else None,
        unsaved=enums.of(enums.VictimAction, unsaved) if unsaved else None, requeue=victim.requeue == 1,
        hold=victim.hold, cost=victim.cost,
        cost_parts=tuple([CostPart(enums.of(enums.CostKind, part.kind), part.value) for part in costs]))


def batch_json(plans: Any) -> str:
    """The plans of a batch as the text of one document."""
    handles = [plan.handle for plan in plans]
    return text_of(library.cede_plan_batch_json, (ctypes.c_void_p * len(handles))(*handles), len(handles))


def plan_of(target: str, call: Any, *arguments: Any) -> Plan:
    return Plan(make(call, *arguments), target)
