"""Searches backwards, level by level, for all that leads to the wanted tensors, and stops at roots that have names.

Few objects are looked up with gc.get_referrers, many with one pass over the heap: the cost of the first grows with their number, that of the
second does not. Where nothing but what is near is searched, an index of all its references is made first. A search that takes too long is tried again for
fewer tensors.
"""
from __future__ import annotations

import collections
import gc
import time
from typing import Any, Optional

from .frames import is_our_frame
from .heap import FROZEN
from .roots import Roots
from .state import Places, State
from .targets import bytes_of, keep_sample

DEEP = 24  # levels; common chains have 6 to 8. From here on an index of all references (3 s, 270 MB a million objects) is cheaper than more passes
SMALL_FRONT = 70  # below, get_referrers is quicker than a pass over the heap (0.03 s and 1.7 ms a target against 0.25 s, a million objects)
GROUP = 50  # objects that are asked together what they refer to
CLOSURE_NODES = 400_000  # 15 us each, until they are written
NODES_A_SECOND = 40_000  # of a pause that is bounded: 15 us each are 0.6 of it
LONGEST_PAUSE = 12.0  # seconds that a search takes where nothing is bounded
SAMPLES = (None, 4.0), (2000, 2.0), (400, 2.0), (64, 2.0)  # tensors whose holders are looked for, and seconds; the fewer, the faster
Index = dict[int, list[int]]  # for each id, where in the list of all objects those are that refer to it


class Closure:
    """The search of one look; what it finds is in State.inside."""

    def __init__(self, state: State, roots: Roots, pause: Optional[float] = None, is_near: bool = False) -> None:
        """pause is how many seconds the whole look may take, where that is bounded; a near one searches nothing but the objects that are given."""
        self.state, self.roots, self.is_near = state, roots, is_near
        self.nodes = CLOSURE_NODES if pause is None else int(pause * NODES_A_SECOND)
        self.patience = 1.0 if pause is None else pause / LONGEST_PAUSE
        self.referrers: Optional[Index] = None

    def close(self, objects: list[Any], places: Places) -> None:
        """Finds all that leads to the places; where that takes too long, to a sample of them, and the others are removed from the places."""
        tensors, size = len(places), bytes_of(places)
        if self.is_near:
            self.referrers = _index_of(objects)
        for number, seconds in SAMPLES:
            if number is not None and number >= len(places):
                continue
            if number is not None:
                keep_sample(places, number)
                self.state.remarks.sample = {"tensors": len(places), "of": tensors, "bytes": bytes_of(places), "of_bytes": size}
            if self._search(objects, list(places), time.thread_time() + seconds * self.patience):
                break
        else:
            self.state.remarks.add("the search for holders was stopped: it became too large")
        if self.state.remarks.sample:
            self.state.remarks.add("holders were searched for {tensors} of {of} tensors, the first of each kind first, with {bytes} of {of_bytes} "
                                   "bytes; the others are not in this dump".format(**self.state.remarks.sample))

    def _search(self, objects: list[Any], targets: list[int], limit: float) -> bool:
        """False where it became too large."""
        state = self.state
        hidden = {id(objects), id(state.hold), id(targets)}
        state.inside = dict.fromkeys(targets)
        pending, levels = targets, 0
        while pending:
            levels += 1
            pending = self._follow_leads(list(pending))
            searched = [state.hold[place] for place in pending if place not in state.made and place not in state.roots]
            if not searched:
                return True
            hidden.add(id(searched))
            if len(state.inside) > self.nodes or time.thread_time() > limit:
                return False
            if levels == DEEP and self.referrers is None:
                self.referrers = _index_of(objects)
            pending = self._admit(self._parents(objects, searched, hidden))  # no list of ours that holds them may live into the next turn
            hidden.discard(id(searched))
        return True

    def _follow_leads(self, pending: list[int]) -> list[int]:
        """Follows the edges that the collector does not show to their end; returns all places that are new, and the pending ones."""
        state = self.state
        stack, fresh = list(pending), list(pending)
        while stack:
            for parent, _, _ in state.leads.get(id(state.hold[stack.pop()]), ()):
                if parent not in state.inside:
                    state.inside[parent] = None
                    fresh.append(parent)
                    if parent not in state.roots:
                        stack.append(parent)
        return fresh

    def _parents(self, objects: list[Any], searched: list[Any], hidden: set[int]) -> list[Any]:
        """Those that refer to the objects searched for, but for what is ours."""
        if self.referrers is not None:
            places = {place for thing in searched for place in self.referrers.get(id(thing), ())}
            return [thing for thing in map(objects.__getitem__, places) if id(thing) not in hidden and not is_our_frame(thing)]
        if len(searched) < SMALL_FRONT and self.state.remarks.frozen <= FROZEN:
            wanted = tuple(searched)  # Python 3.13 finds the arguments of the call too
            return [thing for thing in gc.get_referrers(*wanted) if id(thing) not in hidden and thing is not wanted and not is_our_frame(thing)]
        return [thing for thing in _referring(objects, set(map(id, searched))) if id(thing) not in hidden and not is_our_frame(thing)]

    def _admit(self, found: list[Any]) -> list[int]:
        """Takes what was found; returns the places where the search goes on."""
        state, pending = self.state, []
        for thing in found:
            place = state.take(thing)
            if place in state.inside:
                continue
            state.inside[place] = None
            if self.roots.is_root(thing):
                state.roots.add(place)
            else:
                pending.append(place)
        return pending


def _referring(objects: list[Any], ids: set[int]) -> list[Any]:
    """Those of the objects that refer to one with such an id. Most groups have none: to ask them together takes a third of the time."""
    apart, referents, found = ids.isdisjoint, gc.get_referents, []
    for begin in range(0, len(objects), GROUP):
        group = objects[begin:begin + GROUP]
        if not apart(map(id, referents(*group))):
            found += [thing for thing in group if not apart(map(id, referents(thing)))]
    return found


def _index_of(objects: list[Any]) -> Index:
    referrers: Index = collections.defaultdict(list)
    tracked, referents = gc.is_tracked, gc.get_referents
    for index, thing in enumerate(objects):
        for child in map(id, filter(tracked, referents(thing))):
            referrers[child].append(index)
    return referrers
