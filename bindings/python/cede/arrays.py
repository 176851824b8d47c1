# SPDX-License-Identifier: MIT
"""Arrays of structs between Python and the library: numpy's where numpy is there, ctypes' otherwise.

Wherever a call takes an array, it takes a numpy array of that struct's dtype, a ctypes array, or a sequence of structs;
the first two without a copy. Numbers of names come as numpy arrays of uint32, array.array("I"), ctypes arrays or any
sequence of int.
"""
from __future__ import annotations

import array
import ctypes
import functools
import sys
from typing import Any, Callable, NamedTuple

from ._library import ask

#: A numpy array where numpy is installed, else a ctypes array.
Array = Any


class Passed(NamedTuple):
    """An array on its way to a call; `kept` keeps alive what the address points to."""

    address: Any
    length: int
    kept: Any = None


@functools.lru_cache(maxsize=None)
def numpy() -> Any:
    """The module, or None where it is not installed."""
    try:
        import numpy as module
    except ImportError:
        return None
    return module


@functools.lru_cache(maxsize=None)
def dtype(struct: type[ctypes.Structure]) -> Any:
    """The numpy dtype that has the layout of a struct."""
    module = numpy()
    if module is None:
        raise ImportError("numpy is not installed")
    return module.dtype(struct)


def zeros(struct: type[ctypes.Structure], count: int) -> Array:
    """An array of so many structs in which no field is given yet."""
    module = numpy()
    return (struct * count)() if module is None else module.zeros(count, dtype(struct))


def pass_structs(value: Any, struct: type[ctypes.Structure]) -> Passed:
    if isinstance(value, ctypes.Array) and issubclass(value._type_, struct):
        return Passed(value, len(value))
    if _is_numpy(value):
        wanted = dtype(struct)
        if value.dtype != wanted or value.ndim != 1:
            raise TypeError(f"an array of {struct.__name__} has dtype cede.dtype(structs.{struct.__name__}) and one "
                            f"dimension, not {value.dtype} and {value.ndim}")
        return _pass_numpy(value)
    entries = list(value)
    for entry in entries:
        if not isinstance(entry, struct):
            raise TypeError(f"an array of {struct.__name__} cannot hold {entry!r}")
    return Passed((struct * len(entries))(*entries), len(entries))


def pass_numbers(value: Any, kind: Any = ctypes.c_uint32, code: str = "I") -> Passed:
    if _is_numpy(value):
        wanted = numpy().dtype(kind)
        if value.dtype != wanted:
            if value.dtype.kind not in "iu":
                raise TypeError(f"numbers of names are integers, not {value.dtype}")
            most = numpy().iinfo(wanted).max
            if value.size and not 0 <= value.min() <= value.max() <= most:
                raise OverflowError(f"a number is outside 0..{most}")
            value = value.astype(wanted)
        return _pass_numpy(value)
    if isinstance(value, array.array) and value.typecode == code:
        address, count = value.buffer_info()
        return Passed(address, count, value)
    if isinstance(value, ctypes.Array) and value._type_ is kind:
        return Passed(value, len(value))
    numbers = array.array(code, value)
    return Passed(numbers.buffer_info()[0], len(numbers), numbers)


def new_numbers(count: int) -> tuple[Array, Any]:
    """Room for so many numbers of names, and where it is."""
    module = numpy()
    if module is None:
        room = (ctypes.c_uint32 * count)()
        return room, room
    numbers = module.empty(count, module.uint32)
    return numbers, _address(numbers)


# Most answers are short: one call is enough for so many elements, and a second one for more.
_USUAL = 8


def read(call: Callable[..., int], handle: int, struct: Any) -> Any:
    """All that one of the array calls gives, as a sequence of structs."""
    out = (struct * _USUAL)()
    count = ctypes.c_size_t()
    ask(call, handle, out, ctypes.sizeof(struct), _USUAL, ctypes.byref(count))
    if count.value <= _USUAL:
        return out[:count.value]
    out = (struct * count.value)()
    ask(call, handle, out, ctypes.sizeof(struct), count.value, None)
    return out


def take(call: Callable[..., int], handle: int, struct: Any) -> Array:
    """The same for a user of the package: a numpy array where numpy is installed, else a ctypes array."""
    count = ctypes.c_size_t()
    ask(call, handle, None, ctypes.sizeof(struct), 0, ctypes.byref(count))
    out = zeros(struct, count.value)
    if count.value:
        ask(call, handle, out if numpy() is None else _address(out), ctypes.sizeof(struct), count.value, None)
    return out


def _is_numpy(value: Any) -> bool:
    module = sys.modules.get("numpy")
    return module is not None and isinstance(value, module.ndarray)


def _pass_numpy(value: Any) -> Passed:
    value = numpy().ascontiguousarray(value)
    return Passed(_address(value), len(value), value)


def _address(value: Any) -> int:
    address: int = value.__array_interface__["data"][0]
    return address
