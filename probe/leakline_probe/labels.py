"""Names the references of one object: by key, attribute, index, variable, or what else its type allows.

Values are read through the descriptors of the base types: no __getattr__, no property and no comparison of the job runs.
"""
from __future__ import annotations

import collections
import functools
import gc
import types
from typing import Any, Callable, Iterator

from .classes import class_dict, mro
from .descriptions import frame_of
from .errors import pass_on
from .frames import OLD_FRAMES, locals_of
from .kinds import is_deque, own_dict
from .roots import Roots
from .state import State
from .texts import cut, key_text
from .words import (ATTRIBUTE, CELL, CLASS, CLOSURE, CONTAINER, DEFAULT, DICT, FINISHED, INDEX, INTERNAL, LIST, LOCAL, LOCAL_STATE, OTHER_KEY,
                    RUNNING, SET, STRING_KEY, SUSPENDED, TENSOR, TUPLE, UNKNOWN)

_without_attributes = {id(kind) for kind in (dict, list, tuple, set, frozenset, types.FunctionType, types.FrameType, types.CellType)}
_with_fields = {id(kind) for kind in (types.MethodType, types.BuiltinMethodType, types.TracebackType, types.MappingProxyType, BaseException,
                                      functools.partial)}
_memo = type(functools.lru_cache(len))
_getset, _member = types.GetSetDescriptorType, types.MemberDescriptorType
Label = tuple[int, str, int]  # the id of the child, the name, the kind of reference
Rest = dict[int, int]  # by id of a child, how many references have no name yet


