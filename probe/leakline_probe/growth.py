"""Notices that what the job keeps grows, and says when a dump of that is worth its time: at the exit, all that functions kept is gone.

A sample is what is allocated when a step of a loop ends. The least of a few samples is the floor, on which stands what each step needs for itself. It
grows where most floors are above the one before, and the last is the highest. Floors are joined by two and by four as well, and double while the job
runs: what comes in every step is seen soon, and what comes once in a hundred is seen too. Only jobs that grow pay.

What a step is, nobody says. Four kinds of loop are told apart, by what the job does: steps of optimizers, batches of a DataLoader, regions without
gradients that end (a request that a server answers, a turn of a simulation), and time. Samples of a kind count only while no better kind is alive.
"""
from __future__ import annotations

import operator
import sys
import time
from typing import Optional

WINDOW, FLOORS, RISES = 4, 8, 6  # samples that have a floor; floors that are compared; how many must be above the one before. At random: once in 160
KEPT_FLOORS = 8 * FLOORS  # until two are joined to one
JOINED = 1, 2, 4  # floors that are looked at as one
STILL = 0.5  # of the rise before that the newer floors must have: leaks vary with the batches, and a cache that is filled at random halves its rise again and again
DUMP_CREDIT, DUMP_SHARE = 0.5, 0.01  # seconds that dumps of what grows may take: at first, and then of each second of the process's own since the last
WAITING_SHARE = 0.002  # of each second since the last, for processes that mostly wait, such as servers
SNAPSHOT_CREDIT = 0.5  # seconds that snapshots beside them may take at first
LEAST_SECONDS = 1.0  # from one to the next, once the first are made: files that are written more often help nobody
DUMP_SECONDS = 0.1  # that the first dump takes where nothing but what is near is looked at
SECOND_SPACE, DUMP_SPACE = 1.5, 2.0  # times as many samples until the second one at first, as two tell what grows, and until each that follows
DUMP_OBJECT = 1.5e-6  # seconds that a dump of the whole heap takes for each object: 0.4 for the 300,000 of torch
RESTS = 0.4  # of the samples in which it grew, after which one more snapshot shows that it does not: a recording that is quiet for a quarter of its steps shows a plateau
STEPS, BATCHES, REGIONS, TIME = range(4)  # kinds of loops, the best first
TURNS = "steps", "batches", "no_grad", "time"  # what `leakline run` is told that they are
ALIVE_SECONDS, ALIVE_GAPS = 2.0, 5  # a loop is over when nothing of it has come for so long, and for so many times as long as usual
GAPS = 8  # what is usual is an average of about so many


