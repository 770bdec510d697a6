"""Decides when outputs are written: exit, oom, growth, interval:SECONDS, step:N, signal; and writes them.

What shows while memory grows is written at once, and again as it grows on: a job may be killed, or end so that nothing of Python runs any more. So that
is the same for all ends, and no handler of a signal is needed.
"""
from __future__ import annotations

import gc
import os
import sys
import time
from typing import Optional

from .allocator import allocations, held_by_job
from .counters import counters
from .dumping import dump, dump_near, dump_within
from .errors import complain, entry
from .files import outputs, remove_file
from .forecast import Forecast
from .frames import is_loading, is_main_thread
from .growth import BATCHES, DUMP_OBJECT, STEPS, Loops
from .heap import count_objects
from .history import history, snapshot
from .pause import Later
from .process import is_inherited, process
from .shortage import Shortage

SHORTEST_INTERVAL = 1.0  # seconds
MAX_PAUSE = 500  # milliseconds, unless LEAKLINE_MAX_PAUSE says otherwise
EXIT_SHARE = 0.02  # of all allocations that may come after the dump of the exit: some last requests
LONGEST_LOADING = 1800.0  # seconds; the largest models are loaded in some minutes
PATIENCE = 2.0  # seconds in which the main thread must have made a dump; then another thread does, without the graph


