"""Tells `leakline run`, while memory grows, by how much and how much room there is: once, and again when what that foretells has changed by a factor of two.

What is told is a note in LEAKLINE_RUN: grows LOOP TURNS BYTES SECONDS ROOM PATH. The loop is one of growth.py, the room in bytes, -1 where nobody knows
it; PATH is how the names of this process's files begin.
"""
from __future__ import annotations

import sys
import time
from typing import Optional

from .allocator import allocator_rows
from .errors import entry
from .files import outputs
from .growth import Growth

SOON = 30.0  # seconds; what is as near as that is all the same to whoever reads it
AGAIN = 10.0  # seconds that must have been watched since it was told last
CHANGE = 2.0  # by which a forecast must differ from what was told


class Forecast:
    """What was told last."""

    def __init__(self) -> None:
        self.told_at, self.full_at = 0.0, 0.0

    @entry
    def look(self, kind: int, growth: Growth) -> None:
        """Looks at growth that shows, and tells of it where that is news."""
        if outputs.run is None or self.told_at and not self.full_at:
            return
        size, turns, seconds, begin = growth.measured()
        now = time.monotonic()
        if size <= 0 or self.told_at and (begin < self.told_at or now - begin < AGAIN):
            return  # what was told is still most of what could be told
        room = room_left()
        left = 0.0 if room is None else room * seconds / size
        if self.told_at and not is_news(self.full_at - now, left):
            return
        self.told_at, self.full_at = now, now + left if left else 0.0
        outputs.note(f"grows {kind} {turns} {size} {seconds:.3f} {-1 if room is None else room} {outputs.stem()}")


def is_news(before: float, left: float) -> bool:
    """Whether so many seconds are left until a device is full where as many were told before."""
    change = max(left, SOON) / max(before, SOON)
    return not 1 / CHANGE < change < CHANGE


def room_left() -> Optional[int]:
    """Bytes that the job may still allocate; None where it has memory on several devices, of none, or of no GPU of CUDA's."""
    rows, cuda = allocator_rows(), sys.modules["torch"].cuda
    if len(rows) != 1 or not cuda.is_initialized():
        return None
    device, allocated, reserved = rows[0][:3]
    free, total = cuda.mem_get_info(device)
    fraction = getattr(cuda, "get_per_process_memory_fraction", None)  # since torch 2.7
    if fraction is not None:
        free = min(free, int(fraction(device) * total) - reserved)
    return max(int(free) + reserved - allocated, 0)
