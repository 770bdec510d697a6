"""Says what a collection that is about to begin will find: the wanted tensors among the garbage, and the loops that kept them from being freed.

Nothing but other garbage refers to garbage. So from the tensors upwards, level by level, all references from the objects that are about to be
collected are counted, in one pass over them: an object that has more references than were found is held by something else (an older object, a
running function, C++) and lives, and so does all that it leads to. What is left at the end is garbage. In a young collection, all this is among a
few hundred objects. Each garbage tensor is in a loop, or hangs from one; loops are strongly connected components.
"""
from __future__ import annotations

import collections
import gc
import sys
import time
from typing import Any, Callable, Iterator, Optional

from .classes import descends, kinds_of, of_kinds
from .closure import SMALL_FRONT
from .frames import is_our_frame
from .loops import Links, loops_of, way_around
from .process import wanted_device
from .roots import Roots
from .spelling import Spelling, owners_of_loops
from .state import Places, Remarks, State
from .targets import find_targets
from .torch_facts import TorchFacts
from .words import DICT

LOOPS = 16  # that are spelled of one collection, those that lead to most bytes
CHUNK = 20_000  # objects between two looks at the clock
TENSOR_SECONDS = 1e-5  # what a tensor costs at least
Explained = tuple[str, str, str, int, int]  # a signature, the loop, what it leads to, tensors, bytes
Found = dict[int, tuple[list[int], dict[int, list[int]]]]  # by loop: the way to its first tensor; bytes and tensors by storage


class OutOfTime(Exception):
    """The look takes longer than it may."""


