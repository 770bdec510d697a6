"""Takes some objects to stand for all, where there are too many to go through one by one.

A list of all objects counts a reference to each, and has a copy of the process (forks.py) copy every page on which objects lie: of ten million objects, gigabytes. There
the collector's chain is read as it lies in memory, which writes to nothing. Of each type, and of collections of about one length, some are taken by their addresses, the
same ones in each look; so two looks differ by what came and went, and not by chance. Lengths of collections are read of all.
"""
from __future__ import annotations

import array
import collections
import ctypes
import gc
import itertools
import sys
from typing import Any, Callable, Optional

from .classes import descends

MOST_BLOCKS = 2_000_000  # of Python's own allocator, up to which all objects are gone through: for some seconds, with some hundred MB of pages copied
MOST_ALIKE = 4096  # objects of a type, and of about one length, of which more are thinned out to half
MOST_COLLECTIONS = 250_000  # whose lengths are kept, 20 bytes each; where there are more, only longer ones
MANY_ITEMS = 1 << 12  # of a collection, of which some stand for all
BYTES_OF_WORD, HEAD, TYPE = 8, 2, 3  # words from the collector's part of an object to the object, and to its type
MIX, SHIFT = 2654435761, 32  # Knuth's multiplier: of the product the bits above these are well mixed
FLAGS = 7  # bits of the chain's links that belong to no address
ALIVE_EVERY = 1 << 16
_lengths: tuple[tuple[type, Callable[[Any], int], int], ...] = (  # with the word in which the length stands, from the collector's part on
    (list, list.__len__, 4), (dict, dict.__len__, 4), (set, set.__len__, 5), (collections.deque, collections.deque.__len__, 4), (tuple, tuple.__len__, 4))
_length_by_type: dict[int, Optional[Callable[[Any], int]]] = {}

Group = tuple[float, list[object]]  # objects, and for how many each of them stands


def length_of(thing: Any) -> int | None:
    """The length of a list, dict, set, deque or tuple."""
    kind = type(thing)
    if id(kind) not in _length_by_type:
        _length_by_type[id(kind)] = next((length for base, length, _ in _lengths if descends(kind, base)), None)
    length = _length_by_type[id(kind)]
    return None if length is None else length(thing)


def object_at(address: int) -> Any:
    return ctypes.cast(address, ctypes.py_object).value


