# SPDX-License-Identifier: MIT
"""From plan to started job: what a step returns, and what is in flight."""
from __future__ import annotations

import functools
import itertools
from typing import Any, Optional

from . import arrays, enums, structs
from ._library import Handle, document_of, library, told
from .records import Action, Entry, InFlightVictim, Place, given


class Step:
    """What is to be done now. Immutable."""

    def __init__(self, handle: int) -> None:
        self._step = Handle(handle, library.cede_step_destroy)

    @property
    def handle(self) -> int:
        return self._step.handle

    @functools.cached_property
    def actions(self) -> tuple[Action, ...]:
        """In the order of their numbers. Every one is to be answered with an event."""
        places = arrays.read(library.cede_step_places, self.handle, structs.Place)
        found = arrays.read(library.cede_step_actions, self.handle, structs.Action)
        return tuple(self._action(index, action, places) for index, action in enumerate(found))

    def _action(self, index: int, action: structs.Action, places: Any) -> Action:
        return Action(
            id=action.id, entry=action.entry, plan=action.plan, kind=enums.Do(action.kind),
            job=told(library.cede_step_action_job(self.handle, index)),
            tasks=tuple(told(library.cede_step_action_task(self.handle, index, task))
                        for task in range(action.task_count)),
            places=tuple(Place.of(places[action.first_place + place],
                                  told(library.cede_step_place_task(self.handle, index, place)),
                                  told(library.cede_step_place_node(self.handle, index, place)))
                         for place in range(action.place_count)),
            preemptor=told(library.cede_step_action_preemptor(self.handle, index)),
            purpose=enums.Purpose(action.purpose),
            cause=told(library.cede_step_action_cause(self.handle, index)),
            deadline=given(action.deadline),
            signal=enums.Signal(action.signal) if action.signal else None,
            via=enums.Via(action.via) if action.via else None,
            how=enums.How(action.how) if action.how else None,
            resume=bool(action.resume), waits_for_owner=bool(action.waits_for_owner),
            keep_local=bool(action.keep_local), preempted_count=action.preempted_count,
            submitted=given(action.submitted), waiting_since=given(action.waiting_since))

    @property
    def next_due(self) -> Optional[int]:
        """When the next step is due if nothing happens before; None: never."""
        return given(library.cede_step_next_due(self.handle))

    @functools.cached_property
    def answers(self) -> tuple[bool, ...]:
        """For each event whether it was applied; an event about something unknown is ignored."""
        found = (library.cede_step_answer(self.handle, event) for event in itertools.count())
        return tuple(answer == 1 for answer in itertools.takewhile(lambda answer: answer >= 0, found))

    @property
    def arrays(self) -> "StepArrays":
        return StepArrays(self)

    def document(self) -> dict[str, Any]:
        """As a cede-actions/1 document."""
        return document_of(library.cede_step_json, self.handle)

    def __repr__(self) -> str:
        return f"<cede.Step: {', '.join(action.kind.name.lower() for action in self.actions) or 'nothing to do'}>"


class StepArrays:
    """A step in the structs of cede.structs, whose names are numbers."""

    def __init__(self, step: Step) -> None:
        self._step = step

    @property
    def actions(self) -> arrays.Array:
        return arrays.take(library.cede_step_actions, self._step.handle, structs.Action)

    @property
    def tasks(self) -> arrays.Array:
        return arrays.take(library.cede_step_tasks, self._step.handle, structs.VictimTask)

    @property
    def places(self) -> arrays.Array:
        return arrays.take(library.cede_step_places, self._step.handle, structs.Place)


class Ledger:
    """What is decided and not finished, when it was asked for. Immutable."""

    def __init__(self, handle: int) -> None:
        self._ledger = Handle(handle, library.cede_ledger_destroy)

    @property
    def handle(self) -> int:
        return self._ledger.handle

    @functools.cached_property
    def entries(self) -> tuple[Entry, ...]:
        victims = arrays.read(library.cede_ledger_victims, self.handle, structs.LedgerVictim)
        found = arrays.read(library.cede_ledger_entries, self.handle, structs.Entry)
        return tuple(self._entry(index, entry, victims) for index, entry in enumerate(found))

    def _entry(self, index: int, entry: structs.Entry, victims: Any) -> Entry:
        theirs = victims[entry.first_victim:entry.first_victim + entry.victim_count]
        return Entry(
            entry=entry.entry, plan=entry.plan, requester=told(library.cede_ledger_requester(self.handle, index)),
            cause=told(library.cede_ledger_cause(self.handle, index)), purpose=enums.Purpose(entry.purpose),
            state=enums.EntryState(entry.state), committed=entry.committed, deadline=given(entry.deadline),
            has_hold=bool(entry.has_hold),
            victims=tuple(InFlightVictim(told(library.cede_ledger_victim_job(self.handle, index, place)),
                                         enums.Phase(victim.phase), enums.How(victim.how) if victim.how else None,
                                         given(victim.deadline))
                          for place, victim in enumerate(theirs)))

    @property
    def arrays(self) -> "LedgerArrays":
        return LedgerArrays(self)

    def document(self) -> dict[str, Any]:
        """As a cede-in-flight/1 document."""
        return document_of(library.cede_ledger_json, self.handle)

    def __len__(self) -> int:
        count: int = library.cede_ledger_count(self.handle)
        return count


class LedgerArrays:
    """A ledger in the structs of cede.structs, whose names are numbers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @property
    def entries(self) -> arrays.Array:
        return arrays.take(library.cede_ledger_entries, self._ledger.handle, structs.Entry)

    @property
    def victims(self) -> arrays.Array:
        return arrays.take(library.cede_ledger_victims, self._ledger.handle, structs.LedgerVictim)

    @property
    def tasks(self) -> arrays.Array:
        return arrays.take(library.cede_ledger_tasks, self._ledger.handle, structs.VictimTask)

    @property
    def places(self) -> arrays.Array:
        return arrays.take(library.cede_ledger_places, self._ledger.handle, structs.Place)
