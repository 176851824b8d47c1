# SPDX-License-Identifier: MIT
"""What a job may ask for."""
from __future__ import annotations

import ctypes
import functools
from typing import Any

from . import enums, structs
from ._library import Handle, ask, document_of, library, told
from .records import Ruling


class Admission:
    """Whether the admission rules accept a job, and what a frontend may offer its owner. True if it is admitted."""

    def __init__(self, handle: int) -> None:
        self._admission = Handle(handle, library.cede_admission_destroy)

    @property
    def handle(self) -> int:
        return self._admission.handle

    @property
    def admitted(self) -> bool:
        return bool(library.cede_admission_admitted(self.handle) == 1)

    def __bool__(self) -> bool:
        return self.admitted

    @property
    def rule(self) -> str:
        """The rule that refused it; empty if it is admitted."""
        return told(library.cede_admission_rule(self.handle))

    @property
    def reason(self) -> str:
        return told(library.cede_admission_reason(self.handle))

    @property
    def quota(self) -> str:
        """Under profile quota, whether the job's waiting tasks are within their quotas now."""
        return told(library.cede_admission_quota(self.handle))

    @functools.cached_property
    def ruling(self) -> Ruling:
        out = structs.Ruling()
        ask(library.cede_admission_get, self.handle, ctypes.byref(out), ctypes.sizeof(out))
        values: dict[str, Any] = {field[0]: getattr(out, field[0]) for field in out._fields_}
        return Ruling(**{**values, "preemptible": enums.Preemptible(out.preemptible),
                         "may_change": bool(out.may_change), "may_opt_out": bool(out.may_opt_out)})

    def document(self) -> dict[str, Any]:
        """As a cede-admission/1 document."""
        return document_of(library.cede_admission_json, self.handle)
