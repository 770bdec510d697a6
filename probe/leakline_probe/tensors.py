"""Describes tensors and storages: class, shape, type of elements, device, addresses, bytes, owners. Their content is never read."""
from __future__ import annotations

import collections
from typing import Any

from .classes import descends, type_name
from .columns import Columns
from .references import References
from .state import Places, State
from .torch_facts import shape_of
from .words import HAS_GRAD_FN, PARAMETER, REQUIRES_GRAD, STORAGE

DIMENSIONS = 12  # of a shape that are spelled
NO_OBJECT = -1  # stands for the node of a storage that Python has no object for


class TensorFacts:
    """What there is to say of one tensor: flags, type of elements, shape, and the name of the autograd node that made it."""
    __slots__ = ("bits", "dtype", "shape", "node")

    def __init__(self, state: State, tensor: Any) -> None:
        self.bits, self.dtype, self.shape, self.node = 0, "", "", ""
        if descends(type(tensor), state.facts.parameter):
            self.bits |= PARAMETER
        if state.facts.is_wrapper(type(tensor)):
            return
        try:
            self._read(state, tensor)
        except Exception as error:
            state.remarks.trouble("a tensor", error)

    def _read(self, state: State, tensor: Any) -> None:
        facts = state.facts
        self.dtype = str(facts.dtype(tensor)).rpartition(".")[2]
        self.shape = "[" + ", ".join(["?" if n is None else str(n) for n in shape_of(facts, tensor)[:DIMENSIONS]]) + "]"
        if facts.requires_grad(tensor):
            self.bits |= REQUIRES_GRAD
        if state.remarks.graph != "skipped":
            node = facts.grad_fn(tensor)
            if node is not None:
                self.bits |= HAS_GRAD_FN
                self.node = type(node).__name__

    def text(self, kind: type) -> str:
        return f"{type_name(kind).rpartition('.')[2]} {self.shape} {self.dtype}".strip()


class Tensors:
    """The rows of all tensors and storages of a dump."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.bits: dict[int, int] = {}  # flags, by place
        self.texts: dict[int, str] = {}  # by place

    def write(self, places: Places, references: References, columns: Columns) -> None:
        facts, state = self.state.facts, self.state
        order: dict[int, tuple[int, int, int, int]] = {}  # by the key of the storage: its row, device, address of the data, bytes
        nodes: dict[int, int] = {}  # rows of storage objects
        owners: collections.Counter[int] = collections.Counter()  # of the tensors on each storage
        for place, (device, key, data, size) in places.items():
            row = order.setdefault(key, (len(order), device, data, size))[0]
            thing = state.hold[place]
            if state.kind(type(thing)) == STORAGE:
                nodes[key] = references.row_of[place]
                continue
            owners[key] += max(facts.owners(facts.cdata(thing)), 0)
            self._write_tensor(place, thing, row, references, columns)
        for key, (_, device, data, size) in order.items():
            columns.add_storage(nodes.get(key, NO_OBJECT), device, key, data, size, owners[key] if facts.counts else -1, facts.owners(key))

    def _write_tensor(self, place: int, tensor: Any, row: int, references: References, columns: Columns) -> None:
        found = TensorFacts(self.state, tensor)
        self.bits[place], self.texts[place] = found.bits, found.text(type(tensor))
        columns.tensors.extend((references.row_of[place], row, columns.text(found.dtype), columns.text(found.shape), columns.text(found.node)))