class Garbage:
    """One look, which is_full where the collection is. The limit is of thread_time."""

    def __init__(self, facts: TorchFacts, is_full: bool, limit: float) -> None:
        self.facts, self.is_full, self.limit = facts, is_full, limit
        self.state = State(facts, Remarks())
        self.roots = Roots(self.state)
        self.spelling = Spelling(self.state, self.roots)

    def look(self, objects: list[Any]) -> list[Explained] | None:
        """What the collection of these objects will find, most bytes first; None where there was no time to say. Empties the list."""
        try:
            with self.facts.quiet():
                return self._explain(objects)
        except OutOfTime:
            return None
        finally:
            del objects[:]
            self.state.let_go()

    def _explain(self, objects: list[Any]) -> list[Explained]:
        places = self._find_tensors(objects)
        if not places:
            return []
        self.roots.find_modules([], self.state.kinds.imported())
        if self.facts.counts:  # what C++ owns too, such as a graph's saved tensors, lives, or dies with another tensor
            places = {place: row for place, row in places.items() if self._is_pythons(place)}
        parents = self._dead(objects, places)
        return self._loops(parents, {place: row for place, row in places.items() if place in parents})

    def _find_tensors(self, objects: list[Any]) -> Places:
        tensors = of_kinds(objects, {key for key, kind in kinds_of(objects).items() if descends(kind, self.facts.tensor)})
        if time.thread_time() + len(tensors) * TENSOR_SECONDS > self.limit:
            raise OutOfTime
        self.state.take_all(tensors)
        return find_targets(self.state, wanted_device(), tensors, [])

    def _is_pythons(self, place: int) -> bool:
        return self.facts.strong(self.facts.cdata(self.state.hold[place])) <= 1

    def _check_time(self) -> None:
        if time.thread_time() > self.limit:
            raise OutOfTime

    # -- what is garbage

    def _dead(self, objects: list[Any], places: Places) -> Links:
        """The places of garbage, with those that refer to each."""
        parents: Links = {}
        living: set[int] = set()
        front = list(places)
        while front:
            self._find_parents(objects, front, parents)
            living.update(self._held_by_others(front, parents))
            front = list({parent for place in front if place not in living for parent in parents[place]
                          if parent not in parents and parent not in self.state.roots})
        _add_reachable(living, parents)
        return {place: referring for place, referring in parents.items() if place not in living}

    def _find_parents(self, objects: list[Any], front: list[int], parents: Links) -> None:
        """Notes for each place of the front who refers to it, once for each reference."""
        ids = {}
        for place in front:
            ids[id(self.state.hold[place])] = place
            parents[place] = []
        for thing in self._referring(objects, front, set(ids).isdisjoint):
            if not is_our_frame(thing):
                place = self.state.take(thing)
                if self.roots.is_root(thing):
                    self.state.roots.add(place)
                for child in gc.get_referents(thing):
                    if id(child) in ids:
                        parents[ids[id(child)]].append(place)

    def _referring(self, objects: list[Any], front: list[int], apart: Callable[[Iterator[int]], bool]) -> Iterator[Any]:
        """All that refers to the front, but for what is ours: as in closure.py, with an eye on the clock."""
        ours = {id(self.state.hold), id(objects)}
        if self.is_full and len(front) < SMALL_FRONT:
            wanted = tuple([self.state.hold[place] for place in front])
            ours.add(id(wanted))
            yield from [thing for thing in gc.get_referrers(*wanted) if id(thing) not in ours]
            return
        referents = gc.get_referents
        for begin in range(0, len(objects), CHUNK):
            self._check_time()
            yield from [thing for thing in objects[begin:begin + CHUNK] if not apart(map(id, referents(thing))) and id(thing) not in ours]

    def _held_by_others(self, front: list[int], parents: Links) -> list[int]:
        """Those with more references than were found. Ours are in hold, in objects and in the list that is counted, like those of the sample."""
        sample = object()
        kept, counted = ([sample], [sample]), [self.state.hold[place] for place in front] + [sample]
        del sample
        counts = list(map(sys.getrefcount, counted))
        del kept
        own = counts.pop()
        return [place for place, count in zip(front, counts) if count - own > len(parents[place])]

    # -- loops

    def _loops(self, parents: Links, places: Places) -> list[Explained]:
        children = _turned(parents)
        loops = loops_of(children)
        merged: dict[str, Explained] = {}
        for size, tensors, way in self._sums(parents, loops, places)[:LOOPS]:
            self._check_time()
            signature, cycle, leads_to = self.spelling.words(way_around(way[0], children, loops), way)
            _, cycle, leads_to, before, bytes_before = merged.get(signature, (signature, cycle, leads_to, 0, 0))
            merged[signature] = signature, cycle, leads_to, before + tensors, bytes_before + size
        return list(merged.values())

    def _sums(self, parents: Links, loops: dict[int, int], places: Places) -> list[tuple[int, int, list[int]]]:
        """Bytes, tensors and the way to the first tensor, of all loops, those that lead to most bytes first."""
        found: Found = {}
        for place, (_, key, _, size) in places.items():
            way = self._climb(place, parents, loops)
            if way is not None:
                storages = found.setdefault(loops[way[0]], (way, {}))[1]
                storages.setdefault(key, [size, 0])[1] += 1
        return sorted([(sum([size for size, _ in storages.values()]), sum([number for _, number in storages.values()]), way)
                       for way, storages in found.values()], reverse=True)

    def _climb(self, place: int, parents: Links, loops: dict[int, int]) -> list[int] | None:
        """The shortest way to a tensor from a loop: places. None where no loop leads to it."""
        back: dict[int, Optional[int]] = {place: None}
        queue = collections.deque([place])
        while queue:
            here = queue.popleft()
            if here in loops:
                return self._way_down(self._owner(here, parents, loops), here, back)
            for parent in parents[here]:
                if parent not in back:
                    back[parent] = here
                    queue.append(parent)
        return None

    @staticmethod
    def _way_down(owner: int, here: Optional[int], back: dict[int, Optional[int]]) -> list[int]:
        way = [owner]
        while here is not None:
            way += [here] if here != way[-1] else []
            here = back[here]
        return way

    def _owner(self, place: int, parents: Links, loops: dict[int, int]) -> int:
        """The object whose dict this is, or the place itself."""
        hold, kind = self.state.hold, self.state.kind
        if kind(type(hold[place])) == DICT:
            for parent in parents[place]:
                if loops.get(parent) == loops[place] and kind(type(hold[parent])) in owners_of_loops:
                    return parent
        return place


def _add_reachable(living: set[int], parents: Links) -> None:
    """Adds roots, those whose own parents were not looked for, and all that the living lead to."""
    children = _turned(parents, each_once=False)
    stack = list(living) + [place for place in children if place not in parents]
    living.update(stack)
    while stack:
        fresh = [child for child in children.get(stack.pop(), ()) if child not in living]
        living.update(fresh)
        stack += fresh


def _turned(parents: Links, each_once: bool = True) -> Links:
    children: Links = {}
    for place, referring in parents.items():
        for parent in set(referring) if each_once else referring:
            children.setdefault(parent, []).append(place)
    return children
