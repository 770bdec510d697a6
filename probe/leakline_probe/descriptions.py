"""Says in a few words what an object is: a function and its line, a dict and its length. Contents are not shown."""
from __future__ import annotations

import collections
import types
from typing import Any

from .classes import descends, type_name
from .kinds import is_deque, lru_cache_type
from .roots import Roots
from .state import State
from .texts import where_is
from .words import CLASS, CONTAINER, DICT, FINISHED, LIST, MODULE, SET, SUSPENDED, TENSOR, TUPLE

NO_LENGTH = -1
_sized: dict[int, Any] = {DICT: dict, LIST: list, TUPLE: tuple}


def describe(state: State, roots: Roots, thing: Any, kind: int) -> tuple[str, int]:
    """The words, and a length where there is one."""
    name = state.kinds.name(thing)
    if kind in _sized:
        length = _sized[kind].__len__(thing)
        return f"{name}, {length} {'item' if length == 1 else 'items'}", length
    if kind == SET or kind == CONTAINER and is_deque(thing):
        length = _length_of(thing)
        return f"{name}, {length} items", length
    return _text_of(roots, thing, kind, name), NO_LENGTH


def most_items(thing: Any) -> Any:
    """How many items a container keeps at most; None where it does not say so itself."""
    if type(thing) is lru_cache_type:
        return lru_cache_type.cache_info(thing)[2]
    return collections.deque.maxlen.__get__(thing) if is_deque(thing) else None


def _length_of(thing: Any) -> int:
    for base in (set, frozenset):
        if descends(type(thing), base):
            return base.__len__(thing)
    return collections.deque.__len__(thing)


def _text_of(roots: Roots, thing: Any, kind: int, name: str) -> str:
    if kind == MODULE:
        return roots.name_of_module(thing)
    if kind == CLASS:
        return type_name(thing)
    if kind == TENSOR:
        return name.rpartition(".")[2]
    if kind in (FINISHED, SUSPENDED):
        frame = thing if type(thing) is types.FrameType else frame_of(thing)
        return where_is(frame.f_code, frame.f_lineno) if frame is not None else name
    return _callable_text(thing, name)


def frame_of(thing: Any) -> Any:
    """The frame of a generator or coroutine; None where it has ended."""
    return getattr(thing, "gi_frame", None) or getattr(thing, "cr_frame", None) or getattr(thing, "ag_frame", None)


def _callable_text(thing: Any, name: str) -> str:
    if type(thing) is types.FunctionType:
        return where_is(thing.__code__)
    if type(thing) is types.MethodType:
        return "method " + _function_text(thing.__func__, name)
    if type(thing) is lru_cache_type:
        return "cache of " + _function_text(thing.__dict__.get("__wrapped__"), "a function")
    if type(thing) is types.TracebackType:
        return "traceback of " + where_is(thing.tb_frame.f_code, thing.tb_lineno)
    return ""


def _function_text(inner: Any, otherwise: str) -> str:
    return where_is(inner.__code__) if type(inner) is types.FunctionType else otherwise
