"""Switches torch's memory history on, and writes torch's memory snapshot."""
from __future__ import annotations

import _thread
import importlib
import os
import pickle
import sys
import types
from typing import Any

from .allocator import raw_counters
from .errors import entry
from .files import write_file

EVENT_SECONDS = 7e-6  # that a snapshot takes for each event of the history and each block, until one has been timed
FEW_EVENTS = 1000  # whose time says little of what many take


class History:
    """What torch records, and what it takes to write that down."""

    def __init__(self) -> None:
        self.entries = 0  # at most; 0 where we had it record nothing
        self.each = EVENT_SECONDS

    def rows(self) -> int:
        """Events and blocks of a snapshot, about: an allocation is an event, and a free two."""
        blocks: list[dict[str, int]] = [stats["allocation"]["all"] for _, stats in raw_counters()]
        return FEW_EVENTS + sum([min(self.entries, of["allocated"] + 2 * of["freed"]) + of["current"] for of in blocks])

    def seconds(self) -> float:
        """How long a snapshot will take."""
        return self.each * self.rows()

    def took(self, seconds: float) -> float:
        """Notes how long one took."""
        self.each = seconds / self.rows()
        return seconds


history = History()


def record_history(torch: Any, entries: int, stacks: str) -> None:
    """Has torch record allocations with their stacks. torch 1.13 takes a switch, 2.0 a switch and sizes, later ones words."""
    if entries <= 0:
        return
    history.entries = entries
    memory = torch.cuda.memory
    record = memory._record_memory_history
    names = record.__code__.co_varnames
    if hasattr(memory, "_record_memory_history_impl"):
        record("all", stacks=stacks, max_entries=entries)
    elif "trace_alloc_max_entries" in names:
        record(True, trace_alloc_max_entries=entries, trace_alloc_record_context=True)
    elif "max_entries" in names:
        record("all", stacks=stacks, max_entries=entries)
    else:
        record(True)


@entry
def snapshot(path: str | os.PathLike[str]) -> str | None:
    """Writes torch.cuda.memory._snapshot() as _dump_snapshot does; returns the path, or None where there is none."""
    torch = sys.modules["torch"]
    if not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork():
        return None
    absent = _Absent(torch)
    absent.stands_in()
    try:
        content = pickle.dumps(torch.cuda.memory._snapshot())
    finally:
        absent.goes()
    return write_file(path, content)


class _Absent(types.ModuleType):
    """Stands for torch's compiler while a snapshot asks torch whether that is there, which would import it: for more than a second, in which the job waits.

    Code that it has compiled has lines of its own in a snapshot; where it was not imported, there is none. Other threads that ask get what they would have got.
    """
    NAME = "_inductor"

    def __init__(self, torch: Any) -> None:
        super().__init__("torch." + self.NAME)
        self._names, self._thread = vars(torch), _thread.get_ident()

    def stands_in(self) -> None:
        self._names.setdefault(self.NAME, self)

    def goes(self) -> None:
        if self._names.get(self.NAME) is self:
            del self._names[self.NAME]

    def __getattr__(self, name: str) -> Any:
        if _thread.get_ident() == self._thread:
            raise AttributeError(name)
        return getattr(importlib.import_module(self.__name__), name)
