"""Counts references: an object that has more of them than edges lead to it is held by something outside of what Python shows.

All objects are in State.hold exactly once, so one calibration makes every count comparable with the number of edges.
"""
from __future__ import annotations

import gc
import sys

from .roots import Roots
from .state import Places, State
from .words import AUTOGRAD, CLASS, EXPLAINED, MODULE, RUNNING, STORAGE, TENSOR, UNTRACKED

IMMORTAL = 1 << 28  # Python 3.12 gives immortal objects counts above this
UNCOUNTED = -1


class References:
    """The objects that get into a dump, their rows, and how often each is referred to."""

    def __init__(self, state: State, roots: Roots) -> None:
        self.state, self.roots = state, roots
        self.counts: list[int] = []  # by place
        self.places: list[int] = []  # of the objects that get into the dump
        self.place_of: dict[int, int] = {}  # by id
        self.row_of: dict[int, int] = {}  # by place
        self.shown: set[int] = set()  # ids of objects to which an edge leads

    def count(self) -> None:
        """Counts. From here on objects may be looked at freely."""
        hold = self.state.hold
        counts = list(map(sys.getrefcount, hold))
        sample = [object()]
        own = list(map(sys.getrefcount, sample))[0]
        self.counts = [UNCOUNTED if count > IMMORTAL else max(count - own, 0) for count in counts]
        self.places = sorted(self.state.inside)
        self.place_of = {id(hold[place]): place for place in self.places}
        self.shown = {id(child) for place in self.places for child in gc.get_referents(hold[place]) if id(child) in self.place_of}
        self.shown.update([child for child, leads in self.state.leads.items() if any(parent in self.state.inside for parent, _, _ in leads)])

    def settle(self, places: Places) -> None:
        """Leaves out storage objects that only C++ keeps, for the day somebody asks for them again: they hold nothing. Then numbers the rest."""
        hold, kind = self.state.hold, self.state.kind
        idle = {place for place in self.places
                if kind(type(hold[place])) == STORAGE and self.counts[place] <= 1 and id(hold[place]) not in self.shown}
        self.places = [place for place in self.places if place not in idle]
        for place in idle:
            del self.place_of[id(hold[place])], places[place]
        self.row_of = {place: row for row, place in enumerate(self.places)}

    def of(self, place: int, kind: int) -> int:
        """The references to an object, without ours and without those of C++ that stand for the object itself."""
        if self.state.remarks.is_near or kind in (RUNNING, MODULE, CLASS) or (place in self.state.made and kind == TENSOR):
            return UNCOUNTED
        count = self.counts[place]
        facts = self.state.facts
        if kind == TENSOR and facts.counts and facts.strong(facts.cdata(self.state.hold[place])) > 1:
            # C++ owns it too, and with it one reference to the Python object: always since 2.10, before only when Python has none
            count -= facts.cpp_reference or (count == 1 and id(self.state.hold[place]) not in self.shown)
        return max(count, 0)

    def flags(self, place: int, kind: int) -> int:
        """Whether a surplus of references would mean something."""
        bits = 0 if gc.is_tracked(self.state.hold[place]) else UNTRACKED
        if kind in (AUTOGRAD, RUNNING, STORAGE) or place in self.state.made:
            bits |= EXPLAINED
        return bits
