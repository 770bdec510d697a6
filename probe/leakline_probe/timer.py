"""Looks at the host's memory, and at the allocator's counters for loops in which nothing else shows a step, now and then, in a thread of its own.

The first looks come soon one after the other, later ones ever more seldom: a hundred until the job is ten times as old. The thread waits without the
interpreter's lock, takes it for some 0.2 ms a look, and is nobody's: Python ends without waiting for it, and a forked child has none until it uses a device.
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
    begin, lock = time.monotonic(), _thread.allocate_lock()
    lock.acquire()
    while outputs.is_armed and plan.watches_growth():
        lock.acquire(True, max(SHORTEST_LOOK, (time.monotonic() - begin) / LOOKS_OF_AGE))
        host.look()
        _look()


@entry
def _look() -> None:
    if not plan.loops.is_alive(TIME, time.monotonic()):
        plan.sampled(TIME, held_by_job()[0])
