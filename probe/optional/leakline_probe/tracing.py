"""Records where tensors are made while a test runs once more: the line of each storage, and what was allocated at the peak by line.

On a GPU torch's memory history says it, which sees all allocations. In host memory a dispatch mode does, which sees what torch's operators return:
memory that an operator uses inside is not counted.
"""
from __future__ import annotations

import collections
import sys
import time
import weakref
from typing import Any, Optional, Union

from leakline_probe import own_files, record_history, torch_ready

from .live import Site, is_users, site_of

own_files.add(__file__)
ENTRIES = 1_000_000  # of memory history: a test that allocates more often names only its last lines
PEAK_NEWS = 1 / 64  # a peak that is so much higher than the last is written down by line
Lines = collections.Counter[Optional[Site]]  # bytes


class GpuTrace:
    """torch's memory history of what runs inside. A history that is already on stays on."""

    def __init__(self) -> None:
        self.blocks: dict[int, Optional[Site]] = {}
        self.peak: Lines = collections.Counter()

    def __enter__(self) -> GpuTrace:
        torch = sys.modules["torch"]
        self.was_on = bool(getattr(torch._C, "_cuda_isHistoryEnabled", bool)())
        self.begin_us = time.time() * 1e6
        if not self.was_on:
            record_history(torch, ENTRIES, "python")
        return self

    def __exit__(self, *_: object) -> None:
        memory = sys.modules["torch"].cuda.memory
        snapshot = memory._snapshot()
        if not self.was_on:
            memory._record_memory_history(None if hasattr(memory, "_record_memory_history_impl") else False)
        for segment in snapshot["segments"]:
            address = segment["address"]
            for block in segment["blocks"]:
                frames = block.get("frames") or (block.get("history") or [{}])[0].get("frames") or []
                if block["state"].startswith("active"):
                    self.blocks[address] = _site_of_frames(frames)
                address += block["size"]
        for trace in snapshot.get("device_traces", ()):
            self.peak += self._peak_of([event for event in trace if event.get("time_us", self.begin_us) >= self.begin_us])

    @staticmethod
    def _peak_of(events: list[dict[str, Any]]) -> Lines:
        """What was allocated by line at the highest point since these events began."""
        live: dict[int, int] = {}
        total = highest = at = 0
        for index, event in enumerate(events):
            if event["action"] == "alloc":
                live[event["addr"]] = event["size"]
                total += event["size"]
            elif event["action"] == "free_completed":
                total -= live.pop(event["addr"], 0)
            if total > highest:
                highest, at = total, index
        held: dict[int, dict[str, Any]] = {}
        for event in events[:at + 1]:
            if event["action"] == "alloc":
                held[event["addr"]] = event
            elif event["action"] == "free_completed":
                held.pop(event["addr"], None)
        lines: Lines = collections.Counter()
        for event in held.values():
            lines[_site_of_frames(event.get("frames") or [])] += event["size"]
        return lines

    def site(self, key: int, data: int) -> Optional[Site]:
        """The line that made a storage, by its key and the address of its data."""
        return self.blocks.get(data)


def _site_of_frames(frames: list[dict[str, Any]]) -> Optional[Site]:
    for frame in frames:
        if frame["filename"].endswith(".py") and is_users(frame["filename"]):
            return Site(frame["filename"], frame["line"], frame["name"])
    return None


class HostTrace:
    """What torch's operators return while this is on, by storage."""

    def __init__(self) -> None:
        from torch.utils._python_dispatch import TorchDispatchMode  # the test has imported torch
        from torch.utils._pytree import tree_flatten
        trace = self

        class Mode(TorchDispatchMode):  # type: ignore[misc, no-untyped-call, unused-ignore]
            def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
                result = function(*arguments, **(named or {}))
                is_new = "lift_fresh" in str(function)  # what torch.tensor() has made unseen
                inputs = set() if is_new else set(map(_key_of, tree_flatten((arguments, named))[0]))
                for value in tree_flatten(result)[0]:
                    if _key_of(value) not in inputs:
                        trace.see(value)
                return result
        kind: Any = Mode
        self.mode = kind()
        sample = sys.modules["torch"].empty(1, device="cpu")
        self.sees_ends = weakref.ref(sample.untyped_storage())() is not None  # since torch 2.1 a storage has one object as long as it lives
        self.made: dict[int, tuple[int, Optional[Site]]] = {}  # bytes and line, by the key of the storage
        self.ends: dict[int, weakref.ref[Any]] = {}
        self.live = self.highest = 0
        self.peak: Lines = collections.Counter()

    def __enter__(self) -> HostTrace:
        self.mode.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.mode.__exit__(*error)
        self.ends.clear()

    def see(self, value: Any) -> None:
        """Takes what an operator returned."""
        key = _key_of(value)
        facts = torch_ready()
        if key is None or facts is None:
            return
        size = facts.storage_place(key)[2]
        if not size or self.sees_ends and key in self.made:
            return

        def ended(_: object) -> None:
            self.live -= self.made.pop(key, (0, None))[0]
        if self.sees_ends:
            self.ends[key] = weakref.ref(value.untyped_storage(), ended)
        self.made[key] = size, site_of(sys._getframe())
        self.live += size
        if self.live > self.highest * (1 + PEAK_NEWS):
            self.peak = collections.Counter()
            for size, site in list(self.made.values()):
                self.peak[site] += size
        self.highest = max(self.highest, self.live)

    def site(self, key: int, data: int) -> Optional[Site]:
        return self.made.get(key, (0, None))[1]


def _key_of(value: Any) -> Optional[int]:
    """The key of a tensor's storage, where that is one in host memory."""
    facts = torch_ready()
    if facts is None or not isinstance(value, facts.tensor) or facts.is_wrapper(type(value)) or facts.device(value).type != "cpu":
        return None
    where = facts.place(value, [])
    return where[0] if where and where[2] else None


Trace = Union[GpuTrace, HostTrace]


def trace_of(device_kind: str) -> Trace:
    return HostTrace() if device_kind == "cpu" else GpuTrace()
