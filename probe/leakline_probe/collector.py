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
import threading
import time
from typing import Any, Callable, Generator

from .allocator import held_by_job
from .counters import OTHER_ROWS, Thin, counters
from .errors import is_of_the_job, note_error
from .frames import is_ours, job_frame
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
STAGES = "start", "stop"  # in the collector's words


class Meter:
    """Meters collections, when they begin and when they end. Lists of two have one for young collections and one for full ones."""
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
        begin, collection.is_running, collection.thread = time.thread_time(), True, threading.get_ident()
        try:
            if stage == "start":
                self.begins(information["generation"])
            else:
                self.ends(information)
        finally:
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
            if information["generation"] == OLDEST:
                tally.calls(job_frame())
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


def listen() -> Callable[[str, dict[str, int]], object]:
    """What the collector calls, with a stage and with information.

    Python only prints what is raised in such a call, and the job's handlers of signals may raise at the first instruction of a function, where nothing
    catches. So what is called is no function, but C code that sends both to a generator, one after the other: that waits inside of its try.
    """
    listening = _listening()
    next(listening)
    return functools.partial(max, key=listening.send)


def _listening() -> Generator[int, Any, None]:
    """Counts what is sent, since what comes with a signal is lost: 0 and 1 are stage and information of a collection that begins, 2 and 3 of one that ends."""
    sent = -1
    while True:
        try:
            while True:
                sent = (sent + 1) % 4
                given = yield 0
                if type(given) is str:
                    sent = 2 * STAGES.index(given)
                else:
                    meter(STAGES[sent // 2], given)
        except GeneratorExit:
            return
        except BaseException as error:
            collection.is_running = sent < 2
            _hand_on(error)


def _hand_on(error: BaseException) -> None:
    """Raises in the job what is the job's, without our frames: who clears the frames of a traceback would end the generator."""
    if is_of_the_job(error):
        trace = error.__traceback__
        while trace is not None and is_ours(trace.tb_frame.f_code):
            trace = trace.tb_next
        Later(functools.partial(_throw, error.with_traceback(trace)))
    else:
        note_error(error)


def _throw(error: BaseException) -> None:
    raise error


meter = Meter()
collection.callback = _listening.__code__
