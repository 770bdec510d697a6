"""Finds the collections that grow from look to look, what their new items keep, and who has them.

Runs in a copy of the process (forks.py). The lengths of all lists, dicts, sets and deques go from one look to the next in a file in memory that the process
keeps open. What an item keeps is what it leads to and the other items do not; a few items stand for all that are new.
"""
from __future__ import annotations

import array
import collections
import gc
import itertools
import os
import types
from typing import Any, Callable

from .blocks import Blocks, size_of
from .classes import descends, qualified_name
from .crowds import Crowd, object_at
from .kinds import lru_cache_type
from .owners import Owners, Pile
from .smaps import Maps

CANDIDATES = 48  # collections that are looked into: those that grew by most items, and as many of those that grew in most looks
SAMPLE, ITEM_OBJECTS = 3, 300  # new items that are looked into, and objects of each
TO_NAME, NAMED = 24, 8  # collections with most bytes whose owners are looked for, first those that grew in two looks; owners that are told
NOT_INTO = (type, types.ModuleType, types.FunctionType, types.CodeType, types.BuiltinFunctionType)


class Lengths:
    """The lengths of collections, as they were and as they are."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.before: dict[int, tuple[int, int, int]] = {}  # by id: the length when it was last seen, when it began to grow, and in how many looks it grew
        size = os.fstat(file).st_size
        if size:
            count = size // 20
            content = os.pread(file, size, 0)
            ids, rest = array.array("Q", content[:count * 8]), array.array("I", content[count * 8:])
            self.before = dict(zip(ids, zip(rest[:count], rest[count:2 * count], rest[2 * count:])))

    def grown(self, lengths: list[tuple[int, int]]) -> list[Pile]:
        """Those that have grown; writes down how long all are now."""
        piles, rows, before = [], [], self.before
        for key, length in lengths:
            last, begin, rises = before.get(key, (length, length, 0))
            if length < last:
                begin, rises = length, 0
            elif length > last:
                rises += 1
            if rises:
                piles.append(Pile(object_at(key), length, length - begin, rises))
            rows.append((key, length, begin, rises))
        self._write(rows)
        return piles

    def _write(self, rows: list[tuple[int, int, int, int]]) -> None:
        content = array.array("Q", [row[0] for row in rows]).tobytes()
        for column in (1, 2, 3):
            content += array.array("I", [min(row[column], 0xffffffff) for row in rows]).tobytes()
        os.ftruncate(self.file, 0)
        os.pwrite(self.file, content, 0)


class Piles:
    """The collections with most new bytes, with their owners."""

    def __init__(self, blocks: Blocks, maps: Maps, children: dict[int, int]) -> None:
        self.blocks, self.maps, self.children = blocks, maps, children
        self.found: list[Pile] = []

    def find(self, crowd: Crowd, file: int, alive: Callable[[], None]) -> list[dict[str, Any]]:
        crowd.add(self.blocks.dicts)
        piles = Lengths(file).grown(crowd.longest())
        most = sorted(piles, key=lambda pile: -pile.grown)[:CANDIDATES]
        often = sorted(piles, key=lambda pile: (-pile.rises, -pile.grown))[:CANDIDATES]
        candidates = list({id(pile): pile for pile in most + often}.values())
        for pile in candidates:
            self._weigh(pile)
            alive()
        self.found = sorted(candidates, key=_order)[:TO_NAME]
        Owners(self.found, [*(objects for _, objects in crowd.groups), self.blocks.dicts, piles, most, often, candidates]).name(alive)
        rows: dict[tuple[str, ...], dict[str, Any]] = {}
        for pile in _together([pile for pile in self.found if pile.owner and sum(pile.bytes.values())], piles):
            row = dict(pile.owner, items=pile.length, grown=pile.grown, rises=pile.rises, bytes=dict(pile.bytes), holds=_type_of_item(pile))
            rows.setdefault(tuple(pile.owner[part] for part in ("kind", "module", "name", "attribute", "rest")), row)  # of several with one owner, the largest
        return list(rows.values())[:NAMED]

    def _weigh(self, pile: Pile) -> None:
        """Estimates what the new items keep by the newest, less what the one before leads to as well."""
        count = min(SAMPLE, pile.grown)
        if count == 0:
            return
        items = _newest(pile.thing, min(count + 1, pile.length))
        walks = [self._reached(item, pile.thing) for item in items]
        for index, walk in enumerate(walks[:count]):
            others = walks[index + 1 if index + 1 < len(walks) else index - 1] if len(walks) > 1 else {}
            for key, (size, part) in walk.items():
                if key not in others:
                    pile.bytes[part] += size
        for part in pile.bytes:
            pile.bytes[part] = pile.bytes[part] * pile.grown // count
        table = size_of(pile.thing) - type(pile.thing).__basicsize__
        pile.bytes["python_objects"] += max(0, table) * pile.grown // max(1, pile.length)

    def _reached(self, items: tuple[Any, ...], pile: Any) -> dict[int, tuple[int, str]]:
        """The objects that an item leads to, the nearest first, and their sizes."""
        found: dict[int, tuple[int, str]] = {}
        level, budget, seen = list(items), ITEM_OBJECTS, {id(pile)}
        while level and budget > 0:
            following = []
            for thing in level:
                if id(thing) in seen or any(descends(type(thing), kind) for kind in NOT_INTO):
                    continue
                seen.add(id(thing))
                key, size, part = self._measure(thing)
                found[key] = size, part
                if gc.is_tracked(thing) or type(thing) in (tuple, dict, frozenset):
                    budget -= 1
                    if budget > 0:
                        following += gc.get_referents(thing)
                elif part == "numpy" and size == 0:
                    following.append(self.blocks.array.base.__get__(thing))  # type: ignore[union-attr]
            level = following
        return found

    def _measure(self, thing: Any) -> tuple[int, int, str]:
        kind, blocks = type(thing), self.blocks
        sort = blocks.sort(kind)
        if sort == "tensor" and blocks.facts is not None:
            place = blocks.facts.place(thing, []) if blocks.facts.device(thing).type == "cpu" else None
            if place is not None and place[1]:
                return place[1], self.maps.present(place[1], place[2]), "pinned_live" if place[1] in blocks.pinned else "host_tensors"
        elif sort == "array" and blocks.array is not None:
            base = blocks.array.base.__get__(thing)
            if base is not None:
                return id(thing), 0, "numpy"
            address, size = blocks.array.ctypes.__get__(thing).data, blocks.array.nbytes.__get__(thing)
            return address, self.maps.present(address, size), "numpy"
        elif kind.__module__ == "mmap":
            return id(thing), len(thing), "shared_memory"
        elif kind is int and thing in self.children:
            return id(thing), self.children[thing], "children"
        return id(thing), size_of(thing) + (16 if gc.is_tracked(thing) else 0), "python_objects"


def _together(named: list[Pile], grown: list[Pile]) -> list[Pile]:
    """Takes as one what lies in one collection, such as lists by key: those that were looked into stand for all in it that have grown."""
    groups: dict[int, list[Pile]] = {}
    for pile in named:
        pile.places = [place for place in pile.places if pile.owner["rest"].endswith(place[1])]
        groups.setdefault(id(pile.places[0][0] if pile.places else pile), []).append(pile)
    for first, *others in groups.values():
        if others:
            parent, label = first.places[0]
            members = set(map(id, gc.get_referents(parent)))
            inside = [pile for pile in grown if id(pile.thing) in members]
            looked_into, all_grown = sum(pile.grown for pile in (first, *others)), sum(pile.grown for pile in inside)
            for other in others:
                first.bytes.update(other.bytes)
            for part in first.bytes:
                first.bytes[part] = first.bytes[part] * all_grown // looked_into
            first.length, first.grown = sum(pile.length for pile in inside), all_grown
            first.owner["rest"] = first.owner["rest"][:-len(label)] + "[*]"
    return sorted((group[0] for group in groups.values()), key=_order)


def _order(pile: Pile) -> tuple[bool, int]:
    """First those that grew in two looks, with most bytes."""
    return pile.rises < 2, -sum(pile.bytes.values())


def _newest(thing: Any, count: int) -> list[tuple[Any, ...]]:
    """The newest items, the very newest first; of a set any. Of a dict keys with values."""
    if descends(type(thing), dict):
        memo = _memo_of(thing)
        if memo is not None:  # what its entries lead to is shown by it alone: key and result, key and result
            shown = [each for each in gc.get_referents(memo) if type(each) is not type][:2 * dict.__len__(thing)]
            return list(zip(shown[::2], shown[1::2]))[:-count - 1:-1]
        return list(itertools.islice(reversed(dict.items(thing)), count))  # no key is hashed, which may be code of the job
    if descends(type(thing), list):
        return [(item,) for item in list.__getitem__(thing, slice(-count, None))[::-1]]
    if descends(type(thing), collections.deque):
        return [(item,) for item in itertools.islice(collections.deque.__reversed__(thing), count)]
    return [(item,) for item in itertools.islice(set.__iter__(thing), count)]


def _memo_of(thing: dict[Any, Any]) -> Any:
    """The lru_cache with a bound that a dict belongs to."""
    newest = next(reversed(dict.items(thing)), None)
    if newest is None or type(newest[1]).__name__ != "_lru_list_elem":
        return None
    return next((parent for parent in gc.get_referrers(thing) if type(parent) is lru_cache_type), None)


def _type_of_item(pile: Pile) -> str:
    items = _newest(pile.thing, 1)
    return str(qualified_name(type(items[0][-1]))) if items else ""
