"""Counts steps, epochs and phases, and writes them down with the allocator's counters of that moment.

The file is NAME-PID.counters.jsonl, one JSON object a line, which `leakline report` reads. All have "time_us", and "phase" within a phase. A step
has a row for each device, with figures named as in torch.cuda.memory_stats(); most others have "devices": rows of device, allocated, reserved, the
most allocated, the most reserved.
    {"step": 7, "device": 0, ...}          the seventh step has ended
    {"begins": "validate"}, {"ends": ...}  a phase
    {"epoch": 2, "loader": 0}              the first DataLoader of the job begins to be iterated for the second time
    {"gc": 2, "freed": ...}                a collection gave back device memory, see collector.py
    {"function_name": "train", ...}        a call that was profiled, see functions.py
    {"cut": true}                          no more rows than these were written
"""
from __future__ import annotations

import json
import time
import weakref
from typing import Any

from .allocator import peaks
from .errors import entry
from .files import append_to, outputs
from .texts import KEY_CHARACTERS

COUNTER_BYTES = 8 << 20  # of rows; those about functions are written once more at the exit, also above this
STEP_ROWS, OTHER_ROWS = 4096, 512  # then every second is written, then every fourth ...: a million steps are 4 MB
FREE_LOOKS, LOOK_SHARE = 64, 0.005  # steps that are all looked at: twice what growth shows in; then as many as take this share of the time: 50 us, every 10 ms
LOADERS = 64  # whose epochs are counted
FLUSH_SECONDS = 1.0  # a kill -9 loses as much
FIGURES = "device", "allocated_bytes.all.current", "reserved_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.peak"


class Thin:
    """Lets all through at first, from the given number on every second, then every fourth ..."""

    def __init__(self, rows: int) -> None:
        self.rows, self.seen, self.let, self.every = rows, 0, 0, 1

    def lets(self) -> bool:
        self.seen += 1
        if self.seen % self.every:
            return False
        self.let += 1
        if self.let % self.rows == 0:
            self.every *= 2
        return True


