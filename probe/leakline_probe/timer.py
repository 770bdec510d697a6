"""Looks at the host's memory, and at the allocator's counters for loops in which nothing else shows a step, now and then, in a thread of its own.

The first looks come soon one after the other, later ones ever more seldom: a hundred until the job is ten times as old. Where a loop that shows steps is
over, as when an evaluation follows on training, what comes then is as young as a job that begins. The thread waits without the interpreter's lock, takes
it for some 0.2 ms a look, and is nobody's: Python ends without waiting for it, and a forked child has none until it uses a device.
"""
from __future__ import annotations

import _thread
import os
import time

from .allocator import held_by_job
from .errors import entry
from .files import outputs
from .growth import TIME
from .host import host
from .plan import plan

SHORTEST_LOOK, LOOKS_OF_AGE = 0.02, 40  # seconds; looks until the thread is 2.7 times as old


class Timer:
    """The thread of this process."""
    pid: int | None = None  # of the process that has one


def watch_time() -> None:
    """Begins to look, once in a process."""
    if Timer.pid == os.getpid() or not outputs.is_armed or "timer" in os.environ.get("LEAKLINE_WITHOUT", "").split(","):
        return
    Timer.pid = os.getpid()
    _thread.start_new_thread(_look_on, ())


def _look_on() -> None:
    looks, lock = Looks(time.monotonic()), _thread.allocate_lock()
    lock.acquire()
    while outputs.is_armed and plan.watches_growth():
        lock.acquire(True, looks.pause(time.monotonic()))
        looks.look(time.monotonic())


class Looks:
    """When to look again."""

    def __init__(self, now: float) -> None:
        self.begin, self.since = now, now  # of all looks; of those at what goes on now
        self.next_of_host = now
        self.is_alone = True  # whether nothing shows a step

    def pause(self, now: float) -> float:
        """Seconds until the next look."""
        return _pause(now - self.since)

    @entry
    def look(self, now: float) -> None:
        """Looks at the host's memory in the job's own time, at the allocator's counters where nothing shows a step."""
        if now >= self.next_of_host:
            self.next_of_host = now + _pause(now - self.begin)
            host.look()
        was_alone, self.is_alone = self.is_alone, not plan.loops.is_alive(TIME, now)
        if self.is_alone and not was_alone:
            self.since = now
            plan.loops.begin_time()
        elif not self.is_alone:
            self.since = self.begin
        if self.is_alone:
            plan.sampled(TIME, held_by_job()[0])


def _pause(age: float) -> float:
    return max(SHORTEST_LOOK, age / LOOKS_OF_AGE)
