"""Tells `leakline run`, while memory grows, by how much and how much room there is: once, again when what that foretells has changed by a factor of two, and when
memory grows more slowly than that.

What is told is a note in LEAKLINE_RUN: grows, or rests where it no longer does so, then LOOP TURNS BYTES SECONDS ROOM BLOCKS PATH. The loop is steps, batches, time, or no_grad or inference_mode, which
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
from .growth import FLOORS, TIME, Growth

SOON = 30.0  # seconds; what is as near as that is all the same to whoever reads it
AGAIN = 10.0  # seconds that must have been watched since it was told last
STILL_RISES = 0.25  # of the rise that was told, in as many samples: less than half, as what a leak keeps and what batches need for themselves varies
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


class Told:
    """What was told of a loop: a rise by so many bytes, in so many samples; and how far memory has risen since."""

    def __init__(self, kind: int, growth: Growth, size: int, full_at: float) -> None:
        self.kind, self.size, self.at, self.full_at = kind, size, time.monotonic(), full_at
        self.samples = growth.window * growth.shortest() * FLOORS
        self._rises(growth)

    def _rises(self, growth: Growth) -> None:
        self.highest, self.seen, (self.time, self.turns) = growth.floors[-1], growth.seen, growth.ends[-1]

    def goes_on(self, growth: Growth) -> bool:
        """Takes a floor; whether memory still rises."""
        if growth.floors[-1] >= self.highest + self.size * STILL_RISES:
            self._rises(growth)
        return growth.seen - self.seen < self.samples

    def end(self, growth: Growth) -> str:
        """The turns, bytes and seconds in which it did not go on."""
        now, turns = growth.ends[-1]
        return f"{turns - self.turns} {max(growth.floors[-1] - self.highest, 0)} {now - self.time:.3f}"


class Forecast:
    """What was told last, and since when growth shows."""

    def __init__(self) -> None:
        self.told: Optional[Told] = None
        self.level: dict[int, int] = {}  # by kind of loop, what growth must exceed once some was told of that did not go on
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
        self.rest(kind, growth)
        if not growth.is_rising():
            return
        self.see(kind, growth)
        if outputs.run is None or self.told is not None and not self.told.full_at:
            return
        size, turns, seconds, begin = growth.measured()
        now, first, told = time.monotonic(), self.first[_key(kind, growth)], self.told
        if size <= 0 or told is not None and (begin < told.at or now - begin < AGAIN):
            return  # what was told is still most of what could be told
        room = room_left()
        is_settled, is_urgent = first.is_settled(kind, growth.seen), kind != TIME and room is not None and room <= size
        if not is_urgent and not (is_settled and growth.goes_on() and growth.is_new(self.level.get(kind))):
            return
        left = 0.0 if room is None else room * seconds / size
        if told is not None and not is_news(told.full_at - now, left):
            return
        self.told = Told(kind, growth, size, now + left if left else 0.0)
        more = held_by_job()[1] - first.blocks if is_settled else -1
        outputs.note(f"grows {growth.turns} {turns} {size} {seconds:.3f} {-1 if room is None else room} {more} {outputs.stem()}")

    @entry
    def rest(self, kind: int, growth: Growth) -> None:
        """Takes back what was told of a loop where it does not go on. What comes and goes once a cache is full is less than what has filled it."""
        told = self.told
        if told is None or told.kind != kind or growth.samples or told.goes_on(growth):
            return
        outputs.note(f"rests {growth.turns} {told.end(growth)} -1 -1 {outputs.stem()}")
        self.told, self.level[kind] = None, told.highest + told.size
        self.first.clear()


def _key(kind: int, growth: Growth) -> tuple[int, int]:
    return kind, growth.shortest() * growth.window


def is_news(before: float, left: float) -> bool:
    """Whether a device will be full much sooner than was told before; where it will be later, that is told when the rise has been slower for as long."""
    return max(before, SOON) >= max(left, SOON) * CHANGE


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
