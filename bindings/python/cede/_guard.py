# SPDX-License-Identifier: MIT
"""Keeps the rule of the library, many readers or one writer, among threads that do not know it."""
from __future__ import annotations

import os
import threading
from typing import Optional

_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_count_fork)


class Origin:
    """The process that made something. A child of fork() may not use what its parent made."""

    __slots__ = ("_forks_before",)

    def __init__(self) -> None:
        self._forks_before = _forks

    @property
    def is_here(self) -> bool:
        return self._forks_before == _forks

    def check(self) -> None:
        if self._forks_before != _forks:
            raise RuntimeError("it was made before fork(); a child process makes its own")


class Guard:
    """Calls that read an engine run at the same time; a call that changes it runs alone and goes first.

    Use `with guard.reading:` and `with guard.changing:`. A log callback runs inside a call on its engine: there reading
    is allowed during a call that reads, and anything else is an error instead of a deadlock.
    """

    def __init__(self) -> None:
        self.origin = Origin()
        self._changed = threading.Condition(threading.Lock())
        self._readers: dict[int, int] = {}  # how often each thread is inside
        self._writer: Optional[int] = None
        self._writers_waiting = 0
        self.reading = _Reading(self)
        self.changing = _Changing(self)

    def start_reading(self) -> None:
        self.origin.check()  # first: a thread of the parent may hold the lock for ever
        thread = threading.get_ident()
        with self._changed:
            if self._writer == thread:
                raise RuntimeError("the engine is being changed by a call of this thread")
            inside = self._readers.get(thread, 0)
            while not inside and (self._writer is not None or self._writers_waiting):
                self._changed.wait()
            self._readers[thread] = inside + 1

    def stop_reading(self) -> None:
        thread = threading.get_ident()
        with self._changed:
            inside = self._readers.pop(thread) - 1
            if inside:
                self._readers[thread] = inside
            elif self._writers_waiting:
                self._changed.notify_all()

    def start_changing(self) -> None:
        self.origin.check()
        thread = threading.get_ident()
        with self._changed:
            if self._writer == thread or thread in self._readers:
                raise RuntimeError("the engine is in use by a call of this thread")
            self._writers_waiting += 1
            try:
                while self._writer is not None or self._readers:
                    self._changed.wait()
                self._writer = thread
            finally:
                self._writers_waiting -= 1
                if self._writer != thread:  # interrupted: readers may have waited for this one
                    self._changed.notify_all()

    def stop_changing(self) -> None:
        with self._changed:
            self._writer = None
            self._changed.notify_all()


class _Reading:
    __slots__ = ("_guard",)

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def __enter__(self) -> None:
        self._guard.start_reading()

    def __exit__(self, *_: object) -> None:
        self._guard.stop_reading()


class _Changing:
    __slots__ = ("_guard",)

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def __enter__(self) -> None:
        self._guard.start_changing()

    def __exit__(self, *_: object) -> None:
        self._guard.stop_changing()
