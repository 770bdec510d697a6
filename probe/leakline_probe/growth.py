"""Notices that what the job keeps grows, and makes dumps while it is there: at the exit, all that functions kept is gone.

A sample is what is allocated when a step ends; where none does, when a DataLoader is asked for a batch; in a job without either, after a
collection. The least of a few samples is the floor, on which stands what each step needs for itself. It grows where most floors are above the one
before, and the last is the highest. Floors are joined by two and by four as well, and double while the job runs: what comes in every step is seen
soon, and what comes once in a hundred is seen too. Only jobs that grow pay.
"""
from __future__ import annotations

import gc
import operator
import os
import time

from .dumping import dump
from .files import outputs

WINDOW, FLOORS, RISES = 4, 8, 6  # samples that have a floor; floors that are compared; how many must be above the one before. At random: once in 160
KEPT_FLOORS = 8 * FLOORS  # until two are joined to one
JOINED = 1, 2, 4  # floors that are looked at as one
DUMP_CREDIT, DUMP_SHARE = 2.0, 0.05  # seconds that dumps of what grows may take: at first, and then of each second since the last; history takes more
DUMP_SPACE = 1.5  # as many samples more until the next one at first
DUMP_OBJECT = 1e-6  # seconds that a dump takes for each object of the heap, as long as none has been made


class Growth:
    """The samples of one loop, and the dumps that were made of it."""

    def __init__(self) -> None:
        self.floors: list[int] = []
        self.samples: list[int] = []
        self.window, self.seen = WINDOW, 0
        self.last, self.next_dump, self.spent = time.monotonic(), 0.0, 0.0
        self.needs: float | None = None  # seconds that a dump takes

    def shows(self, held: int) -> bool:
        """Takes a sample; whether growth shows, and a dump would not take too long."""
        self.samples.append(held)
        self.seen += 1
        if len(self.samples) < self.window:
            return False
        self.floors.append(min(self.samples))
        self.samples.clear()
        if len(self.floors) == KEPT_FLOORS:
            self.floors, self.window = self.joined(2), 2 * self.window
        return any(map(self.rises, JOINED)) and self.can_pay()

    def joined(self, windows: int) -> list[int]:
        """The floors of so many windows as one; the last ones, where they do not come out even."""
        first = len(self.floors) % windows
        return [min(self.floors[start:start + windows]) for start in range(first, len(self.floors), windows)]

    def rises(self, windows: int) -> bool:
        floors = self.joined(windows)[-FLOORS:]
        return len(floors) == FLOORS and sum(map(operator.lt, floors, floors[1:])) >= RISES and floors[-1] > max(floors[:-1])

    def can_pay(self) -> bool:
        if self.needs is None:
            self.needs = len(gc.get_objects()) * DUMP_OBJECT
        is_early = self.seen >= self.next_dump and self.spent + self.needs <= DUMP_CREDIT
        return is_early or self.needs <= DUMP_SHARE * (time.monotonic() - self.last)

    def write(self) -> None:
        """Writes a dump, and keeps the one before: what of both grew is the leak."""
        begin, path = time.perf_counter(), outputs.path("growth.holders")
        if os.path.exists(path):
            os.replace(path, outputs.path("growth-before.holders"))
        dump(path, "growth")
        self.needs = time.perf_counter() - begin
        self.last, self.next_dump, self.spent = time.monotonic(), self.seen * DUMP_SPACE, self.spent + self.needs
