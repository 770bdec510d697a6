"""Says who has a collection: a module's variable, an attribute of an instance or a class, a variable of a call, what a function closes over, a memo.

Runs in a copy of the process (forks.py), which nothing can disturb: there referrers are simply requested, level by level, all collections at once.
"""
from __future__ import annotations

import collections
import gc
import sys
import types
from typing import Any, Callable, Iterable

from .classes import class_dict, descends, module_dict, module_name, mro, qualified_name
from .frames import is_our_frame, locals_of
from .kinds import lru_cache_type, own_dict
from .texts import cut, key_text

WAY_UP = 6  # references from a collection up to what has a name
MOST_PARENTS = 200  # of each thing on the way
PATH_CHARACTERS = 400


class Pile:
    """A collection that has grown since it was first seen."""

    def __init__(self, thing: Any, length: int, grown: int, rises: int) -> None:
        self.thing, self.length, self.grown, self.rises = thing, length, grown, rises
        self.bytes: collections.Counter[str] = collections.Counter()  # of all that is new, by part
        self.owner: dict[str, Any] = {}
        self.places: list[tuple[Any, str]] = []  # collections that it lies in, and where


class Owners:
    """Goes up from collections to what has a name: a module's variable, an attribute of an instance or a class, a variable of a function."""

    def __init__(self, piles: list[Pile], ours: Iterable[Any]) -> None:
        self.piles = piles
        self.ours = {id(thing) for thing in ours} | {id(piles), id(self.__dict__)} | {id(own_dict(pile)) for pile in piles} | {id(pile) for pile in piles}
        self.modules = {id(module_dict(module)): name for name, module in reversed(list(sys.modules.items()))
                        if type(module) is types.ModuleType}  # the first name counts: __main__ has another one in children of multiprocessing
        self.modules.setdefault(id(globals()), "leakline_probe")  # which is in no list of modules where somebody attaches

    def name(self, alive: Callable[[], None]) -> None:
        ways: list[tuple[Pile, Any, str]] = [(pile, pile.thing, "") for pile in self.piles if id(pile.thing) not in self.modules]
        self.ours |= {id(ways)} | set(map(id, ways))
        seen: set[tuple[int, int]] = set()
        for _ in range(WAY_UP):
            if not ways:
                return
            alive()
            targets = {id(thing): thing for _, thing, _ in ways}
            parents = [parent for parent in gc.get_referrers(*targets.values()) if id(parent) not in self.ours and not is_our_frame(parent)]
            self.ours.add(id(parents))
            following: list[tuple[Pile, Any, str]] = []
            counts: collections.Counter[int] = collections.Counter()
            for parent in parents:
                children = {child for child in map(id, gc.get_referents(parent)) if child in targets and counts[child] < MOST_PARENTS}
                counts.update(children)
                for pile, thing, text in ways:
                    if pile.owner or id(thing) not in children or (id(pile), id(parent)) in seen or parent is ways or parent is targets:
                        continue
                    seen.add((id(pile), id(parent)))
                    label = self._label(pile, parent, thing, text)
                    if label is not None:
                        following.append((pile, parent, label))
                        if thing is pile.thing:
                            pile.places.append((parent, label))
            ways = [way for way in following if not way[0].owner]
            self.ours |= {id(ways), id(following), id(targets)} | set(map(id, ways))

    def _label(self, pile: Pile, parent: Any, child: Any, text: str) -> str | None:
        """What stands between the parent and the collection; gives the pile its owner where the parent has a name, and then nothing."""
        kind = type(parent)
        if descends(kind, dict):
            key = _key_of(parent, child)
            if key is None:
                return None
            if id(parent) in self.modules:
                return self._own(pile, "module", self.modules[id(parent)], "", str(key), text)
            return f"[{key_text(key)!r}]{text}" if type(key) is str else f"[{key_text(key)}]{text}"
        if isinstance(parent, types.FrameType):
            found = next((name for name, value in locals_of(parent) if value is child), None)
            code = parent.f_code
            return None if found is None else self._own(pile, "call", code.co_filename, str(code.co_firstlineno), found, text, code)
        if kind is types.FunctionType:
            return self._closure(pile, parent, child, text)
        if kind is lru_cache_type:
            return self._memo(pile, parent, text)
        if descends(kind, type):
            found = next((name for name, value in class_dict(parent).items() if value is child), None)
            return None if found is None else self._own(pile, "class", module_name(parent), qualified_name(parent), found, text)
        names = own_dict(parent)
        if names is child:  # the dict of its attributes, which names the one on the way
            return self._own(pile, "class", module_name(kind), qualified_name(kind), _attribute(text), _rest(text))
        if names is not None:
            found = next((name for name, value in names.items() if value is child), None)
            if found is not None:
                return self._own(pile, "class", module_name(kind), qualified_name(kind), str(found), text)
        if kind in (list, tuple, types.CellType, collections.deque):
            return text if kind is types.CellType or kind is tuple and all(type(each) is types.CellType for each in parent) else f"[*]{text}"
        slot = next((name for c in mro(kind) for name, value in class_dict(c).items()
                     if type(value) is types.MemberDescriptorType and _slot(value, parent) is child), None)
        return None if slot is None else self._own(pile, "class", module_name(kind), qualified_name(kind), slot, text)

    def _closure(self, pile: Pile, function: Any, child: Any, text: str) -> str | None:
        """A variable that a function closes over; child is the tuple of its cells."""
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if any(each is cell for each in gc.get_referrers(pile.thing)):
                code = function.__code__
                return self._own(pile, "call", code.co_filename, str(code.co_firstlineno), name, text, code)
        return None

    def _memo(self, pile: Pile, memo: Any, text: str) -> str | None:
        wrapped = memo.__wrapped__
        code = getattr(wrapped, "__code__", None)
        limit = memo.cache_parameters().get("maxsize") if hasattr(memo, "cache_parameters") else None
        self._own(pile, "memo", code.co_filename if code else "", str(code.co_firstlineno) if code else "", str(getattr(wrapped, "__qualname__", "")), "")
        if type(limit) is int:
            pile.owner["most"] = limit
        return None

    @staticmethod
    def _own(pile: Pile, kind: str, module: Any, name: Any, attribute: str, rest: str, code: types.CodeType | None = None) -> None:
        if module == "leakline_probe":  # ours
            pile.bytes.clear()
        file = getattr(sys.modules.get(str(module)), "__file__", None) if code is None else code.co_filename
        pile.owner = {"kind": kind, "module": cut(str(module), PATH_CHARACTERS), "name": cut(str(name)), "attribute": cut(attribute), "rest": cut(rest), "file": cut(str(file or ""), PATH_CHARACTERS),
                      "function": cut(str(getattr(code, "co_qualname", code.co_name))) if code is not None else ""}
        if descends(type(pile.thing), collections.deque) and pile.thing.maxlen is not None:
            pile.owner["most"] = pile.thing.maxlen


def _key_of(parent: dict[Any, Any], child: Any) -> Any:
    return next((key for key, value in dict.items(parent) if value is child), None)


def _attribute(text: str) -> str:
    return text[2:].partition("'")[0] if text.startswith("['") else text


def _rest(text: str) -> str:
    return text.partition("]")[2]


def _slot(descriptor: Any, thing: Any) -> Any:
    try:
        return descriptor.__get__(thing)
    except Exception:  # it is empty
        return None
