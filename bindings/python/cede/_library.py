# SPDX-License-Identifier: MIT
"""Finds the library, declares its calls, and turns statuses into exceptions."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, Mapping, Optional, Union

from . import structs
from ._calls import CALLS, HEADER_VERSION
from ._guard import Origin
from .errors import Error, error_of

#: A document: its text, or what json.dumps() makes a text of.
Document = Union[str, bytes, Mapping[str, Any]]

SONAME = "libcede.so.0"


def _open() -> ctypes.CDLL:
    path = os.environ.get("CEDE_LIBRARY", SONAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{error}; install libcede, or name the file in CEDE_LIBRARY") from None
    for name, (result, *taken) in CALLS.items():
        try:
            call = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} has no {name}: it is older than this package, which needs "
                              f"{HEADER_VERSION // 1000000}.{HEADER_VERSION // 1000 % 1000}") from None
        call.restype = result
        call.argtypes = taken
    return library


library: Any = _open()

def check(status: int, error: structs.Error) -> int:
    """The status; raises the exception of a failed call."""
    if status < 0:
        raise error_of(status, error.line, error.text.decode("utf-8", "replace"))
    return status


def ask(call: Callable[..., int], *arguments: Any) -> int:
    """Makes a call whose last argument is an error."""
    error = structs.Error()
    status = call(*arguments, ctypes.byref(error))
    if status < 0:
        check(status, error)
    return status


def make(call: Callable[..., int], *arguments: Any) -> int:
    """Makes a call whose last arguments are what it makes and an error; returns the new handle."""
    made = ctypes.c_void_p()
    ask(call, *arguments, ctypes.byref(made))
    assert made.value is not None
    return made.value


def text_bytes(call: Callable[..., int], *arguments: Any) -> bytes:
    """The bytes of a cede_text that a call makes."""
    text = make(call, *arguments)
    try:
        return ctypes.string_at(library.cede_text_data(text), library.cede_text_size(text))
    finally:
        library.cede_text_destroy(text)


def text_of(call: Callable[..., int], *arguments: Any) -> str:
    return text_bytes(call, *arguments).decode()


def document_of(call: Callable[..., int], *arguments: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text_bytes(call, *arguments))
    return document


def told(text: Optional[bytes]) -> str:
    """A text that belongs to a handle; empty where there is none."""
    return text.decode() if text is not None else ""


def document(value: Document) -> bytes:
    """The text of a document."""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # What is no UTF-8 is refused by the library, in its own words.
    return value.encode("utf-8", "surrogatepass")


def name(value: str) -> bytes:
    """A name on its way to a call that reads up to a NUL."""
    if "\0" in value:
        raise error_of(-1, 0, f"{value!r} is not a name: it holds a NUL")
    return value.encode("utf-8", "surrogatepass")


def names(values: Any) -> tuple[Any, int]:
    """Several such names, as an array of pointers and how many there are."""
    texts = [name(value) for value in values]
    return (ctypes.c_char_p * len(texts))(*texts), len(texts)


class Handle:
    """Something the library made. It is destroyed with this object, so never while a thread still uses it."""

    __slots__ = ("_handle", "_destroy", "_origin")

    def __init__(self, handle: int, destroy: Callable[[int], None]) -> None:
        self._handle: Optional[int] = handle
        self._destroy = destroy
        self._origin = Origin()

    @property
    def handle(self) -> int:
        self._origin.check()
        if self._handle is None:
            raise ValueError("the engine is closed")
        return self._handle

    def drop(self) -> None:
        handle, self._handle = self._handle, None
        # What the parent made is not the child's to destroy.
        if handle is not None and self._origin.is_here:
            self._destroy(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.drop()
