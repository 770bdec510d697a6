"""Dumps what a job holds that is too young for growth to show: it may be over in a moment, and then all that its functions kept is gone.

Such a job is dumped each time that it holds twice as much, in twice as many blocks, where running calls and its own modules lead to all of that: what is
garbage by then, a later dump shows. A model that is loaded is no reason. Where the exit finds as much as the last of these dumps did,
it is deleted: that of the exit says more.
"""
from __future__ import annotations

import time

from .allocator import held_by_job
from .dumping import dump_near
from .errors import entry
from .files import outputs, remove_file
from .frames import is_loading
from .pause import Later
from .plan import MAX_PAUSE, plan

YOUNG = 1.0  # seconds; by then there are the samples that show growth
AS_MUCH = 0.9  # of the blocks that a dump had
LEAST_BYTES, LEAST_BLOCKS = 1 << 20, 16  # less than twice as much is what torch and a small model have


class Youth:
    """The beginning of a job, from the first look at it on."""
    dumped = 0  # blocks that the last dump of this process has

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
        self.asked = False
        is_there = held_by_job()[1] >= self.blocks  # what had doubled may be freed again
        if outputs.is_armed and plan.watches_growth() and is_there and dump_near(outputs.path("growth.holders"), "growth", plan.max_pause() or MAX_PAUSE / 1e3):
            Youth.dumped = held_by_job()[1]


@entry
def end_youth() -> None:
    """Deletes the dump of a young job at its exit, unless what it shows is gone by then, or it has made way for one of growth."""
    if Youth.dumped and not plan.loops.dumps.spent and held_by_job()[1] >= Youth.dumped * AS_MUCH:
        remove_file(outputs.path("growth.holders"))
