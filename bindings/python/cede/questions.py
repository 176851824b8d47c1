# SPDX-License-Identifier: MIT
"""The four questions to an engine, each with names or with numbers."""
from __future__ import annotations

import ctypes
import operator
from typing import Any, Iterable, Optional, Sequence, SupportsIndex, Union

from . import enums, structs
from ._guard import Guard
from ._library import Handle, ask, library, name, names, told
from .arrays import pass_numbers, pass_structs
from .plan import Plan, plan_of

#: A name, or the number of one.
Name = Union[str, SupportsIndex]

NO_TERMS: tuple[Any, ...] = ()
_NOW_OF_CLUSTER = -(2**63)
_REASONS = {"reclaim": enums.Purpose.RECLAIM, "sensitive": enums.Purpose.SENSITIVE}


def _number(value: Name) -> int:
    if isinstance(value, str):
        raise TypeError(f"names and numbers do not mix within one question: {value!r}")
    return operator.index(value)


def time_of(now: Optional[int]) -> int:
    return _NOW_OF_CLUSTER if now is None else now


def _texts(protect: Iterable[Name], avoid: Iterable[Name], only: Iterable[Name], partial: bool, terms: Any) -> Any:
    """The terms of a question that is asked with names."""
    out = [f"{word}={value}" for word, values in (("protect", protect), ("avoid", avoid), ("only", only))
           for value in values]
    return names(out + ["partial"] * partial + list(terms))


def _structs(protect: Iterable[Name], avoid: Iterable[Name], only: Iterable[Name], partial: bool, terms: Any) -> Any:
    """The terms of a question that is asked with numbers."""
    if protect is avoid is only is terms is NO_TERMS and not partial:  # the usual question
        return None, ctypes.sizeof(structs.Term), 0
    out = [structs.Term(kind=enums.TermKind.PROTECT, job=job) for job in protect]
    out += [structs.Term(kind=enums.TermKind.AVOID, node=node) for node in avoid]
    out += [structs.Term(kind=enums.TermKind.ONLY, node=node) for node in only]
    out += [structs.Term(kind=enums.TermKind.PARTIAL)] * partial
    passed = pass_structs(out + list(terms) if out else terms, structs.Term)
    return passed.address, ctypes.sizeof(structs.Term), passed.length


class Questions:
    """The part of an engine that plans. Nothing here changes the engine, so many threads may ask at once.

    Names and numbers do not mix within one question: asked with a job's name, the terms hold names; asked with its number,
    they hold numbers. Further `terms` are texts ("refused=t0@n1") or an array of structs.Term. `now` is in milliseconds
    since 1970; without it, the cluster's time counts.
    """

    _engine: Handle
    _guard: Guard

    def plan(self, job: Name, *, now: Optional[int] = None, protect: Iterable[Name] = NO_TERMS,
             avoid: Iterable[Name] = NO_TERMS, only: Iterable[Name] = NO_TERMS, terms: Any = NO_TERMS) -> Plan:
        """Plans for one waiting job. `protect` are jobs to be left alone, `avoid` nodes not to be used, `only` the only
        nodes to be used."""
        with self._guard.reading:
            if isinstance(job, str):
                return plan_of(job, library.cede_plan_create, self._engine.handle, name(job), time_of(now),
                               *_texts(protect, avoid, only, False, terms))
            number = _number(job)
            return plan_of(self._text(number), library.cede_engine_plan, self._engine.handle, number, time_of(now),
                           *_structs(protect, avoid, only, False, terms))

    def plan_batch(self, jobs: Sequence[Name], *, now: Optional[int] = None, protect: Iterable[Name] = NO_TERMS,
                   avoid: Iterable[Name] = NO_TERMS, only: Iterable[Name] = NO_TERMS,
                   terms: Any = NO_TERMS) -> tuple[Plan, ...]:
        """Plans for several waiting jobs, as if each plan were committed before the next job is planned."""
        jobs = list(jobs)
        made = (ctypes.c_void_p * len(jobs))()
        with self._guard.reading:
            if all(isinstance(job, str) for job in jobs):
                texts, count = names(jobs)
                ask(library.cede_plan_create_batch, self._engine.handle, texts, count, time_of(now),
                    *_texts(protect, avoid, only, False, terms), made)
            else:
                passed = pass_numbers(jobs)
                ask(library.cede_engine_plan_batch, self._engine.handle, passed.address, passed.length, time_of(now),
                    *_structs(protect, avoid, only, False, terms), made)
            return tuple(Plan(handle, job if isinstance(job, str) else self._text(_number(job)))
                         for handle, job in zip(made, jobs) if handle is not None)

    def plan_relief(self, target: Union[str, tuple[enums.Purpose, SupportsIndex]], *, group: Optional[Name] = None,
                    partial: bool = False, now: Optional[int] = None, protect: Iterable[Name] = NO_TERMS,
                    terms: Any = NO_TERMS) -> Plan:
        """Plans which jobs leave so that a node, a queue or a job is within its limit: "node:NAME", "queue:NAME" or
        "job:NAME", or (Purpose.NODE, number) and so on."""
        with self._guard.reading:
            if isinstance(target, str):
                return plan_of(target, library.cede_plan_create_relief, self._engine.handle, name(target),
                               None if group is None else name(str(group)), time_of(now),
                               *_texts(protect, (), (), partial, terms))
            kind, number = target[0], _number(target[1])
            words = {enums.Purpose.NODE: "node", enums.Purpose.QUEUE: "queue", enums.Purpose.JOB_MAX: "job"}
            return plan_of(f"{words.get(kind, '?')}:{self._text(number)}", library.cede_engine_plan_relief,
                           self._engine.handle, kind, number, 0 if group is None else _number(group), time_of(now),
                           *_structs(protect, NO_TERMS, NO_TERMS, partial, terms))

    def plan_claim(self, queue: Name, nodes: Iterable[Name], reason: Union[str, enums.Purpose], *,
                   now: Optional[int] = None, protect: Iterable[Name] = NO_TERMS, terms: Any = NO_TERMS) -> Plan:
        """Plans for a queue that claims nodes; `reason` is "reclaim" or "sensitive"."""
        with self._guard.reading:
            if isinstance(queue, str):
                texts, count = names(nodes)
                word = reason.name.lower() if isinstance(reason, enums.Purpose) else reason
                return plan_of(queue, library.cede_plan_create_claim, self._engine.handle, name(queue), texts, count,
                               name(word), time_of(now), *_texts(protect, (), (), False, terms))
            passed = pass_numbers(nodes)
            number = _number(queue)
            return plan_of(self._text(number), library.cede_engine_plan_claim, self._engine.handle, number, passed.address,
                           passed.length, _REASONS[reason] if isinstance(reason, str) else reason, time_of(now),
                           *_structs(protect, NO_TERMS, NO_TERMS, False, terms))

    def _text(self, number: int) -> str:
        return told(library.cede_engine_name_text(self._engine.handle, number))
