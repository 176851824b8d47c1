# SPDX-License-Identifier: MIT
"""What a text says about a machine or a network."""
from __future__ import annotations

import ctypes
import functools
from typing import Any, Optional

from . import enums, structs
from ._library import Document, Handle, ask, document, document_of, library, make, name, text_of, told
from .records import TopologyFacts


class Topology:
    """One text about a machine (hwloc or NCCL XML) or a network (Slurm's topology.conf). Immutable; belongs to no engine.
    hwloc is large: read texts that you do not trust in a process that may crash."""

    def __init__(self, text: Document, kind: enums.TopologyKind = enums.TopologyKind.ANY,
                 called: Optional[str] = None) -> None:
        data = document(text)
        made = make(library.cede_topology_create, data, len(data), kind, None if called is None else name(called))
        self._topology = Handle(made, library.cede_topology_destroy)

    @property
    def handle(self) -> int:
        return self._topology.handle

    @functools.cached_property
    def facts(self) -> TopologyFacts:
        facts = structs.TopologyFacts()
        ask(library.cede_topology_get, self.handle, ctypes.byref(facts), ctypes.sizeof(facts))
        values: dict[str, Any] = {field[0]: getattr(facts, field[0]) for field in facts._fields_}
        return TopologyFacts(**{**values, "kind": enums.TopologyKind(facts.kind),
                                "links_known": bool(facts.links_known)})

    @property
    def signature(self) -> str:
        """Equal if and only if the library sees the same class of machine or the same network."""
        return told(library.cede_topology_signature(self.handle))

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """A network's levels, nearest first, and the domains of each."""
        return {told(library.cede_topology_level(self.handle, level)):
                tuple(told(library.cede_topology_domain(self.handle, level, domain))
                      for domain in range(library.cede_topology_domain_count(self.handle, level)))
                for level in range(self.facts.levels)}

    def document(self) -> dict[str, Any]:
        """As a cede-topology/1 document."""
        return document_of(library.cede_topology_json, self.handle)

    def picture(self, format: enums.Picture = enums.Picture.TEXT, width: int = 0) -> str:
        return text_of(library.cede_topology_picture, self.handle, format, width)

    def _repr_html_(self) -> str:
        return self.picture(enums.Picture.SVG)
