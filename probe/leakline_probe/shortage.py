"""What is remembered of memory that ran out: whether that was the job's end, as programs catch the error and go on."""
from __future__ import annotations

import time
from typing import Optional

from .allocator import allocations

GOES_ON = 100  # allocations after it: an except clause makes few, a step that is tried again makes more
GOES_ON_SHARE = 0.02  # of all before: some last requests of other threads
SHARE = 0.01  # of the job's time that outputs of requests that fail again and again may take


class Shortage:
    """The last time that memory ran out and outputs were written."""

    def __init__(self) -> None:
        self.allocated: Optional[int] = None  # how often the job had allocated by then
        self.ended, self.took = 0.0, 0.0

    def wrote(self, began: float) -> None:
        """Outputs were written, from a moment of the monotonic clock on."""
        self.allocated, self.ended = allocations(), time.monotonic()
        self.took = self.ended - began

    def is_end(self) -> bool:
        """Whether memory ran out and the job does not go on, as far as is known by now. What was there then says more than what is left at the exit."""
        before = self.allocated
        return before is not None and allocations() - before <= max(GOES_ON, before * GOES_ON_SHARE)

    def may_write(self) -> bool:
        """Whether outputs may be written of memory that runs out now: of the first time, and of later ones of a job that went on."""
        return self.allocated is None or not self.is_end() and time.monotonic() - self.ended >= self.took / SHARE
