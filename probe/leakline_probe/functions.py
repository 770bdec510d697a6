"""Measures calls: what is allocated before and after, and the peak inside.

torch counts one peak for each device. Whenever a call begins, the peak so far is folded into all that are open, and then set back; when one ends,
it is folded in again. So each has the highest of all the pieces that it lived through, whichever order they end in. Between reading and setting
back, threads of C++ may allocate unseen, for some microseconds.
"""
from __future__ import annotations

import threading
import time
from typing import Any, Optional

from .allocator import Row, allocator_rows, peaks
from .classes import type_name
from .counters import Thin, counters
from .files import outputs
from .texts import cut

FUNCTIONS = 512  # names; all others are counted as one
OPEN_SCOPES = 256  # at a time; each of them is looked at whenever one opens or ends
FUNCTION_ROWS = 64  # of each function; then every second call is written, then every fourth ...
PEAK_NEWS = 1 / 64  # a call that takes so much more than all before it is written in any case
NAME_LIMIT = 200
Levels = dict[int, tuple[int, int]]  # allocated and reserved bytes, by device


class Scope:
    """A call that runs: by device, what was allocated and reserved when it began, and the peak so far."""
    __slots__ = ("name", "begin", "started", "before", "peaks")

    def __init__(self, name: str) -> None:
        self.name, self.begin, self.started = name, 0.0, time.time()
        self.before: Levels = {}
        self.peaks: dict[int, int] = {}

    def call(self, seconds: float, after: Levels, error: Optional[type]) -> dict[str, Any]:
        """This call, named as in gpumemprof's profiles, on the device where it took most."""
        taken = {device: peak - self.before.get(device, (0, 0))[0] for device, peak in self.peaks.items()}
        device = max(taken, key=taken.__getitem__, default=0)
        first, last, peak = self.before.get(device, (0, 0)), after.get(device, (0, 0)), self.peaks.get(device, 0)
        moments = (self.started, first), (self.started + seconds, last), (self.started + seconds, (peak, last[1]))
        found: dict[str, Any] = {"execution_time": round(seconds, 6), "memory_allocated": max(last[0] - first[0], 0),
                                 "memory_freed": max(first[0] - last[0], 0)}
        for name, (moment, (allocated, reserved)) in zip(("memory_before", "memory_after", "memory_peak"), moments):
            found[name] = {"timestamp": round(moment, 6), "allocated_memory": allocated, "reserved_memory": reserved, "device_id": device}
        found["memory_peak"]["max_memory_allocated"] = peak
        return dict(found, error=type_name(error)) if error is not None else found


class Calls:
    """All calls of one name. A row is one of them, named as in gpumemprof's profiles, and all of them so far.

    {"function_name": "train", "calls": so far, "raised": of them, "seconds": all, "longest": one,
     "most": [[device, the highest peak, the most above what was allocated before, bytes that stayed, of all calls]],
     "execution_time": seconds of this call, "memory_before": {...}, "memory_after": {...}, "memory_peak": {...} where it took most, ...}
    """

    def __init__(self, name: str) -> None:
        self.name, self.calls, self.raised, self.seconds, self.longest = name, 0, 0, 0.0, 0.0
        self.most: dict[int, list[int]] = {}
        self.thin, self.shown, self.is_written = Thin(FUNCTION_ROWS), 0.0, True

    def add(self, scope: Scope, seconds: float, after: Levels, error: Optional[type]) -> dict[str, Any] | None:
        """Adds a call; returns the row that says so, or None where it says nothing new."""
        self.calls, self.raised = self.calls + 1, self.raised + (error is not None)
        self.seconds, self.longest = self.seconds + seconds, max(self.longest, seconds)
        self._add_peaks(scope, after)
        peak = max([most[0] for most in self.most.values()], default=0)
        self.is_written = self.thin.lets() or peak > self.shown * (1 + PEAK_NEWS)
        if not self.is_written:
            return None
        self.shown = peak
        return dict(self.row(), **scope.call(seconds, after, error))

    def _add_peaks(self, scope: Scope, after: Levels) -> None:
        for device, peak in scope.peaks.items():
            before = scope.before.get(device, (0, 0))[0]
            most = self.most.setdefault(device, [0, 0, 0])
            most[:] = max(most[0], peak), max(most[1], peak - before), most[2] + after.get(device, (0, 0))[0] - before

    def row(self) -> dict[str, Any]:
        return {"function_name": self.name, "calls": self.calls, "raised": self.raised, "seconds": round(self.seconds, 6),
                "longest": round(self.longest, 6), "most": [[device] + most for device, most in sorted(self.most.items())]}


class Functions:
    """The scopes that are open, and what was measured of those that have ended."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.lock = threading.RLock()
        self.open: list[Scope] = []
        self.known: dict[str, Calls] = {}

    def enter(self, name: str) -> Scope | None:
        """A new scope; None where there are too many, or the probe is not armed."""
        if not outputs.is_armed or len(self.open) >= OPEN_SCOPES:
            return None
        scope = Scope(name)
        with self.lock:
            for device, allocated, reserved, *reached in self._fold():
                peaks.set_back(device, reached)
                scope.before[device], scope.peaks[device] = (allocated, reserved), allocated
            self.open.append(scope)
        scope.begin = time.perf_counter()
        return scope

    def leave(self, scope: Scope, error: Optional[type]) -> None:
        seconds = time.perf_counter() - scope.begin
        with self.lock:
            after = {device: (allocated, reserved) for device, allocated, reserved, *_ in self._fold()}
            self.open.remove(scope)
            name = scope.name if scope.name in self.known or len(self.known) < FUNCTIONS else "(others)"
            row = self.known.setdefault(name, Calls(cut(name, NAME_LIMIT))).add(scope, seconds, after, error)
        if row is not None:
            counters.write(row)

    def _fold(self) -> list[Row]:
        """Adds the peaks so far to all open scopes; returns the allocator's rows."""
        rows = allocator_rows()
        for device, _, _, peak, _ in rows:
            for scope in self.open:
                scope.peaks[device] = max(scope.peaks.get(device, 0), peak)
        return rows

    def unwritten(self) -> list[dict[str, Any]]:
        """A row for each function whose last calls were not written."""
        return [calls.row() for calls in list(self.known.values()) if not calls.is_written]


functions = Functions()
