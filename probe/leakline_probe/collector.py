"""Watches the cyclic collector: a row of the counters for each collection that gives back device memory, and why that had to wait.

{"gc": generation, "collected": objects, "freed": bytes, "blocks": of the allocator, "freed_so_far": bytes, "runs_so_far": collections,
 "cycles": [[signature, tensors, bytes]],
 "explained": [{"signature", "cycle": "Trainer.hooks[*] -> function on_end (train.py:12) closure self -> Trainer", "leads_to": ...}]}

The device's counters are read before and after: around full collections always, around young ones as long as METER_SHARE allows. Why the memory
had to wait for the collector must be looked at before it begins, since afterwards nothing is left to look at: see garbage.py. So the first
collection that frees something makes the next ones of its kind, full or young, worth a look, within the same share; a job without such
collections pays nothing. What is found counts only if the collection then does free something. Each kind of cycle is spelled once.
"""
from __future__ import annotations

import functools
import gc
import sys
import time
from typing import Any

from .allocator import held_by_job
from .counters import OTHER_ROWS, Thin, counters
from .errors import is_of_the_job, note_error
from .garbage import Explained, Garbage
from .pause import Later, collection
from .plan import plan
from .tally import tally
from .torch_facts import torch_known

METER_CREDIT, METER_SHARE = 0.5, 0.005  # seconds that looking may take: at once, and then of each second
LONGEST_LOOK = 2.0  # seconds; a heap that takes longer stays unexplained
LOOKS = 20  # collections that are looked into after one that freed something
MARGIN, MARGIN_AFTER_GIVING_UP = 1.2, 2  # how much of the time of the last look must have been saved up for the next one
OLDEST = 2  # the generation of a full collection


class Meter:
    """What the collector calls when it begins and when it ends. Lists of two have one for young collections and one for full ones."""
    is_incremental = (3, 14) <= sys.version_info[:3] < (3, 14, 5)  # every collection is a part of a full one

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.begin, self.spent = time.perf_counter(), 0.0
        self.needs, self.looks = [0.0, 0.0], [0, 0]
        self.before: tuple[int, int] | None = None  # bytes and blocks that the job had when the collection began
        self.found: list[Explained] | None = None
        self.is_full = False
        self.thin = Thin(OTHER_ROWS)

    def __call__(self, stage: str, information: dict[str, int]) -> None:
        begin, collection.is_running = time.thread_time(), True
        try:
            if stage == "start":
                self.begins(information["generation"])
            else:
                self.ends(information)
        except BaseException as error:  # what is raised here, Python only prints
            if is_of_the_job(error):
                Later(functools.partial(_throw, error))
            else:
                note_error(error)
        self.spent += time.thread_time() - begin
        collection.is_running = stage == "start"

    def left(self) -> float:
        """Seconds that looking may still take."""
        return METER_CREDIT + METER_SHARE * (time.perf_counter() - self.begin) - self.spent

    def begins(self, generation: int) -> None:
        self.before = self.found = None
        self.is_full = generation == OLDEST or self.is_incremental
        if not self.is_full and self.left() <= 0:
            tally.unseen += 1
            return
        self.before = held_by_job()
        if self.looks[self.is_full] > 0:
            self.found = self.look(generation)

    def look(self, generation: int) -> list[Explained] | None:
        """What the collection will find. If there is too little time, it is tried again when twice of that has been saved up."""
        facts, needs, left = torch_known(), self.needs[self.is_full], self.left()
        if left < needs or needs > LONGEST_LOOK or facts is None:
            return None
        self.looks[self.is_full] -= 1
        begin = time.thread_time()
        objects = gc.get_objects() if self.is_full else [thing for young in range(generation + 1) for thing in gc.get_objects(generation=young)]
        found = Garbage(facts, self.is_full, begin + min(left, LONGEST_LOOK)).look(objects)
        self.needs[self.is_full] = (time.thread_time() - begin) * (MARGIN_AFTER_GIVING_UP if found is None else MARGIN)
        return found

    def ends(self, information: dict[str, int]) -> None:
        plan.collected()
        if self.before is None:
            return
        held = held_by_job() if information["collected"] else self.before
        freed, blocks = self.before[0] - held[0], self.before[1] - held[1]
        if freed > 0:
            self.looks[self.is_full] = LOOKS
            tally.add(freed, blocks)
            self._write({"gc": information["generation"], "collected": information["collected"], "freed": freed, "blocks": blocks,
                         "freed_so_far": tally.freed, "runs_so_far": tally.runs})

    def _write(self, record: dict[str, Any]) -> None:
        new = [tally.count(*row) for row in self.found or []]
        explained = [spelled for spelled in new if spelled]
        if explained or self.thin.lets():
            if self.found is not None:
                record["cycles"] = [[row[0], row[3], row[4]] for row in self.found]
            if explained:
                record["explained"] = explained
            counters.row(record)


def _throw(error: BaseException) -> None:
    raise error


meter = Meter()
collection.callback = Meter.__call__.__code__
