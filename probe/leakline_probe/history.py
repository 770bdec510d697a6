"""Switches torch's memory history on, and writes torch's memory snapshot."""
from __future__ import annotations

import _thread
import importlib
import math
import os
import pickle
import sys
import time
import types
from typing import Any, Optional

from .allocator import raw_counters
from .errors import entry
from .files import outputs, write_file

READ_SECONDS, PICKLE_SECONDS = 1.5e-6, 2.5e-6  # that torch and pickle take for each event and each block of a snapshot, until they have been timed
FEW_EVENTS = 1000  # whose time says little of what many take
LEAST_EVENTS = 2000  # that are kept in any case, in some 5 ms
SHORTENED = 4  # of so many events the newest stays where there is no room for the file


class History:
    """What torch records, and what it takes to write that down."""

    def __init__(self) -> None:
        self.entries = 0  # at most; 0 where we had it record nothing
        self.read_each, self.pickle_each = READ_SECONDS, PICKLE_SECONDS
        self.room: float = math.inf  # for so many events, once there was none for a file with all

    def rows(self) -> int:
        """Events and blocks of a snapshot, about: an allocation is an event, and a free two."""
        blocks: list[dict[str, int]] = [stats["allocation"]["all"] for _, stats in raw_counters()]
        return FEW_EVENTS + sum([min(self.entries, of["allocated"] + 2 * of["freed"]) + of["current"] for of in blocks])

    def seconds(self, pause: float) -> float:
        """How long a snapshot will take that may take so long; 0 is for as long as it needs."""
        needs = (self.read_each + self.pickle_each) * self.rows()
        return min(needs, pause) if pause else needs

    def read(self, torch: Any, pause: float) -> Optional[dict[str, Any]]:
        """torch's snapshot, where reading it takes no longer than a pause may; else without its events, or None where this torch cannot leave these out."""
        memory, rows = torch.cuda.memory, self.rows()
        if pause and self.read_each * rows > pause:
            outputs.note("cut")
            can_leave_out = "include_traces" in memory.memory_snapshot.__code__.co_varnames
            return torch._C._cuda_memorySnapshot((0, 0, False)) if can_leave_out else None
        begin = time.thread_time()
        content: dict[str, Any] = memory._snapshot()
        self.read_each = (time.thread_time() - begin) / rows
        return content

    def pickle(self, content: dict[str, Any], seconds: float) -> bytes:
        """The bytes of a snapshot, without the oldest events where to pickle those would take longer; what was cut so is as though it had never been recorded."""
        events, blocks = rows_of(content)
        kept = min(max(int(min(seconds / self.pickle_each, events + blocks)) - blocks, LEAST_EVENTS), self.room)
        if kept < events:
            if kept < self.room:
                outputs.note("cut")
            keep_newest(content, int(kept), events)
        begin = time.thread_time()
        pickled = pickle.dumps(content)
        content.clear()  # which takes its time, too
        self.pickle_each = (time.thread_time() - begin) / (FEW_EVENTS + min(kept, events) + blocks)
        return pickled

    def shorten(self, pickled: bytes) -> bytes:
        """A snapshot without most of its events; later ones have no more from the beginning."""
        content: dict[str, Any] = pickle.loads(pickled)
        keep_newest(content, 1, SHORTENED)
        self.room = rows_of(content)[0]
        return pickle.dumps(content)


def rows_of(content: dict[str, Any]) -> tuple[int, int]:
    """Events and blocks of a snapshot."""
    return sum(map(len, content["device_traces"])), sum([len(segment["blocks"]) for segment in content["segments"]])


def keep_newest(content: dict[str, Any], kept: int, of: int) -> None:
    """Leaves the older events of a snapshot out: so many of so many stay."""
    for trace in content["device_traces"]:
        del trace[:len(trace) - len(trace) * kept // of]


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
def snapshot(path: str | os.PathLike[str], pause: float = 0.0, may_shorten: bool = True) -> str | None:
    """Writes torch.cuda.memory._snapshot() as _dump_snapshot does; returns the path, or None where there is none.

    One that may take so many seconds leaves out what takes longer: the oldest events, or all. Nobody can interrupt torch, so that is foreseen.
    Where there is no room for the file, older events are left out, too, if they may be.
    """
    torch = sys.modules["torch"]
    if not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork() or not may_shorten and history.room < math.inf:
        return None
    absent = _Absent(torch)
    absent.stands_in()
    begin = time.thread_time()
    try:
        content = history.read(torch, pause)
    finally:
        absent.goes()
    if content is None:
        return None
    pickled = history.pickle(content, pause - (time.thread_time() - begin) if pause else math.inf)
    return write_file(path, pickled, history.shorten if may_shorten else None)


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
