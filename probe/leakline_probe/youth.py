"""Dumps what a job holds that is too young for growth to show: it may be over in a moment, and then all that its functions kept is gone.

Such a job is dumped each time that it holds twice as much, in twice as many blocks, where running calls and its own modules lead to all of that: what is
garbage by then, a later dump shows. A model that is loaded is no reason.
"""
from __future__ import annotations

import gc
import time

from .allocator import held_by_job
from .dumping import dump_near
from .errors import entry
from .files import outputs
from .frames import is_loading
from .pause import Later
from .plan import MAX_PAUSE, plan

YOUNG = 1.0  # seconds; by then there are the samples that show growth
LEAST_BYTES, LEAST_BLOCKS = 1 << 20, 16  # less than twice as much is what torch and a small model have


class Youth:
    """The beginning of a job, from the first look at it on."""

    def __init__(self) -> None:
        self.began, self.bytes, self.blocks, self.asked = time.monotonic(), LEAST_BYTES, LEAST_BLOCKS, False

    def look(self, held: int, blocks: int) -> None:
        """Takes what is held; asks the main thread for a dump where that has doubled."""
        has_doubled = held >= 2 * self.bytes and blocks >= 2 * self.blocks
        if has_doubled and not self.asked and time.monotonic() - self.began < YOUNG and not is_loading():
            self.bytes, self.blocks, self.asked = held, blocks, True
            Later(self._write)

    @entry
    def _write(self) -> None:
        was_collecting = gc.isenabled()
        try:
            gc.disable()
            if outputs.is_armed and plan.watches_growth() and held_by_job()[1] >= self.blocks:
                dump_near(outputs.path("growth.holders"), "growth", plan.max_pause() or MAX_PAUSE / 1e3)
        finally:
            self.asked = False
            if was_collecting:
                gc.enable()
