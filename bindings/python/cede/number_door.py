# SPDX-License-Identifier: MIT
"""The array door of an engine: names are numbers, objects are structs."""
from __future__ import annotations

import ctypes
import itertools
import operator
from array import array
from typing import Any, Iterable, Mapping, Optional, SupportsIndex, Union

from . import enums, structs
from ._guard import Guard
from ._library import Document, Handle, ask, document, library, told
from .arrays import Array, new_numbers, pass_numbers, pass_structs


class NumberDoor:
    """The part of an engine that is about numbers; cede.h says how long one is valid. Each put replaces whole objects, all
    or nothing. Arrays are what cede.arrays says."""

    _engine: Handle
    _guard: Guard

    def name(self, text: str) -> int:
        """The number of a name."""
        data = text.encode("utf-8", "surrogatepass")
        number = ctypes.c_uint32()
        with self._guard.changing:
            ask(library.cede_engine_name, self._engine.handle, data, len(data), ctypes.byref(number))
        return number.value

    def names(self, texts: Iterable[str]) -> Array:
        """The numbers of many names; if any name is invalid, none is assigned."""
        texts = texts if isinstance(texts, list) else [*texts]
        joined = "".join(texts)
        data = joined.encode("utf-8", "surrogatepass")
        sizes: Iterable[int] = map(len, texts)
        if len(data) != len(joined):
            sizes = (len(text.encode("utf-8", "surrogatepass")) for text in texts)
        return self.names_packed(data, array("Q", itertools.accumulate(sizes, initial=0)))

    def names_packed(self, texts: bytes, offsets: Any) -> Array:
        """The same for names in one buffer: name i is texts[offsets[i]:offsets[i + 1]], as in a string column of Arrow."""
        passed = pass_numbers(offsets, ctypes.c_uint64, "Q")
        numbers, room = new_numbers(max(passed.length - 1, 0))
        with self._guard.changing:
            ask(library.cede_engine_names_packed, self._engine.handle, texts, len(texts), passed.address,
                max(passed.length - 1, 0), room)
        return numbers

    def find_name(self, text: str) -> Optional[int]:
        """The number of a name if it has one."""
        data = text.encode("utf-8", "surrogatepass")
        with self._guard.reading:
            return library.cede_engine_find_name(self._engine.handle, data, len(data)) or None

    def name_text(self, number: SupportsIndex) -> Optional[str]:
        """The name of a number; None if the number is not assigned."""
        with self._guard.reading:
            text = library.cede_engine_name_text(self._engine.handle, operator.index(number))
        return None if text is None else told(text)

    def name_texts(self, numbers: Any) -> tuple[str, ...]:
        """The names of many numbers; the number 0 has the empty name."""
        passed = pass_numbers(numbers)
        offsets = (ctypes.c_uint64 * (passed.length + 1))()
        size = ctypes.c_size_t()
        with self._guard.reading:
            ask(library.cede_engine_name_texts, self._engine.handle, passed.address, passed.length, None, 0,
                ctypes.byref(size), None)
            room = ctypes.create_string_buffer(size.value)
            ask(library.cede_engine_name_texts, self._engine.handle, passed.address, passed.length, room, size.value,
                ctypes.byref(size), offsets)
        data = room.raw
        return tuple(data[begin:end].decode() for begin, end in zip(offsets, offsets[1:]))

    def resources(self, amounts: Union[Mapping[Any, int], Any]) -> int:
        """The number of a vector of resources: {number of its name: amount in thousandths}, or an array of Amount."""
        if isinstance(amounts, Mapping):
            amounts = [structs.Amount(amount=amount, resource=resource) for resource, amount in amounts.items()]
        passed = pass_structs(amounts, structs.Amount)
        return self._number(library.cede_engine_resources, passed.address, ctypes.sizeof(structs.Amount), passed.length)

    def list(self, names: Any) -> int:
        """The number of a list of names."""
        passed = pass_numbers(names)
        return self._number(library.cede_engine_list, passed.address, passed.length)

    def part(self, kind: enums.Part, text: Document) -> int:
        """The number of what a cluster document has in that member."""
        data = document(text)
        return self._number(library.cede_engine_part, kind, data, len(data))

    def forget(self, numbers: Any) -> None:
        """Gives numbers of names and parts back, all or none."""
        self._change_numbers(library.cede_engine_forget, numbers)

    def set_now(self, now: int) -> None:
        with self._guard.changing:
            ask(library.cede_engine_set_now, self._engine.handle, now)

    def put_levels(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_put_levels, names)

    def import_topology(self, name: SupportsIndex, text: Document) -> None:
        """Adds a topology under that name: hwloc XML, NCCL XML, or the JSON object of the compact form."""
        data = document(text)
        with self._guard.changing:
            ask(library.cede_engine_import_topology, self._engine.handle, operator.index(name), data, len(data))

    def put_groups(self, groups: Any) -> None:
        self._change_structs(library.cede_engine_put_groups, groups, structs.Group)

    def put_domains(self, domains: Any) -> None:
        self._change_structs(library.cede_engine_put_domains, domains, structs.Domain)

    def put_queues(self, queues: Any) -> None:
        self._change_structs(library.cede_engine_put_queues, queues, structs.Queue)

    def put_nodes(self, nodes: Any) -> None:
        self._change_structs(library.cede_engine_put_nodes, nodes, structs.Node)

    def put_reservations(self, reservations: Any) -> None:
        self._change_structs(library.cede_engine_put_reservations, reservations, structs.Reservation)

    def put_budgets(self, budgets: Any) -> None:
        self._change_structs(library.cede_engine_put_budgets, budgets, structs.Budget)

    def put_jobs(self, jobs: Any, tasks: Any) -> None:
        """Jobs with all their tasks: the first job has the first `task_count` of the tasks, and so on."""
        job = pass_structs(jobs, structs.Job)
        task = pass_structs(tasks, structs.Task)
        with self._guard.changing:
            ask(library.cede_engine_put_jobs, self._engine.handle, job.address, ctypes.sizeof(structs.Job), job.length,
                task.address, ctypes.sizeof(structs.Task), task.length)

    def put_tasks(self, tasks: Any) -> None:
        """Single tasks of existing jobs."""
        self._change_structs(library.cede_engine_put_tasks, tasks, structs.Task)

    def remove_topologies(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_topologies, names)

    def remove_domains(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_domains, names)

    def remove_groups(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_groups, names)

    def remove_reservations(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_reservations, names)

    def remove_queues(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_queues, names)

    def remove_nodes(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_nodes, names)

    def remove_budgets(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_budgets, names)

    def remove_jobs(self, names: Any) -> None:
        self._change_numbers(library.cede_engine_remove_jobs, names)

    def remove_tasks(self, tasks: Any) -> None:
        """Single tasks, as an array of TaskName."""
        self._change_structs(library.cede_engine_remove_tasks, tasks, structs.TaskName)

    def _number(self, call: Any, *arguments: Any) -> int:
        number = ctypes.c_uint32()
        with self._guard.changing:
            ask(call, self._engine.handle, *arguments, ctypes.byref(number))
        return number.value

    def _change_numbers(self, call: Any, numbers: Any) -> None:
        passed = pass_numbers(numbers)
        with self._guard.changing:
            ask(call, self._engine.handle, passed.address, passed.length)

    def _change_structs(self, call: Any, entries: Any, struct: type[ctypes.Structure]) -> None:
        passed = pass_structs(entries, struct)
        with self._guard.changing:
            ask(call, self._engine.handle, passed.address, ctypes.sizeof(struct), passed.length)
