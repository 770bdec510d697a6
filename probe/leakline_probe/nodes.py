"""Writes a row for each object: its type, what it is, its length, its references, its flags."""
from __future__ import annotations

import gc
from typing import Any

from .columns import Columns
from .descriptions import NO_LENGTH, describe, most_items
from .errors import pass_on
from .frames import OLD_FRAMES
from .kinds import is_autograd, suspended_ids
from .references import References
from .roots import Roots
from .state import State
from .tensors import Tensors
from .words import AUTOGRAD, CONTAINER, FINISHED, FUNCTION, MODULE, OBJECT, RUNNING, SUSPENDED


class Nodes:
    """The rows of all objects of a dump."""

    def __init__(self, state: State, roots: Roots, references: References, tensors: Tensors) -> None:
        self.state, self.roots, self.references, self.tensors = state, roots, references, tensors

    def write(self, columns: Columns) -> None:
        for number, place in enumerate(self.references.places):
            thing = self.state.hold[place]
            kind = self._kind_of(place, thing)
            text, length = self._describe(place, thing, kind)
            flags = self.tensors.bits.get(place, 0) | self.references.flags(place, kind)
            row = columns.text(self.state.kinds.name(thing)), columns.text(text), kind, length, self.references.of(place, kind), flags
            columns.nodes.extend(row)
            self._note_bound(number, thing, kind)

    def _note_bound(self, number: int, thing: Any, kind: int) -> None:
        most = most_items(thing) if kind in (CONTAINER, FUNCTION) else None
        if most is not None:
            self.state.remarks.bounds.append((number, most))

    def _kind_of(self, place: int, thing: Any) -> int:
        if id(thing) in self.roots.running:
            return RUNNING
        if id(thing) in self.roots.modules:
            return MODULE
        kind = self.state.kind(type(thing))
        if kind == FINISHED and OLD_FRAMES and _is_suspended(thing):
            return SUSPENDED
        if kind == OBJECT and (place in self.state.made or is_autograd(type(thing))):
            return AUTOGRAD
        return kind

    def _describe(self, place: int, thing: Any, kind: int) -> tuple[str, int]:
        text = self.roots.frame_texts.get(place) or self.tensors.texts.get(place)
        try:
            return (text, NO_LENGTH) if text is not None else describe(self.state, self.roots, thing, kind)
        except Exception as error:
            pass_on(error)
            return "", NO_LENGTH


def _is_suspended(frame: Any) -> bool:
    """Whether a generator or coroutine owns the frame."""
    return any(id(type(thing)) in suspended_ids for thing in gc.get_referrers(frame))
