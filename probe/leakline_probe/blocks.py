"""Finds the blocks of memory that Python's objects show: tensors, arrays, and all that is too large for Python's own allocator.

Runs in a copy of the process (forks.py). Types are read through their bases, sizes by the methods of the built-in types: no code of the job runs, though it
could do no harm in a copy.
"""
from __future__ import annotations

import array
import collections
import ctypes
import gc
import itertools
import sys
import types
from typing import Any, Callable, Iterator

from .classes import descends, mro
from .crowds import MANY_ITEMS, Crowd, Group, length_of, some_of
from .frames import locals_of, running_frames
from .torch_facts import torch_ready

SMALLEST = 512  # bytes: larger blocks are malloc's
SHORT_TEXT = 400  # characters: what is shorter has 512 bytes at most
HAS_COLLECTOR = 1 << 14  # a flag of types, Py_TPFLAGS_HAVE_GC
ASKED_TOGETHER = 2000  # objects that are asked together
OUR_REFERENCES = next(map(sys.getrefcount, [object()])) + 1  # references to an object in two lists of ours, as a call sees them
_own_size: tuple[tuple[type, Callable[[Any], int]], ...] = (
    (list, list.__sizeof__), (dict, dict.__sizeof__), (set, set.__sizeof__), (frozenset, frozenset.__sizeof__), (tuple, tuple.__sizeof__),
    (str, str.__sizeof__), (bytes, bytes.__sizeof__), (bytearray, bytearray.__sizeof__), (int, int.__sizeof__),
    (collections.deque, collections.deque.__sizeof__), (array.array, array.array.__sizeof__), (types.CodeType, types.CodeType.__sizeof__))
TABLES = {list: 24, dict: 32, set: 40, bytearray: 32}  # where the address of the table stands in the object, whose memory is apart: so from 3.9 to 3.14
_size_by_type: dict[int, Callable[[Any], int]] = {}


def size_of(thing: Any) -> int:
    """Bytes of an object without what it refers to."""
    kind = type(thing)
    found = _size_by_type.get(id(kind))
    if found is None:
        found = _size_by_type[id(kind)] = next((size for c in mro(kind) for base, size in _own_size if c is base), None) or _fixed_size(kind)
    return found(thing)


def _fixed_size(kind: type) -> Callable[[Any], int]:
    """The size of instances of a type without items: what object.__sizeof__ takes for their number is something else in some types, such as frames."""
    size = _basic_size(kind)
    return lambda _: size


def _basic_size(kind: type) -> int:
    size: int = type.__dict__["__basicsize__"].__get__(kind)
    return size


