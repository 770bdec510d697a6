"""Decides when outputs are written: exit, oom, growth, interval:SECONDS, step:N, signal; and writes them."""
from __future__ import annotations

import gc
import sys
import time
from typing import Optional

from .counters import counters
from .dumping import dump
from .errors import complain, entry
from .files import outputs
from .frames import is_main_thread
from .growth import Growth
from .history import snapshot
from .pause import Later
from .process import process

SHORTEST_INTERVAL = 1.0  # seconds


class Plan:
    """What LEAKLINE_AT asks for. An empty one asks for nothing."""

    def __init__(self) -> None:
        self.whens: set[str] = set()
        self.steps: set[int] = set()
        self.interval, self.has_loop = 0.0, False
        self.begin("")

    def begin(self, at: str) -> None:
        """Time counts from now on."""
        self.last = time.monotonic()
        self.restart()
        for when in filter(None, at.split(",")):
            try:
                self._add_one(when.strip())
            except ValueError:
                complain(f"LEAKLINE_AT has {when!r}; expected exit, oom, growth, signal, interval:SECONDS or step:N")

    def restart(self) -> None:
        """Forgets what was written, as in a forked child."""
        self.is_oom_written, self.asked = False, ""
        self.growth = Growth()

    def _add_one(self, when: str) -> None:
        name, _, value = when.partition(":")
        if name == "interval":
            self.interval = max(float(value), SHORTEST_INTERVAL)
        elif name == "step":
            self.steps.add(int(value))
        self.whens.add(name)

    def is_due(self) -> bool:
        return bool(self.interval) and not self.asked and time.monotonic() - self.last >= self.interval

    def sampled(self, held: Optional[int]) -> None:
        """Takes a sample of a loop that steps, or takes batches."""
        if not self.has_loop:
            self.has_loop, self.growth = True, Growth()  # until now, samples were of collections
        if self.grows(held):
            write("growth") if is_main_thread() else self.soon("growth")

    def grows(self, held: Optional[int]) -> bool:
        return "growth" in self.whens and not self.is_oom_written and held is not None and self.growth.shows(held)

    def soon(self, reason: str) -> None:
        """Asks for an output as soon as the collector is done."""
        if not self.asked:
            self.asked = reason
            Later(self._write_asked)

    def _write_asked(self) -> None:
        reason, self.asked = self.asked, ""
        write(reason)

    def stepped(self) -> None:
        """A step has ended."""
        if counters.steps in self.steps:
            write("request")
        elif self.is_due() and is_main_thread():
            write("interval")
        else:
            self.sampled(counters.held)

    def collected(self, held: Optional[int]) -> None:
        """A collection has ended, after which so much is held, where that was looked at."""
        if self.is_due():
            self.soon("interval")
        if not self.has_loop and self.grows(held):
            self.soon("growth")


plan = Plan()


@entry
def write(reason: str = "request") -> None:
    """Writes the holder dump and the memory snapshot of this process. Nothing is collected between the two. Never raises."""
    was_collecting = gc.isenabled()
    try:
        gc.disable()
        if process.is_dumping or not outputs.is_armed or "torch" not in sys.modules or (reason == "exit" and plan.is_oom_written):
            return  # what was there when memory ran out says more than what is left at the exit
        if reason == "growth":
            plan.growth.write()
            return
        plan.last = time.monotonic()
        dump(outputs.path("holders"), reason)
        snapshot(outputs.path("pickle"))
        plan.is_oom_written |= reason == "oom"
        counters.flush()
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
