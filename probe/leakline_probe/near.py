"""Lists the objects that running calls and the job's own modules lead to: what most jobs keep their tensors in, and a small part of the heap.

torch alone has 300,000 objects, of modules and classes, which a search from the other end, from tensors to all that refers to them, has to look through
again and again. From this end they are not gone into. What only libraries, C++ or garbage hold is not found so: whoever asks compares what was found with
what the allocator has.
"""
from __future__ import annotations

import contextvars
import gc
import sys
import threading
from typing import Any

from .classes import module_name
from .frames import locals_of, running_frames
from .kinds import Imported
from .state import State
from .words import CLASS, MODULE, TENSOR

NEAR_CHUNK = 500  # objects that are asked together
NEAR_OBJECTS = 200_000  # for each second of a pause: 0.5 us each, and 0.2 for each level of the search upwards
LARGE = 20_000  # references of objects that are gone into last: data sets and vocabularies
_libraries: set[str] = set()  # names of modules of libraries that were met


def list_near(state: State, imported: Imported, pause: float) -> list[Any]:
    """The objects, nearest first: as many as a pause of so many seconds allows. Whoever gets the list empties it."""
    modules = [names for _, names in imported]
    own = [names for name, names in imported if name not in _libraries and _is_own(name, names)]
    frames = running_frames()
    nearest = [value for frame in frames for _, value in locals_of(frame)] + own + [frame.f_globals for frame in frames]
    del frames
    nearest += list(contextvars.copy_context().values())
    search = _Search(state, modules, own, int(pause * NEAR_OBJECTS))
    search.walk(nearest)
    for ours in (modules, own, nearest):
        ours.clear()
    return search.found


def _is_own(name: str, names: dict[str, object] | None) -> bool:
    """Whether the dict of a module belongs to the job and to no library. The calls that the last exception ended are the job's, and in sys."""
    file = names.get("__file__") if names is not None else None
    has_error = name == "sys" and names is not None and "last_traceback" in names
    is_own = name == "__main__" or has_error or type(file) is str and not (
        file == __file__ or "-packages" in file or file.startswith((sys.base_prefix + "/lib/", sys.prefix + "/lib/")))
    if not is_own and file is not None:
        _libraries.add(name)
    return is_own


class _Search:
    """A walk along references, level by level."""

    def __init__(self, state: State, modules: list[Any], own: list[Any], most: int) -> None:
        self.state, self.most = state, most  # objects that may still be taken
        self.found: list[Any] = []
        self.seen: set[int] = set()
        self.large: list[tuple[Any, list[Any]]] = []  # large objects, and what they refer to
        self.own_names = {names.get("__name__") for names in own if type(names.get("__name__")) is str}
        self.libraries = set(map(id, modules)) - set(map(id, own))  # dicts that are not gone into

    def walk(self, nearest: list[Any]) -> None:
        self._go_into(nearest)
        barren = set()  # large objects without tensors, which the search upwards would look through in vain
        for large, children in self.large:  # which grows meanwhile
            begin = len(self.found)
            self._go_into(children)
            if not any(self.state.kind(type(thing)) == TENSOR for thing in self.found[begin:]):
                barren.add(id(large))
                del self.found[begin:]
        self.large.clear()
        self.found[:] = [thing for thing in self.found if id(thing) not in barren]

    def _go_into(self, things: list[Any]) -> None:
        level = self._take(things)
        while level:
            following: list[Any] = []
            for index in range(0, len(level), NEAR_CHUNK):
                following += self._take(self._referents(level[index:index + NEAR_CHUNK]))
            level = following

    def _referents(self, things: list[Any]) -> list[Any]:
        """What these objects refer to; that of large ones is put off."""
        children = gc.get_referents(*things)
        if len(children) <= LARGE:
            return children
        children = []
        for thing in things:
            own = gc.get_referents(thing)
            if len(own) > LARGE:
                self.large.append((thing, own))
            else:
                children += own
        return children

    def _take(self, things: list[Any]) -> list[Any]:
        """Takes those that are new, and returns what to go into."""
        seen, tracked, following = self.seen, gc.is_tracked, []
        for index in range(0, len(things), NEAR_CHUNK):
            if self.most <= 0:
                break
            for thing in filter(tracked, things[index:index + NEAR_CHUNK]):
                if id(thing) not in seen:
                    seen.add(id(thing))
                    if self._is_near(thing):
                        self.found.append(thing)
                        self.most -= 1
                        following.append([thing, thing.__dict__] if type(thing) is threading.local else thing)
        return following

    def _is_near(self, thing: Any) -> bool:
        kind = self.state.kind(type(thing))
        return kind != MODULE and (kind != CLASS or module_name(thing) in self.own_names) and id(thing) not in self.libraries
