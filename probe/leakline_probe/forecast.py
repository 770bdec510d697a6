"""Tells `leakline run`, while memory grows, by how much and how much room there is: once, and again when what that foretells has changed by a factor of two.

What is told is a note in LEAKLINE_RUN: grows LOOP TURNS BYTES SECONDS ROOM BLOCKS PATH. The loop is steps, batches, time, or no_grad or inference_mode, which
its last region was; the room is in bytes, -1 where nobody knows it; BLOCKS is how many more there are than when growth first showed, -1 also where that is
not long ago, and PATH how the names of this process's files begin.
"""
from __future__ import annotations

import sys
import time
from typing import Optional

from .allocator import allocator_rows, held_by_job
from .errors import entry
from .files import outputs
from .growth import TIME, Growth

SOON = 30.0  # seconds; what is as near as that is all the same to whoever reads it
AGAIN = 10.0  # seconds that must have been watched since it was told last
CHANGE = 2.0  # by which a forecast must differ from what was told
SETTLED = 1.5  # times as many samples as when growth first showed: by then none is left of those in which warm-up most likely was
TIME_SETTLED = 10.0  # seconds in which growth must have shown where nothing but time tells steps apart: models take some to load


class First:
    """When growth first showed: after so many samples, and with so many blocks."""

    def __init__(self, samples: int, blocks: int) -> None:
        self.samples, self.blocks, self.time = samples, blocks, time.monotonic()

    def is_settled(self, kind: int, samples: int) -> bool:
        """Whether growth has shown for so long that it is no warm-up."""
        return time.monotonic() - self.time >= TIME_SETTLED if kind == TIME else samples >= SETTLED * self.samples


class Forecast:
    """What was told last, and since when growth shows."""

    def __init__(self) -> None:
        self.told_at, self.full_at = 0.0, 0.0
        self.first: dict[tuple[int, int], First] = {}  # by loop, and by how many samples there are to a floor that rises

    @entry
    def see(self, kind: int, growth: Growth) -> None:
        """Notes when growth of a loop first shows."""
        key = _key(kind, growth)
        if key not in self.first:
            self.first[key] = First(growth.seen, held_by_job()[1])

    @entry
    def look(self, kind: int, growth: Growth) -> None:
        """Looks at growth that shows, and tells of it where that is news."""
        self.see(kind, growth)
        if outputs.run is None or self.told_at and not self.full_at:
            return
        size, turns, seconds, begin = growth.measured()
        now, first = time.monotonic(), self.first[_key(kind, growth)]
        if size <= 0 or self.told_at and (begin < self.told_at or now - begin < AGAIN):
            return  # what was told is still most of what could be told
        room = room_left()
        is_settled, is_urgent = first.is_settled(kind, growth.seen), kind != TIME and room is not None and room <= size
        if not self.told_at and not is_urgent and not (is_settled and growth.goes_on()):
            return
        left = 0.0 if room is None else room * seconds / size
        if self.told_at and not is_news(self.full_at - now, left):
            return
        self.told_at, self.full_at = now, now + left if left else 0.0
        more = held_by_job()[1] - first.blocks if is_settled else -1
        outputs.note(f"grows {growth.turns} {turns} {size} {seconds:.3f} {-1 if room is None else room} {more} {outputs.stem()}")


def _key(kind: int, growth: Growth) -> tuple[int, int]:
    return kind, growth.shortest() * growth.window


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