class Plan:
    """What LEAKLINE_AT asks for. An empty one asks for nothing."""

    def __init__(self) -> None:
        self.whens: set[str] = set()
        self.steps: set[int] = set()
        self.interval = 0.0
        self.begin("")

    def begin(self, at: str, pause: int | None = None) -> None:
        """Time counts from now on. pause is in milliseconds; None stands for what LEAKLINE_MAX_PAUSE says."""
        self.pause, self.last = pause, time.monotonic()
        self.restart()
        for when in filter(None, at.split(",")):
            try:
                self._add_one(when.strip())
            except ValueError:
                complain(f"LEAKLINE_AT has {when!r}; expected exit, oom, growth, signal, interval:SECONDS or step:N")

    def restart(self) -> None:
        """Forgets what was written, as in a forked child."""
        self.shortage, self.asked, self.asked_at = Shortage(), "", 0.0
        self.allocated: Optional[int] = None  # how often the job had allocated by the last output of the exit
        self.loops, self.growing, self.forecast = Loops(), STEPS, Forecast()
        self.is_near = True  # whether what grows was found without a look through the whole heap
        self.objects = 0  # of the heap when they were last counted
        self.loading_since = 0.0  # in all samples that showed growth
        self.has_graph = False  # whether a dump of what grows has read the graph

    def _add_one(self, when: str) -> None:
        name, _, value = when.partition(":")
        if name == "interval":
            self.interval = max(float(value), SHORTEST_INTERVAL)
        elif name == "step":
            self.steps.add(int(value))
        self.whens.add(name)

    def is_exit_due(self) -> bool:
        """Whether an output of the exit is missing, or much was allocated since."""
        before, self.allocated = self.allocated, allocations()
        return before is None or self.allocated - before > self.allocated * EXIT_SHARE

    def is_due(self) -> bool:
        return bool(self.interval) and not self.asked and time.monotonic() - self.last >= self.interval

    def watches_growth(self) -> bool:
        return "growth" in self.whens and not self.shortage.is_end()

    def sampled(self, kind: int, held: Optional[int]) -> None:
        """Takes a sample of a loop, where it was looked at how much is held."""
        if held is None or not self.watches_growth():
            return
        growth = self.loops.growths[kind]
        if not growth.seen:
            growth.blocks = held_by_job()[1]
        if not self.loops.grows(kind, held):
            self.forecast.rest(kind, growth)
            if not (self.loops.rests(kind) and self._may_snapshot(kind)):
                return
        elif self._is_loading(kind):
            return
        self.growing = kind
        if self.loops.may(self.loops.dumps, kind) or self._may_snapshot(kind):
            self._write_grown()
        else:
            self.forecast.look(kind, growth)

    def _is_loading(self, kind: int) -> bool:
        """Whether it is a model that grows, as it is loaded: none is trained meanwhile, nor does that go on for ever."""
        if kind in (STEPS, BATCHES) or not is_loading():
            self.loading_since = 0.0
            return False
        now = time.monotonic()
        self.loading_since = self.loading_since or now
        return now - self.loading_since < LONGEST_LOADING

    def _write_grown(self) -> None:
        """Writes what grows, or has the main thread write it."""
        is_late = self.asked == "growth" and time.monotonic() - self.asked_at > PATIENCE
        if is_late:
            self.asked = ""
        if is_main_thread() or is_late:
            write("growth")
        else:
            self.forecast.see(self.growing, self.loops.growths[self.growing])  # to be told when there is a dump that says who holds it
            self.soon("growth")

    def soon(self, reason: str) -> None:
        """Asks for an output as soon as the collector is done."""
        if not self.asked:
            self.asked, self.asked_at = reason, time.monotonic()
            Later(self._write_asked)

    def _write_asked(self) -> None:
        reason, self.asked = self.asked, ""
        if reason:
            write(reason)

    def stepped(self) -> None:
        """A step has ended."""
        self.loops.turns(STEPS)
        if counters.steps in self.steps:
            write("request")
        elif self.is_due() and is_main_thread():
            write("interval")
        else:
            self.sampled(STEPS, counters.held)

    def collected(self) -> None:
        """A collection has ended."""
        if self.is_due():
            self.soon("interval")

    def write_growth(self) -> None:
        """Writes a dump and a snapshot of what grows, or the one of the two that there is time for.

        The dump before is kept: what of both grew is the leak. The snapshot has the lines, and is taken more often, since it takes less.
        """
        loops, kind = self.loops, self.growing
        seen, begin, stopped = loops.growths[kind].seen, time.thread_time(), time.monotonic()
        if loops.may(loops.dumps, kind):
            path = outputs.path("growth.holders")
            if os.path.exists(path):
                os.replace(path, outputs.path("growth-before.holders"))
            self._dump_soon(path, "growth", held_by_job()[1] - loops.growths[kind].blocks)
            self.has_graph |= is_main_thread()
            loops.dumps.took(kind, seen, time.thread_time() - begin)
        begin = time.thread_time()
        if self._may_snapshot(kind):
            snapshot(outputs.path("growth.pickle"), self.max_pause())
            loops.snapshots.took(kind, seen, time.thread_time() - begin)
            loops.records(kind)
        loops.pauses(time.monotonic() - stopped)
        self.forecast.look(kind, loops.growths[kind])

    def _may_snapshot(self, kind: int) -> bool:
        """Whether there is time for a snapshot."""
        self.loops.snapshots.needs = history.seconds(self.max_pause())
        return self.loops.may(self.loops.snapshots, kind)

    def _dump_soon(self, path: str, reason: str, blocks: int) -> None:
        """Dumps what so many blocks are: near running calls and the job's own modules, else all of the heap, if there is time for that.

        When memory has run out there is: most jobs end by that, and who holds it is worth more than the pause.
        """
        pause, is_last = self.max_pause(), reason == "oom"
        if pause and (self.is_near or not is_last and self.takes_longer(pause)):
            self.is_near = dump_within(path, reason, pause, blocks, True)
            if self.is_near:
                return
        if is_last or not pause:
            dump(path, reason)
        elif not self.takes_longer(pause):
            dump_within(path, reason, pause, blocks, False)

    def _dump_last(self) -> None:
        """Dumps what is there at the exit: what is near, where that is all, in the time that a pause may take; else all of the heap, however long that takes."""
        path, pause = outputs.path("holders"), self.max_pause()
        if not (pause and held_by_job()[1] and dump_near(path, "exit", pause)):
            dump(path, "exit")

    def takes_longer(self, pause: float) -> bool:
        """Whether to look through the whole heap takes longer. A heap that is large stays so."""
        self.objects = self.objects if self.objects * DUMP_OBJECT > pause else count_objects(pause / DUMP_OBJECT)
        return self.objects * DUMP_OBJECT > pause

    def max_pause(self) -> float:
        """Seconds that a dump or a snapshot of what grows may take; 0 where it may take as long as it needs."""
        text = os.environ.get("LEAKLINE_MAX_PAUSE", "")
        return (self.pause if self.pause is not None else int(text) if text.isdigit() else MAX_PAUSE) / 1e3

    def write_all(self, reason: str) -> None:
        self.last = time.monotonic()
        if reason == "exit":
            self._dump_last()
        elif reason != "oom":
            dump(outputs.path("holders"), reason)
        elif is_main_thread() or not self.has_graph:  # in a backward pass, who holds the graph cannot be seen: a dump before it tells
            self._dump_soon(outputs.path("holders"), reason, held_by_job()[1])
        grown = outputs.path("growth.pickle")
        if snapshot(outputs.path("pickle"), may_shorten=reason != "exit" or not os.path.exists(grown)) is not None:  # the newest events of an end are frees
            remove_file(grown)
        if reason == "oom":
            self.shortage.wrote(self.last)
        counters.flush()


plan = Plan()


@entry
def write(reason: str = "request") -> None:
    """Writes the holder dump and the memory snapshot of this process. Nothing is collected between the two. Never raises."""
    was_collecting = gc.isenabled()
    try:
        gc.disable()
        if process.is_dumping or not outputs.is_armed or "torch" not in sys.modules or (reason == "exit" and plan.shortage.is_end()):
            return
        if reason == "exit" and is_inherited():
            return  # a loader's worker, which has nothing but what it was forked with
        if reason == "growth":
            plan.write_growth()
        else:
            plan.write_all(reason)
    finally:
        if was_collecting:
            gc.enable()


@entry
def step() -> None:
    """Marks the end of a step; steps are no longer found from optimizers."""
    counters.is_explicit = True
    counters.advance()
    if outputs.is_armed:
        plan.stepped()
