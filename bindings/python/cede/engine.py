# SPDX-License-Identifier: MIT
"""One cluster, one policy, and everything decided so far."""
from __future__ import annotations

import ctypes
import operator
from types import TracebackType
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import arrays, enums, structs
from ._calls import HEADER_VERSION, LOG
from ._guard import Guard
from ._library import (Document, Handle, ask, check, document, document_of, library, make, name, names, text_bytes, text_of,
                       told)
from .admission import Admission
from .number_door import NumberDoor
from .plan import Plan
from .questions import Name, Questions, time_of
from .records import Finding, Report
from .sequence import Ledger, Step

#: Takes a level as the logging module counts them, and a line.
Log = Callable[[int, str], Any]


class Engine(NumberDoor, Questions):
    """One cluster, one policy, and everything decided so far.

    `policy` is a cede-policy/1 document; without one the engine loads, checks and exports clusters. Options are those of
    options(): Engine(policy, threads=2). Threads may share an engine: questions run at the same time, a change waits for
    them and runs alone.
    """

    def __init__(self, policy: Optional[Document] = None, **options: Any) -> None:
        self._guard = Guard()
        self._log: Any = LOG()
        data = None if policy is None else document(policy)
        given, count = names(f"{option}={int(value) if isinstance(value, bool) else value}"
                             for option, value in options.items())
        self._engine = Handle(make(library.cede_engine_create, data, len(data or b""), given, count, HEADER_VERSION),
                              library.cede_engine_destroy)

    @property
    def handle(self) -> int:
        """The cede_engine, for calls of your own; keep other threads away from it."""
        return self._engine.handle

    def close(self) -> None:
        """Destroys the engine. Plans, steps and ledgers that it made live on."""
        if not self._guard.origin.is_here:
            return self._engine.drop()
        with self._guard.changing:
            self._engine.drop()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def clone(self) -> "Engine":
        """An independent engine in the same state, for what-if questions; cheap. The log is not copied."""
        copy = Engine.__new__(Engine)
        copy._guard = Guard()
        copy._log = LOG()
        with self._guard.reading:
            copy._engine = Handle(make(library.cede_engine_clone, self._engine.handle), library.cede_engine_destroy)
        return copy

    def set_log(self, log: Optional[Log]) -> None:
        """Lines of an operator's log: engine.set_log(logging.getLogger("cede").log). Called during calls on this engine, on
        the calling thread; it may ask the engine only what a call that does not change it may."""
        def hear(_: Any, level: int, text: bytes) -> None:
            if log is not None:
                log(10 * level + 10, told(text))

        callback = LOG() if log is None else LOG(hear)
        with self._guard.changing:
            ask(library.cede_engine_set_log, self._engine.handle, callback, None)
            self._log = callback

    def load(self, cluster: Document) -> "Engine":
        """Replaces the cluster with a cede-cluster/1 document, all or nothing; check() lists what is legal but odd."""
        return self._take(library.cede_engine_load, cluster)

    def apply(self, changes: Document) -> "Engine":
        """Applies a cede-changes/1 document, all or nothing."""
        return self._take(library.cede_engine_apply, changes)

    def set_policy(self, policy: Document) -> "Engine":
        """Replaces the policy, all or nothing; the cluster must agree with it."""
        return self._take(library.cede_engine_set_policy, policy)

    def _take(self, call: Callable[..., int], text: Document) -> "Engine":
        data = document(text)
        with self._guard.changing:
            ask(call, self._engine.handle, data, len(data))
        return self

    @property
    def revision(self) -> int:
        """Grows with every change of the cluster or policy."""
        with self._guard.reading:
            revision: int = library.cede_engine_revision(self._engine.handle)
            return revision

    def check(self, text: Optional[Document] = None) -> Report:
        """Checks a document as load, apply or set_policy would, and changes nothing; without one, lists the warnings of the
        loaded cluster and policy."""
        data = None if text is None else document(text)
        made = ctypes.c_void_p()
        error = structs.Error()
        with self._guard.reading:
            status = library.cede_engine_check(self._engine.handle, data, len(data or b""), ctypes.byref(made),
                                               ctypes.byref(error))
        if made.value is None:
            check(status, error)  # not a fault of the document but of the call
        report = Handle(made.value or 0, library.cede_report_destroy)
        found = arrays.read(library.cede_report_findings, report.handle, structs.Finding)
        return Report(
            enums.Status(status),
            tuple(Finding(enums.Severity(finding.severity), enums.Status(finding.status), finding.line, finding.column,
                          told(library.cede_report_path(report.handle, index)),
                          told(library.cede_report_text(report.handle, index)))
                  for index, finding in enumerate(found)),
            library.cede_report_dropped(report.handle))

    def export(self) -> dict[str, Any]:
        """The cluster as a cede-cluster/1 document that loads back to the same model."""
        with self._guard.reading:
            return document_of(library.cede_engine_export, self._engine.handle)

    def admit(self, job: Name, changes: Optional[Document] = None) -> Admission:
        """Whether the admission rules accept a job, as it is or as it would be after a cede-changes/1 document."""
        with self._guard.reading:
            if isinstance(job, str):
                data = None if changes is None else document(changes)
                return Admission(make(library.cede_engine_admit, self._engine.handle, name(job), data, len(data or b"")))
            if changes is not None:
                raise TypeError("changes go with the name of a job; put the job into a clone to ask by its number")
            return Admission(make(library.cede_engine_admit_job, self._engine.handle, operator.index(job)))

    # ---- sequence: from plan to started job ----

    def commit(self, plan: Plan, now: Optional[int] = None, plan_micros: int = -1) -> int:
        """Writes a plan into the ledger and returns the number of its entry; StaleError if it no longer holds."""
        entry = ctypes.c_uint64()
        with self._guard.changing:
            ask(library.cede_engine_commit, self._engine.handle, plan.handle, time_of(now), plan_micros,
                ctypes.byref(entry))
        return entry.value

    def extend(self, entry: int, plan: Plan, now: Optional[int] = None, plan_micros: int = -1) -> None:
        """Gives an entry that is short a new plan for the same requester."""
        with self._guard.changing:
            ask(library.cede_engine_extend, self._engine.handle, entry, plan.handle, time_of(now), plan_micros)

    def cancel(self, entry: int, now: Optional[int] = None) -> None:
        """Ends an entry."""
        with self._guard.changing:
            ask(library.cede_engine_cancel, self._engine.handle, entry, time_of(now))

    def give_up(self, entry: int, now: Optional[int] = None) -> None:
        """Ends an entry that is short and has no other plan; it counts as failed."""
        with self._guard.changing:
            ask(library.cede_engine_give_up, self._engine.handle, entry, time_of(now))

    def note(self, plan: Plan, now: Optional[int] = None, plan_micros: int = -1) -> None:
        """Counts a plan that was not committed."""
        with self._guard.changing:
            ask(library.cede_engine_note, self._engine.handle, plan.handle, time_of(now), plan_micros)

    def step(self, events: Union[Document, Iterable[Mapping[str, Any]]] = (), now: Optional[int] = None) -> Step:
        """Reports what happened and returns what is to be done now. `events` are a cede-events/1 document or its list:
        [{"event": "checkpoint-done", "job": "j1"}]."""
        if not isinstance(events, (str, bytes, Mapping)):
            events = {"format": "cede-events/1", "events": list(events)}
        data = document(events)
        with self._guard.changing:
            return Step(make(library.cede_engine_step_document, self._engine.handle, time_of(now), data, len(data)))

    def step_array(self, events: Any = (), texts: bytes = b"", now: Optional[int] = None) -> Step:
        """The same with an array of structs.Event; `texts` are the reasons that failed actions give."""
        passed = arrays.pass_structs(events, structs.Event)
        with self._guard.changing:
            return Step(make(library.cede_engine_step, self._engine.handle, time_of(now), passed.address,
                             ctypes.sizeof(structs.Event), passed.length, texts, len(texts)))

    def in_flight(self) -> Ledger:
        """What is decided and not finished."""
        with self._guard.reading:
            return Ledger(make(library.cede_engine_in_flight, self._engine.handle))

    def save(self) -> bytes:
        """Everything the engine knows beyond the cluster document."""
        with self._guard.reading:
            return text_bytes(library.cede_engine_save, self._engine.handle)

    def restore(self, state: bytes) -> "Engine":
        """Replaces what is in flight with a saved state."""
        return self._take(library.cede_engine_restore, state)

    def metrics(self) -> str:
        """What the engine has counted, as OpenMetrics text."""
        with self._guard.reading:
            return text_of(library.cede_engine_metrics, self._engine.handle)

    def shares(self, group: Optional[str] = None, now: Optional[int] = None) -> dict[str, Any]:
        """A cede-shares/1 document about one group, or all groups, whose profile is fair-share."""
        with self._guard.reading:
            return document_of(library.cede_engine_shares, self._engine.handle, None if group is None else name(group),
                               time_of(now))

    def __repr__(self) -> str:
        return f"<cede.Engine at revision {self.revision}>"


