"""Sorts objects into the kinds of the file format, by the bases of their types."""
from __future__ import annotations

import collections
import functools
import sys
import types
from typing import Any, Callable

from .classes import class_dict, descends, module_dict, mro, type_name
from .errors import pass_on
from .torch_facts import TorchFacts
from .words import (CELL, CLASS, CONTAINER, DICT, EXCEPTION, FINISHED, FUNCTION, LIST, LOCAL_STATE, MODULE, NN_MODULE, OBJECT, OPTIMIZER, SET,
                    STORAGE, SUSPENDED, TENSOR, TUPLE)

lru_cache_type = type(functools.lru_cache(None)(int))
suspended_ids = {id(kind) for kind in (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)}
_exact_kinds = {id(types.FunctionType): FUNCTION, id(types.TracebackType): EXCEPTION, id(types.FrameType): FINISHED, id(types.MethodType): FUNCTION,
                id(types.BuiltinMethodType): FUNCTION, id(lru_cache_type): FUNCTION, id(types.MappingProxyType): CONTAINER}
_state_types = {"_thread._local", "_thread._localdummy", "Context", "_contextvars.Context", "contextvars.Context", "hamt", "hamt_bitmap_node",
                "hamt_array_node", "hamt_collision_node", "Token", "_contextvars.Token", "contextvars.Token", "_thread._localimpl"}
_own_bases = ((type, CLASS), (types.ModuleType, MODULE), (dict, DICT), (list, LIST), (tuple, TUPLE), (set, SET), (frozenset, SET),
              (types.CellType, CELL), (BaseException, EXCEPTION), (collections.deque, CONTAINER))

Imported = list[tuple[str, dict[str, object]]]  # names of modules, and their dicts


class Kinds:
    """The kind and the name of each type that was met, looked up once."""

    def __init__(self, facts: TorchFacts) -> None:
        self.known: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.getters: dict[int, Any] = {}  # of the __dict__ of instances, None where they have none
        self.bases = ((facts.tensor, TENSOR), (facts.storage, STORAGE), (facts.module, NN_MODULE), (facts.optimizer, OPTIMIZER)) + _own_bases

    def of(self, kind: type) -> int:
        known = self.known.get(id(kind))
        if known is None:
            known = self.known[id(kind)] = self._find(kind)
            self.names[id(kind)] = type_name(kind)
        return known

    def name(self, thing: Any) -> str:
        """The name of an object's type."""
        self.of(type(thing))
        return self.names[id(type(thing))]

    def imported(self) -> Imported:
        """The names by which all modules are imported, and their dicts. These are not looked into: of thousands, most have left the processor's caches."""
        modules = [(name, thing) for name, thing in list(sys.modules.items())
                   if type(name) is str and (type(thing) is types.ModuleType or self.of(type(thing)) == MODULE)]
        return [(name, module_dict(thing)) for name, thing in modules]

    def own_dict(self, thing: Any) -> dict[str, Any] | None:
        """The same as the function, for one instance after the other."""
        key = id(type(thing))
        if key not in self.getters:
            self.getters[key] = _dict_getter(type(thing))
        return _dict_by(self.getters[key], thing)

    def _find(self, kind: type) -> int:
        if id(kind) in suspended_ids:
            return SUSPENDED
        if id(kind) in _exact_kinds:
            return _exact_kinds[id(kind)]
        if type_name(kind) in _state_types:
            return LOCAL_STATE
        for c in mro(kind):
            for base, result in self.bases:
                if c is base:
                    return result
        return OBJECT


def is_autograd(kind: type) -> bool:
    """Whether this is a type of autograd's nodes; each kind of node has a type of its own."""
    return any("next_functions" in class_dict(c) for c in mro(kind))


def own_value(thing: Any, name: str) -> Any:
    """An attribute of an instance, None where its class has the name; read without the instance's __dict__, which Python 3.11 and later make when it is requested: it
    would stand between the instance and what that refers to, unknown to a search that has begun."""
    if any(name in class_dict(c) for c in mro(type(thing))):
        return None
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return None


def own_dict(thing: Any) -> dict[str, Any] | None:
    """The __dict__ of an instance, read by the descriptor of its class, so that no __getattribute__ runs."""
    return _dict_by(_dict_getter(type(thing)), thing)


def _dict_getter(kind: type) -> Callable[[Any], Any] | None:
    for c in mro(kind):
        descriptor = class_dict(c).get("__dict__")
        if type(descriptor) is types.GetSetDescriptorType:
            return descriptor.__get__
    return None


def _dict_by(getter: Callable[[Any], Any] | None, thing: Any) -> dict[str, Any] | None:
    if getter is None:
        return None
    try:
        names = getter(thing)
    except Exception as error:
        pass_on(error)
        return None
    return names if type(names) is dict else None


def is_deque(thing: Any) -> bool:
    return descends(type(thing), collections.deque)