class Blocks:
    """The blocks that objects show: where each lies, how large it is, and what it is."""

    def __init__(self, has_cuda: bool) -> None:
        self.pinned = _pinned_blocks() if has_cuda else {}
        self.found: dict[int, tuple[int, str]] = {}  # by address
        self.stands_for: dict[int, float] = {}  # blocks that stand for more than themselves, by address
        self.weight = 1.0  # for how many objects each of those that are gone through stands
        self.counts: dict[int, int] = {}  # references to them, by id
        self.facts, self.array = torch_ready(), getattr(sys.modules.get("numpy"), "ndarray", None)
        self.dicts: list[Any] = []  # that the collector does not show, since they hold nothing that it knows, such as strings and arrays
        self.sorts: dict[int, str] = {}  # by type
        self.hidden: set[int] = set()  # types of which the collector does not show all objects, by id
        self.large: set[int] = set()  # types whose objects may have a block of malloc's

    def find(self, crowd: Crowd, alive: Callable[[], None]) -> None:
        """Goes through objects of the collector's and what they refer to, some at a time; alive is called after each time."""
        seen: set[int] = set()
        groups: list[Group] = [(1.0, [value for frame in running_frames() for _, value in locals_of(frame)]), *crowd.groups]
        for self.weight, level in groups:  # which longer ones are added to
            while level:
                following: list[Any] = []
                for index in range(0, len(level), ASKED_TOGETHER):
                    part = level[index:index + ASKED_TOGETHER]
                    if crowd.is_sampled:
                        self.counts = dict(zip(map(id, part), map(sys.getrefcount, part)))
                    for thing in self._of(part, self.large):
                        self._note(thing)
                    if crowd.is_sampled:
                        part = self._without_long(part, groups)
                    following += self._leaves(gc.get_referents(*part), seen)
                    alive()
                self.dicts += [thing for thing in following if type(thing) is dict]
                level = following

    def _without_long(self, things: list[Any], groups: list[Group]) -> list[Any]:
        """Those without very many items; of these some are added to the groups."""
        lengths = [length_of(thing) or 0 for thing in things]
        for thing, length in zip(things, lengths):
            if length > MANY_ITEMS:
                times, items = some_of(thing, length)
                groups.append((self.weight * times, list(self._leaves(items, set()))))
        return [thing for thing, length in zip(things, lengths) if length <= MANY_ITEMS]

    def _of(self, things: list[Any], types_wanted: set[int]) -> Iterator[Any]:
        """Those of some types. The loops over all run in C."""
        kinds = list(map(type, things))
        ids = list(map(id, kinds))
        for key, kind in dict(zip(ids, kinds)).items():
            if key not in self.sorts:
                self.sort(kind)
        return itertools.compress(things, map(types_wanted.__contains__, ids))

    def _leaves(self, things: list[Any], seen: set[int]) -> list[Any]:
        """Those that the collector does not show, once each, and only where they are large or lead on."""
        found = []
        for thing in self._of(things, self.hidden):
            if (type(thing) not in (str, bytes) or len(thing) >= SHORT_TEXT) and id(thing) not in seen and not gc.is_tracked(thing):
                seen.add(id(thing))
                found.append(thing)
        return found

    def sort(self, kind: type) -> str:
        """What is done with objects of a type: tensors and arrays are placed, others measured, where they may be large."""
        sort = self.sorts.get(id(kind))
        if sort is not None:
            return sort
        is_fixed = not any(c is base for c in mro(kind) for base, _ in _own_size)
        sort = "small" if is_fixed and _basic_size(kind) <= SMALLEST else "other"
        if self.facts is not None and descends(kind, self.facts.tensor) and not self.facts.is_wrapper(kind):
            sort = "tensor"
        elif self.array is not None and descends(kind, self.array):
            sort = "array"
        self.sorts[id(kind)] = sort
        if sort != "small":
            self.large.add(id(kind))
        if sort != "small" and (kind in (dict, tuple, frozenset) or not type.__dict__["__flags__"].__get__(kind) & HAS_COLLECTOR):
            self.hidden.add(id(kind))
        return sort

    def _note(self, thing: Any) -> None:
        kind = type(thing)
        sort = self.sort(kind)
        try:
            if sort == "tensor":
                self._note_tensor(thing)
            elif sort == "array":
                self._note_array(thing)
            else:
                self._note_object(thing, kind)
        except Exception:  # of a tensor that has no storage, and the like
            pass

    def _put(self, address: int, size: int, part: str, owners: int) -> None:
        """Notes a block. One that several objects lead to is met by way of any of them, and stands for fewer."""
        if address not in self.found and self.weight > 1:
            self.stands_for[address] = 1 / (1 - (1 - 1 / self.weight) ** max(1, owners))
        self.found[address] = size, part

    def _owners(self, thing: Any) -> int:
        """How many objects lead to one: to one that the collector shows, its chain."""
        return 1 if gc.is_tracked(thing) else self.counts.get(id(thing), OUR_REFERENCES + 1) - OUR_REFERENCES

    def _note_tensor(self, tensor: Any) -> None:
        facts = self.facts
        if facts is not None and facts.device(tensor).type == "cpu":
            place = facts.place(tensor, [])
            if place is not None and place[1]:
                self._put(place[1], place[2], "pinned_live" if place[1] in self.pinned else "host_tensors", facts.owners(place[0]))

    def _note_array(self, thing: Any) -> None:
        base = self.array.base.__get__  # type: ignore[union-attr]
        while descends(type(base(thing)), self.array):  # type: ignore[arg-type]
            thing = base(thing)
        if base(thing) is not None:  # an array shows what owns its memory to nobody else
            self._note(base(thing))
        elif (address := self.array.ctypes.__get__(thing).data) not in self.found:  # type: ignore[union-attr]
            self._put(address, self.array.nbytes.__get__(thing), "numpy", self._owners(thing))  # type: ignore[union-attr]

    def _note_object(self, thing: Any, kind: type) -> None:
        size = size_of(thing)
        if size <= SMALLEST:
            return
        for base, offset in TABLES.items():
            if kind is base or descends(kind, base):
                table = size - base.__basicsize__
                if table > SMALLEST:
                    self._put(ctypes.c_size_t.from_address(id(thing) + offset).value, table, "python_objects", self._owners(thing))
                return
        self._put(id(thing), size, "python_objects", self._owners(thing))


def drop_history() -> None:
    """Lets go of the history of allocations that torch keeps in C, where it records one: some 450 bytes for each of the job's. In a copy, so that the job keeps it."""
    torch = sys.modules["torch"]
    try:
        if torch._C._cuda_isHistoryEnabled():
            torch.cuda.memory._record_memory_history(None)
    except Exception:  # an older torch
        pass


def _pinned_blocks() -> dict[int, tuple[int, bool]]:
    """Bytes of each block of torch's pinned memory, by address, and whether it is in use. They are listed only once recording was switched on, which is here the copy's alone.

    Without torch.cuda.memory._snapshot, which imports torch's compiler.
    """
    torch = sys.modules["torch"]
    try:
        torch.cuda.memory._record_memory_history("state", stacks="python", max_entries=1, record_pinned_host_memory=True)
        try:
            segments = torch._C._cuda_memorySnapshot((0, 0, False)).get("host_segments", ())
        except TypeError:  # an older torch cannot leave out the history
            segments = torch._C._cuda_memorySnapshot(None).get("host_segments", ())
    except Exception:  # a torch that does not count them by address
        return {}
    return {block["address"]: (block["size"], block["state"] == "active_allocated") for segment in segments for block in segment["blocks"]}
