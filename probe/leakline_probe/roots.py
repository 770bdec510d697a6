"""Finds where chains of references end: modules, classes, running calls. Names what belongs to threads and contexts on the way.

Since Python 3.11 the collector does not show the locals of a call that runs, so they are read from the frames.
"""
from __future__ import annotations

import contextvars
import sys
import threading
import types
from typing import Any

from .classes import module_dict
from .frames import is_ours, locals_of
from .kinds import Imported, own_value
from .state import State
from .texts import where_is
from .words import CLASS, INTERNAL, LOCAL, MODULE


class Roots:
    """The roots of one look."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.modules: set[int] = set()  # ids of the dicts of modules
        self.running: dict[int, int] = {}  # places of running frames, by id
        self.frame_texts: dict[int, str] = {}  # by place
        self.shared_locals: list[tuple[int, str, int]] = []  # variables that a call shares with a closure: place of the frame, name, id of the value
        self.context_names: dict[int, str] = {}  # of context variables, by the id of the value

    def is_root(self, thing: Any) -> bool:
        return self.state.kind(type(thing)) in (CLASS, MODULE) or id(thing) in self.modules or id(thing) in self.running

    def find_modules(self, modules: list[Any], imported: Imported) -> None:
        """Takes note of the dicts of these modules and of those that are imported."""
        self.modules = set(map(id, map(module_dict, modules)))
        self.modules.update([id(names) for _, names in imported])
        self.modules.discard(id(None))  # of one that was never initialised

    def name_of_module(self, thing: Any) -> str:
        """The name of the module whose dict this is."""
        name = dict.get(thing, "__name__") if id(thing) in self.modules else "module"
        return name if type(name) is str else "?"

    def find_frames(self) -> None:
        """Takes the frames of all threads, deepest first, but for the probe's own."""
        current = sys._current_frames()
        for ident in list(current):
            self.state.remarks.threads += self._add_frames(ident, current.pop(ident))  # in a variable here, our own frame would refer to itself

    def _add_frames(self, ident: int, frame: types.FrameType | None) -> bool:
        """Takes a frame and those that called it; leaves none in a variable. Says whether the thread is one of the job's."""
        is_deepest = True
        while frame is not None:
            if not is_ours(frame.f_code):
                place = self._add_frame(frame, ident)
                if is_deepest:
                    self._add_handled(ident, place)
                is_deepest = False
            frame = frame.f_back
        return not is_deepest

    def _add_frame(self, frame: types.FrameType, ident: int) -> int:
        place = self.state.take(frame)
        self.state.roots.add(place)
        self.running[id(frame)] = place
        self.frame_texts[place] = where_is(frame.f_code, frame.f_lineno) + _thread_text(ident)
        shared = frame.f_code.co_cellvars + frame.f_code.co_freevars
        for name, value in locals_of(frame):
            if name in shared:
                self.shared_locals.append((place, name, id(value)))
            self.state.lead(place, value, name, LOCAL)
        return place

    def _add_handled(self, ident: int, place: int) -> None:
        """The exception that a thread handles. Python 3.9 and 3.10 do not say."""
        current = getattr(sys, "_current_exceptions", None)
        error = current().get(ident) if current else None
        error = error[1] if type(error) is tuple else error
        if error is not None:
            self.state.lead(place, error, "the exception being handled", LOCAL)

    def find_thread_locals(self, thread_locals: list[Any]) -> None:
        """The values that this thread keeps in threading.local()."""
        for thing in thread_locals:
            names = thing.__dict__  # of this exact type: runs nothing of the job
            self.state.lead(self.state.take(thing), names, "__dict__", INTERNAL)
            self.state.attribute_dicts.add(id(names))

    def find_context(self) -> None:
        """The values of the current context's variables."""
        for variable, value in contextvars.copy_context().items():
            if type(variable.name) is str:
                self.context_names[id(value)] = variable.name


def _thread_text(ident: int) -> str:
    return "" if ident == threading.main_thread().ident else f" in thread {_thread_name(ident)}"


def _thread_name(ident: int) -> str:
    thread = threading._active.get(ident)  # type: ignore[attr-defined]
    name = own_value(thread, "_name")
    return name if type(name) is str else str(ident)
