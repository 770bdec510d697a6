"""Spells loops of references, and gives equal bugs equal signatures: Trainer.hooks[*] -> function on_end (train.py:12) closure self -> Trainer"""
from __future__ import annotations

import hashlib
import types

from .descriptions import describe
from .edges import name_edges
from .labels import Labels
from .roots import Roots
from .state import State
from .tensors import TensorFacts
from .texts import cut
from .words import (ATTRIBUTE, CELL, CLOSURE, DEFAULT, DICT, INDEX, INTERNAL, LIST, LOCAL, NN_MODULE, OBJECT, OPTIMIZER, OTHER_KEY, SET, STRING_KEY,
                    TENSOR, TUPLE, UNKNOWN)

LOOP_NODES = 24  # of a loop that are spelled
LOOP_CHARACTERS, SIGNATURE_DIGITS = 600, 12
_MAIN = "__main__."
glue = (DICT, LIST, TUPLE, SET, CELL)  # whose names say less than their keys
owners_of_loops = (OBJECT, NN_MODULE, OPTIMIZER)
# Indices, and keys that are not text, differ from one object to the next.
_spelled = {ATTRIBUTE: ".{}", STRING_KEY: "['{}']", OTHER_KEY: "[*]", INDEX: "[*]", LOCAL: " local {}", CLOSURE: " closure {}",
            DEFAULT: " default {}", INTERNAL: ""}


class Spelling:
    """The words for loops of one collection."""

    def __init__(self, state: State, roots: Roots) -> None:
        self.state, self.roots, self.labels = state, roots, Labels(state, roots)
        self.ways: dict[tuple[int, int], tuple[str, int]] = {}  # the name and the kind of a reference, by the places of parent and child

    def words(self, loop: list[int], way: list[int]) -> tuple[str, str, str]:
        """The signature of a loop, how it goes, and the way from it to the tensor. Both are places; the loop ends where it begins."""
        chain = set(loop[:LOOP_NODES + 1] + way[:LOOP_NODES + 1])
        name_edges(self.labels, sorted(chain), {id(self.state.hold[place]): place for place in chain}, self._add)
        if len(loop) <= LOOP_NODES:
            loop = min([loop[first:-1] + loop[:first + 1] for first in range(len(loop) - 1)], key=self._rank)
        signed = " -> ".join(dict.fromkeys(self._spell(loop, False).split(" -> ")))  # a chain of equal links is one bug, however long
        signature = hashlib.sha1(signed.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:SIGNATURE_DIGITS]
        return signature, self._spell(loop), self._spell(way)

    def _add(self, parent: int, child: int, label: str, kind: int) -> None:
        self.ways.setdefault((parent, child), (label, kind))

    def _rank(self, loop: list[int]) -> tuple[bool, bool, str]:
        """Loops begin where people would begin: at an object with a class of its own. The same loop always begins at the same place."""
        kind = self._kind(loop[0])
        return kind in glue, kind not in owners_of_loops, self._spell(loop, False)

    def _kind(self, place: int) -> int:
        return self.state.kind(type(self.state.hold[place]))

    def _short(self, place: int, exactly: bool = True) -> str:
        """What stands for an object; not exactly: without what differs from one run to the next."""
        thing = self.state.hold[place]
        kind, name = self._kind(place), self.state.kinds.name(thing)
        if kind == TENSOR:
            found = TensorFacts(self.state, thing)
            return f"{name.rpartition('.')[2]} {found.shape} {found.dtype}" if exactly else "Tensor"
        text = "" if kind in glue else describe(self.state, self.roots, thing, kind)[0]
        text = text if exactly else text.partition(" (")[0]
        name = name[len(_MAIN):] if name.startswith(_MAIN) else name
        return f"function {text}" if type(thing) is types.FunctionType else text or name

    def _spell(self, way: list[int], exactly: bool = True) -> str:
        text = self._short(way[0], exactly)
        for number, (place, following) in enumerate(zip(way, way[1:])):
            if number == LOOP_NODES:
                return text + f" -> {len(way) - number if exactly else 'many'} more"
            label, kind = self.ways.get((place, following), ("", UNKNOWN))
            text += _spelled.get(kind, " ...").format(label)
            if following == way[-1] or self._kind(following) not in glue:
                text += " -> " + self._short(following, exactly)
        return cut(text, LOOP_CHARACTERS)
