# SPDX-License-Identifier: MIT
"""One exception for every status of a call that fails."""
from __future__ import annotations

from .enums import Status


class Error(Exception):
    """A call failed: `status` says how, `text` which place, which value and what is allowed. `line` is the line of the
    document, from 1, or 0."""

    def __init__(self, status: int, line: int, text: str) -> None:
        super().__init__(status, line, text)
        self.status = Status(status)
        self.line = line
        self.text = text

    def __str__(self) -> str:
        return self.text


class InvalidError(Error, ValueError):
    """An argument of the call is wrong."""


class DocumentError(Error, ValueError):
    """A document, or an array in its place, breaks a rule."""


class LimitError(Error, ValueError):
    """An input is beyond a documented limit."""


class VersionError(Error):
    """A struct, a document or a saved state of a version that the library does not know."""


class NoMemoryError(Error, MemoryError):
    """Out of memory."""


class InternalError(Error):
    """A bug in the library: please report the text."""


class UnknownError(Error, LookupError):
    """No object has this name."""


class StaleError(Error):
    """The cluster has changed and the plan no longer holds: ask for another."""


class DamagedError(Error):
    """A saved state is damaged."""


_CLASSES: dict[int, type[Error]] = {
    Status.E_INVALID: InvalidError,
    Status.E_DOCUMENT: DocumentError,
    Status.E_LIMIT: LimitError,
    Status.E_VERSION: VersionError,
    Status.E_NOMEM: NoMemoryError,
    Status.E_INTERNAL: InternalError,
    Status.E_UNKNOWN: UnknownError,
    Status.E_STALE: StaleError,
    Status.E_DAMAGED: DamagedError,
}


def error_of(status: int, line: int, text: str) -> Error:
    return _CLASSES.get(status, Error)(status, line, text)
