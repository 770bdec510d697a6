"""Looks at the host's memory, and at the allocator's counters for loops in which nothing else shows a step, now and then, in a thread of its own.

The first looks come soon one after the other, later ones ever more seldom: a hundred until the job is ten times as old. A job that is over before that shows
growth is dumped as soon as it holds twice as much as before, so that somebody knows who held it. When another loop has ended, such as
a training before its evaluation, they begin anew, as far apart as its turns were. The thread waits without the interpreter's lock, takes it for some 0.2 ms
a look, and is nobody's: Python ends without waiting for it, and a forked child has none until it uses a device.
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
from .looks import looks
from .plan import plan
from .youth import Youth

FIRST_LOOK, SHORTEST_LOOK, LOOKS_OF_AGE = 0.005, 0.02, 40  # seconds; the same once the thread is 60 ms old; looks until it is 2.7 times as old
LONGEST_WAIT = 10.0  # seconds, while another loop goes on, whose end must not be missed


class Timer:
    """The thread of this process."""
    pid: int | None = None  # of the process that has one


def watch_time() -> None:
    """Begins to look, once in a process; at the host's memory as well, where it was forked, since one that uses a device is no mere worker."""
    looks.begin()
    if Timer.pid == os.getpid() or not outputs.is_armed or "timer" in os.environ.get("LEAKLINE_WITHOUT", "").split(","):
        return
    Timer.pid = os.getpid()
    _thread.start_new_thread(_look_on, ())


def _look_on() -> None:
    began = begin = looked = time.monotonic()
    lock, is_other, youth = _thread.allocate_lock(), False, Youth()
    lock.acquire()
    while outputs.is_armed and plan.watches_growth():
        wait = _gap(time.monotonic() - begin)
        lock.acquire(True, min(wait, LONGEST_WAIT) if is_other else wait)
        now = time.monotonic()
        if now - looked >= _gap(now - began):
            host.look()
            looked = now
        was_other, is_other = is_other, _look(youth)
        if was_other and not is_other:
            begin = max(begin, now - plan.loops.usual_gap() * LOOKS_OF_AGE)


def _gap(age: float) -> float:
    """Seconds until the next look, so long after the first."""
    return max(min(FIRST_LOOK + age / 4, SHORTEST_LOOK), age / LOOKS_OF_AGE)


@entry
def _look(youth: Youth) -> bool:
    """Looks at what is held, unless another loop goes on; returns whether one does."""
    is_other = plan.loops.is_alive(TIME, time.monotonic())
    if not is_other:
        held, blocks = held_by_job()
        plan.sampled(TIME, held)
        youth.look(held, blocks)
    return is_other