class Labels:
    """The names of references. Dicts and tuples come last, since their names depend on whose they are."""

    def __init__(self, state: State, roots: Roots) -> None:
        self.state, self.roots = state, roots
        self.tuple_names: dict[int, tuple[tuple[str, ...], int]] = {}  # of the closure and the defaults of a function, by id
        self.slots: dict[int, list[tuple[str, Callable[[Any], Any]]]] = {}  # by the id of a type

    def of(self, thing: Any, kind: int, rest: Rest) -> Iterator[Label]:
        """All names that are known; where there are several for one reference, the first one counts."""
        exact = type(thing)
        if kind == DICT:
            yield from self._dict_labels(thing, rest)
        elif kind in (LIST, TUPLE):
            yield from self._sequence_labels(thing, kind, rest)
        elif kind == CONTAINER and is_deque(thing):
            for number, value in enumerate(collections.deque.__iter__(thing)):
                if id(value) in rest:
                    yield id(value), str(number), INDEX
        elif kind == CELL:
            yield id(thing.cell_contents), "cell_contents", INTERNAL
        elif exact is types.FunctionType:
            yield from self._function_labels(thing)
        elif exact is _memo:
            yield from _memo_labels(thing)
        elif kind == CLASS:
            yield from self._class_labels(thing)
        elif kind == TENSOR:
            yield from self._hook_labels(thing)
        elif exact is types.FrameType or kind == SUSPENDED:
            yield from _frame_labels(thing)
        if id(exact) not in _without_attributes and kind != CLASS:
            yield from self._instance_labels(thing, rest)

    def nameless(self, kind: int, child: int) -> tuple[str, int]:
        """What stands for the name of a reference that has none."""
        name = self.roots.context_names.get(child)
        if kind == LOCAL_STATE and name:
            return name, ATTRIBUTE
        if kind in (RUNNING, FINISHED) and OLD_FRAMES:
            return "a value in use", UNKNOWN
        return ("an element", UNKNOWN) if kind in (SET, CONTAINER) else ("", UNKNOWN)

    def _dict_labels(self, thing: Any, rest: Rest) -> Iterator[Label]:
        is_attribute = id(thing) in self.state.attribute_dicts or id(thing) in self.roots.modules
        for key, value in dict.items(thing):
            if id(value) in rest:
                if type(key) is not str:
                    yield id(value), key_text(key), OTHER_KEY
                elif is_attribute:
                    yield id(value), cut(key), ATTRIBUTE
                else:
                    yield id(value), key_text(key), STRING_KEY
            if id(key) in rest:
                yield id(key), "a key", OTHER_KEY

    def _sequence_labels(self, thing: Any, kind: int, rest: Rest) -> Iterator[Label]:
        names = self.tuple_names.get(id(thing))
        values = list.__iter__(thing) if kind == LIST else tuple.__iter__(thing)
        for number, value in enumerate(values):
            if id(value) in rest:
                if names and number < len(names[0]):
                    yield id(value), names[0][number], names[1]
                else:
                    yield id(value), str(number), INDEX

    def _function_labels(self, function: types.FunctionType) -> Iterator[Label]:
        code = function.__code__
        closure, defaults, by_name = function.__closure__, function.__defaults__, function.__kwdefaults__
        if closure:
            self.tuple_names[id(closure)] = (code.co_freevars, CLOSURE)
            yield id(closure), "__closure__", INTERNAL
        if defaults:
            names = code.co_varnames[:code.co_argcount]
            self.tuple_names[id(defaults)] = (names[len(names) - len(defaults):], DEFAULT)
            yield id(defaults), "__defaults__", INTERNAL
        if by_name:
            yield id(by_name), "__kwdefaults__", INTERNAL
        yield id(function.__globals__), "__globals__", INTERNAL
        yield self._attributes_label(function.__dict__)

    def _class_labels(self, kind: type) -> Iterator[Label]:
        for names in gc.get_referents(class_dict(kind)):
            yield self._attributes_label(names)

    def _hook_labels(self, tensor: Any) -> Iterator[Label]:
        """Both references of a tensor to the table of its hooks: its own, and autograd's."""
        for name, table in self.state.facts.hook_tables:
            label = id(table(tensor)), name, ATTRIBUTE
            yield label
            yield label

    def _attributes_label(self, names: Any) -> Label:
        self.state.attribute_dicts.add(id(names))
        return id(names), "__dict__", INTERNAL

    def _instance_labels(self, thing: Any, rest: Rest) -> Iterator[Label]:
        """Attributes: slots by their descriptors, the others by the instance's dict."""
        before = gc.get_referents(thing)  # Python 3.11 makes the dict when it is requested, out of values that the instance holds itself
        names = self.state.kinds.own_dict(thing)
        if names is not None and any(names is child for child in before):
            self.state.attribute_dicts.add(id(names))
            if id(names) in rest:
                yield id(names), "__dict__", INTERNAL
            for value in dict.values(names):  # Python 3.13 shows the values of such a dict twice, though they are referred to once
                if id(value) in rest:
                    rest[id(value)] = 0
        elif names is not None:
            for key, value in dict.items(names):
                if id(value) in rest:
                    yield id(value), cut(key) if type(key) is str else key_text(key), ATTRIBUTE
        yield from self._slot_labels(thing, rest)

    def _slot_labels(self, thing: Any, rest: Rest) -> Iterator[Label]:
        key = id(type(thing))
        if key not in self.slots:
            self.slots[key] = _slots_of(type(thing))
        for name, read in self.slots[key]:
            try:
                value = read(thing)
            except Exception as error:
                pass_on(error)
                continue
            if id(value) in rest:
                yield id(value), name, ATTRIBUTE


def _memo_labels(memo: Any) -> Iterator[Label]:
    """What functools.cache and lru_cache keep, which has no name in Python."""
    names = own_dict(memo)
    for child in gc.get_referents(memo):
        if type(child) is dict and child is not names:
            yield id(child), "cache", UNKNOWN


def _slots_of(kind: type) -> list[tuple[str, Callable[[Any], Any]]]:
    """The names of a type's slots, and what reads them."""
    return [(name, descriptor.__get__) for c in mro(kind) for name, descriptor in class_dict(c).items()
            if type(name) is str and (type(descriptor) is _member or type(descriptor) is _getset and id(c) in _with_fields)]


def _frame_labels(thing: Any) -> Iterator[Label]:
    """The variables of a call that runs no more or waits, and what a generator or coroutine waits for."""
    frame = thing if type(thing) is types.FrameType else frame_of(thing)
    if type(thing) is not types.FrameType:
        for name in ("gi_yieldfrom", "cr_await", "ag_await"):
            awaited = getattr(thing, name, None)
            if awaited is not None:
                yield id(awaited), name, INTERNAL
        if frame is not None:
            yield id(frame), "frame", INTERNAL
    if frame is not None:
        for name, value in locals_of(frame):
            yield id(value), name, LOCAL