class Counters:
    """What has happened so far in this process. Rows are kept, and written once a second."""

    def __init__(self, steps: int | None = None) -> None:
        self.restart(steps)

    def restart(self, steps: int | None) -> None:
        """Begins with nothing but a number of steps, as in a forked child."""
        self.steps, self.is_explicit = steps, False
        self.begun: set[int] = set()
        self.stepped: dict[int, tuple[weakref.ref[Any], Any]] = {}  # optimizers of this step, each with the first of its parameters
        self.phases: list[str] = []
        self.loaders: list[tuple[Any, list[int]]] = []
        self.held: int | None = None  # what was allocated when the last step ended, where that was looked at
        self.looks, self.next_look, self.look_begin = 0, 0.0, 0.0
        self.records: list[dict[str, Any]] = []
        self.written, self.flushed, self.is_full, self.is_broken = 0, 0.0, False, False
        self.thin_steps, self.thin_phases, self.thin_epochs = Thin(STEP_ROWS), Thin(OTHER_ROWS), Thin(OTHER_ROWS)

    def optimizer_begins(self, optimizer: Any) -> None:
        self.begun.add(id(optimizer))

    def optimizer_ends(self, optimizer: Any) -> bool:
        """True where a step of the job has ended: when an optimizer steps that already stepped in it, or one that took the place of such.

        Whoever steps the same parameters, or after another one is gone, took its place. A step() that calls its base's step() ends twice, and is one.
        """
        if self.is_explicit or id(optimizer) not in self.begun:
            return False
        self.begun.discard(id(optimizer))
        mine = weakref.ref(optimizer), next((id(parameter) for group in optimizer.param_groups for parameter in group["params"]), None)
        if self.stepped and id(optimizer) not in self.stepped and all(other() is not None and first != mine[1] for other, first in self.stepped.values()):
            self.stepped[id(optimizer)] = mine
            return False
        self.stepped = {id(optimizer): mine}
        self.advance()
        return True

    def advance(self) -> None:
        """A step has ended."""
        self.steps = (self.steps or 0) + 1
        self.held = None
        if outputs.is_armed and self.may_look() and self.thin_steps.lets():
            rows = peaks.of_the_job()
            self.held = sum([row[1] for row in rows])
            for figures in rows or [[]]:
                self.write(dict({"step": self.steps}, **dict(zip(FIGURES, figures))))
            self.looked()

    def may_look(self) -> bool:
        """Whether there is time to look at the allocator's counters. Whoever does says so with looked()."""
        if self.looks >= FREE_LOOKS and time.perf_counter() < self.next_look:
            return False
        self.look_begin = time.thread_time()
        return True

    def looked(self) -> None:
        self.looks, self.next_look = self.looks + 1, time.perf_counter() + (time.thread_time() - self.look_begin) / LOOK_SHARE

    def epoch(self, loader: Any) -> None:
        """A DataLoader begins to be iterated."""
        number = self._number_of(loader)
        if number is None:
            return
        epochs = self.loaders[number][1]
        epochs[0] += 1
        if self.thin_epochs.lets():
            self.row({"epoch": epochs[0], "loader": number})

    def _number_of(self, loader: Any) -> int | None:
        for number, (known, _) in enumerate(self.loaders):
            if known() is loader:
                return number
        if len(self.loaders) == LOADERS:
            return None
        self.loaders.append((weakref.ref(loader), [0]))
        return len(self.loaders) - 1

    def row(self, record: dict[str, Any]) -> None:
        """Writes a row with the figures of all devices."""
        if not outputs.is_armed:
            return
        figures = peaks.of_the_job()
        if figures:
            record["devices"] = figures
        self.write(record)

    def write(self, record: dict[str, Any]) -> None:
        if self.is_full or not outputs.is_armed:
            return
        record["time_us"] = int(time.time() * 1e6)
        if self.phases:
            record["phase"] = self.phases[-1]
        self.records.append(record)  # spelled later and many at once: between the steps of a job, all that spelling needs has left the caches
        now = time.monotonic()
        if now - self.flushed > FLUSH_SECONDS:
            self.flushed = now
            self.flush()

    def flush(self) -> None:
        records, self.records = self.records, []
        content = _lines(records)
        self.written += len(content)
        if self.written > COUNTER_BYTES and not self.is_full:
            self.is_full, content = True, b'{"cut": true}\n'
        self._append(content)

    def _append(self, content: bytes) -> None:
        """After a write that failed, which may have cut a line, there are no more."""
        if not content or not outputs.is_armed or self.is_broken:
            return
        path = outputs.path("counters.jsonl")
        try:
            append_to(path, content)
        except OSError as error:
            self.is_full = self.is_broken = outputs.give_way(path, error) is None

    def end(self, last: list[dict[str, Any]]) -> None:
        """Writes what is left, and the last rows, also where there are too many others."""
        self.flush()
        self._append(_lines(last))


def _lines(records: list[dict[str, Any]]) -> bytes:
    return "".join([json.dumps(record) + "\n" for record in records]).encode("utf-8", "replace")


counters = Counters()


class phase:
    """with leakline_probe.phase("validate"): ...   Marks where a phase begins and ends."""

    def __init__(self, name: object) -> None:
        self.name, self.is_written = str(name)[:KEY_CHARACTERS], False

    def __enter__(self) -> None:
        self._begin()

    def __exit__(self, *_: object) -> None:
        self._end()

    @entry
    def _begin(self) -> None:
        counters.phases.append(self.name)
        self.is_written = counters.thin_phases.lets()
        if self.is_written:
            counters.row({"begins": self.name})

    @entry
    def _end(self) -> None:
        if self.is_written:
            counters.row({"ends": self.name})
        if self.name in counters.phases:
            counters.phases.remove(self.name)