class Growth:
    """The samples of one loop."""

    def __init__(self, turns: str = TURNS[STEPS]) -> None:
        self.turns = turns
        self.floors: list[int] = []
        self.ends: list[tuple[float, int]] = []  # when the last sample of each floor came, and how many turns of the loop there were by then
        self.samples: list[int] = []
        self.window, self.seen = WINDOW, 0
        self.blocks = 0  # that were allocated at the first sample

    def shows(self, held: int, turns: int = 0) -> bool:
        """Takes a sample; whether growth shows."""
        self.samples.append(held)
        self.seen += 1
        if len(self.samples) < self.window:
            return False
        self.floors.append(min(self.samples))
        self.ends.append((time.monotonic(), turns))
        self.samples.clear()
        if len(self.floors) == KEPT_FLOORS:
            self.floors, self.ends, self.window = self.joined(2), self.ends[1::2], 2 * self.window
        return self.is_rising()

    def is_rising(self) -> bool:
        return any(map(self.rises, JOINED))

    def joined(self, windows: int) -> list[int]:
        """The floors of so many windows as one; the last ones, where they do not come out even."""
        first = len(self.floors) % windows
        return [min(self.floors[begin:begin + windows]) for begin in range(first, len(self.floors), windows)]

    def rises(self, windows: int) -> bool:
        floors = self.joined(windows)[-FLOORS:]
        return len(floors) == FLOORS and sum(map(operator.lt, floors, floors[1:])) >= RISES and floors[-1] > max(floors[:-1])

    def shortest(self) -> int:
        """As how many windows are joined for the shortest time in which floors rise. Growth must have shown."""
        return next(filter(self.rises, JOINED), JOINED[0])

    def measured(self) -> tuple[int, int, float, float]:
        """Bytes by which floors have risen, over the shortest time in which they rise; the turns and the seconds of that, and when it began.

        Each floor counts as much as the one in the middle: what comes once, such as a library's workspace, does not go on. Growth must have shown.
        """
        windows = self.shortest()
        begin, end = self.ends[-1 - (FLOORS - 1) * windows], self.ends[-1]
        return middle_rise(self.joined(windows)[-FLOORS:]) * (FLOORS - 1), end[1] - begin[1], end[0] - begin[0], begin[0]

    def goes_on(self) -> bool:
        """Whether the newer floors rise as the older ones do: caches that fill, and a warm-up that ends, rise ever more slowly."""
        floors = self.joined(self.shortest())[-FLOORS:]
        return middle_rise(floors[FLOORS // 2:]) >= middle_rise(floors[:FLOORS // 2 + 1]) * STILL

    def is_new(self, level: Optional[int]) -> bool:
        """Whether most of the rise is above the level, and above what was held as long before: what batches of many lengths need rises and falls again."""
        floors = self.joined(self.shortest())
        before, rising = floors[-2 * FLOORS:-FLOORS], floors[-FLOORS:]
        highest = max(before + [rising[0] if level is None else level])
        return rising[-1] - highest >= (rising[-1] - rising[0]) * STILL


def middle_rise(floors: list[int]) -> int:
    """Bytes from one floor to the next, as in the middle of them all."""
    rises: list[int] = sorted(map(operator.sub, floors[1:], floors))
    return rises[(len(rises) - 1) // 2]


class Pace:
    """How much time dumps, or snapshots, of all loops have taken, and when the next one may. Seconds are the thread's and the process's own: on a busy machine,
    where a job gets little of the time, it would else spend most of that on dumps."""

    def __init__(self, credit: float, needs: float) -> None:
        self.last, self.last_own, self.spent, self.credit, self.needs = time.monotonic(), time.process_time(), 0.0, credit, needs
        self.next: list[float] = [0.0] * (TIME + 1)  # by kind, the samples at which the next one may come

    def allows(self, kind: int, seen: int) -> bool:
        """Whether one would not take too long. Of time, the first may come early: what grows then is often no loop, but a model that is loaded."""
        is_early = (kind != TIME or not self.spent) and seen >= self.next[kind] and self.spent + self.needs <= self.credit
        waited = time.monotonic() - self.last
        return is_early or waited >= LEAST_SECONDS and self.needs <= max(DUMP_SHARE * (time.process_time() - self.last_own), WAITING_SHARE * waited)

    def took(self, kind: int, seen: int, seconds: float) -> None:
        """One was made."""
        self.needs, self.next[kind] = seconds, seen * (DUMP_SPACE if self.spent else SECOND_SPACE)
        self.last, self.last_own, self.spent = time.monotonic(), time.process_time(), self.spent + seconds


class Loops:
    """The loops of a process, by their kinds."""

    def __init__(self) -> None:
        self.growths = list(map(Growth, TURNS))
        self.last: list[Optional[float]] = [None] * TIME  # when something of a loop came
        self.gaps = [0.0] * TIME  # seconds from one to the next, on an average
        self.turned = [0] * (TIME + 1)
        self.shown = [0] * (TIME + 1)  # the sample at which growth showed last
        self.recorded = [0] * (TIME + 1)  # the sample that the last snapshot of what grows reaches to; 0 before the first
        self.dumps, self.snapshots = Pace(DUMP_CREDIT, DUMP_SECONDS), Pace(SNAPSHOT_CREDIT, 0.0)

    def turns(self, kind: int) -> bool:
        """Notes that something of a loop has come; whether its samples count."""
        now = time.monotonic()
        before = self.last[kind]
        is_own = not self.is_alive(kind, now)
        if before is not None:
            self.gaps[kind] += (now - before - self.gaps[kind]) / GAPS
        self.last[kind], self.turned[kind] = now, self.turned[kind] + 1
        return is_own

    def pauses(self, seconds: float) -> None:
        """The probe has made the job stand still: that is no time in which it could have grown."""
        for growth in self.growths:
            growth.ends = [(end + seconds, turns) for end, turns in growth.ends]

    def is_alive(self, kind: int, now: float) -> bool:
        """Whether a loop of a better kind is going on."""
        return any(last is not None and now - last <= self.patience(better) for better, last in enumerate(self.last[:kind]))

    def patience(self, kind: int) -> float:
        return max(ALIVE_SECONDS, ALIVE_GAPS * self.gaps[kind])

    def usual_gap(self) -> float:
        """Seconds from one turn to the next of the loop that turned last."""
        return max(((last, gap) for last, gap in zip(self.last, self.gaps) if last is not None), default=(0.0, 0.0))[1]

    def grows(self, kind: int, held: int) -> bool:
        """Takes a sample; whether growth shows."""
        growth = self.growths[kind]
        shows = growth.shows(held, self.turned[kind])
        if shows:
            self.shown[kind] = growth.seen
        return shows

    def rests(self, kind: int) -> bool:
        """Whether nothing has grown for so long that a recording should show it: a full cache looks like a leak where the snapshot ends as it is filled."""
        return 0 < self.recorded[kind] < self.shown[kind] * (1 + RESTS) <= self.growths[kind].seen

    def records(self, kind: int) -> None:
        """A snapshot of what grows was made."""
        self.recorded[kind] = self.growths[kind].seen

    def may(self, pace: Pace, kind: int) -> bool:
        """Whether there is time for a dump or a snapshot; the one that shows the end of growth need not wait until there is twice as much to see."""
        return pace.allows(kind, sys.maxsize if self.rests(kind) else self.growths[kind].seen)