def some_of(thing: Any, length: int) -> Group:
    """Items of a collection with very many, each of which stands for several: the same ones in each look, where it only grows."""
    kind = type(thing)
    sequence = next((base for base in (list, tuple) if descends(kind, base)), None)
    if sequence is not None:
        items = list(sequence.__getitem__(thing, slice(None, None, 1 << (length // MANY_ITEMS).bit_length())))
    elif descends(kind, dict):
        items = list(itertools.chain.from_iterable(itertools.islice(dict.items(thing), MANY_ITEMS)))
        return 2 * length / len(items), items
    else:
        each = set.__iter__(thing) if descends(kind, set) else collections.deque.__iter__(thing)
        items = list(itertools.islice(each, MANY_ITEMS))
    return length / len(items), items


class Crowd:
    """All objects that the collector knows, or some of them, and the collections among all with their lengths."""

    def __init__(self, alive: Callable[[], None]) -> None:
        self.is_sampled = sys.getallocatedblocks() > MOST_BLOCKS and _is_as_known()
        objects = [] if self.is_sampled else gc.get_objects()  # first, so that nothing of what follows is among them
        self.count, self.groups = len(objects), [(1.0, objects)]
        self.ids, self.lengths = array.array("Q"), array.array("Q")
        if self.is_sampled:
            self._follow(alive)
        else:
            self.add(objects)

    def add(self, things: list[Any]) -> None:
        """Those of them that may grow."""
        kinds = list(map(type, things))
        wanted = {id(kind) for kind in dict(zip(map(id, kinds), kinds)).values() if _length_at(kind) and not descends(kind, tuple)}
        found = list(itertools.compress(things, map(wanted.__contains__, map(id, kinds))))
        self.ids.extend(map(id, found))
        self.lengths.extend(map(length_of, found))  # type: ignore[arg-type]

    def _follow(self, alive: Callable[[], None]) -> None:
        gc.freeze()  # makes one chain of all, those that the job has frozen included
        gc.unfreeze()
        words = _memory()
        sorts: dict[int, tuple[int, bool, dict[int, list[Any]]]] = {id(kind): (_length_at(kind), not descends(kind, tuple), {}) for kind in _classes()}
        first = at = id(self.groups) - HEAD * BYTES_OF_WORD
        strata: list[list[Any]] = []
        ids, lengths, least, count = self.ids, self.lengths, 1, 0
        while at != first or not count:
            word, level = at // BYTES_OF_WORD, 0
            sort = sorts.get(words[word + TYPE])  # none of the chain's own head
            count += 1
            if not count % ALIVE_EVERY:
                alive()
                least = self._keep_longest(2 * MOST_COLLECTIONS, least)
            if sort is not None:
                length_at, may_grow, levels = sort
                if length_at:
                    length = words[word + length_at]
                    level = length.bit_length()
                    if may_grow and length >= least:
                        ids.append(at + HEAD * BYTES_OF_WORD)
                        lengths.append(length)
                stratum = levels.get(level)
                if stratum is None:
                    stratum = levels[level] = [0, 0, []]
                    strata.append(stratum)
                stratum[0] += 1
                if not (at * MIX >> SHIFT) & stratum[1]:
                    taken = stratum[2]
                    taken.append(at)
                    if len(taken) > MOST_ALIKE:
                        stratum[1] = mask = stratum[1] * 2 + 1
                        taken[:] = [each for each in taken if not (each * MIX >> SHIFT) & mask]
            at = words[word] & ~FLAGS
        self.count = count
        for number, mask, taken in strata:
            objects = [object_at(each + HEAD * BYTES_OF_WORD) for each in taken]
            if mask:
                self.groups.append((number / len(objects), objects))
            else:
                self.groups[0][1].extend(objects)
        self.groups.sort(key=lambda group: group[0])

    def _keep_longest(self, most: int, least: int) -> int:
        """Leaves out short collections while there are more; the length that is kept."""
        while len(self.ids) > most:
            least *= 2
            kept = [length >= least for length in self.lengths]
            self.ids[:], self.lengths[:] = (array.array("Q", itertools.compress(column, kept)) for column in (self.ids, self.lengths))
        return least

    def longest(self) -> list[tuple[int, int]]:
        """Addresses and lengths of collections, only of longer ones where there are too many."""
        self._keep_longest(MOST_COLLECTIONS, 1)
        return list(zip(self.ids, self.lengths))


def _length_at(kind: type) -> int:
    return next((word for base, _, word in _lengths if descends(kind, base)), 0)


def _classes() -> list[type]:
    """All there are."""
    found: dict[int, type] = {id(object): object}
    level: list[type] = [object]
    below: Callable[[type], list[type]] = type.__subclasses__
    while level:
        level = [kind for above in level for kind in below(above) if id(kind) not in found]
        found.update(zip(map(id, level), level))
    return list(found.values())


def _memory() -> memoryview:
    """All memory, word by word."""
    return memoryview((ctypes.c_size_t * (1 << 49)).from_address(0)).cast("B").cast("Q")


def _is_as_known() -> bool:
    """Whether objects and the collector's chain lie in memory as they do in Pythons with a global lock."""
    words = _memory()
    things: tuple[Any, ...] = ([[], [], []], {1: [], 2: [], 3: []}, {1, 2, 3}, collections.deque([[], [], []]), ([], [], []))
    at = [id(thing) // BYTES_OF_WORD - HEAD for thing in things]
    return all(words[each + TYPE] == id(kind) and words[each + length_at] == 3 for each, (kind, _, length_at) in zip(at, _lengths)) and \
        words[(words[at[0]] & ~FLAGS) // BYTES_OF_WORD + 1] & ~FLAGS == at[0] * BYTES_OF_WORD
