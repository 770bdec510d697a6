"""Makes a holder dump: who keeps every wanted tensor alive, at this moment.

How a dump works. The cyclic collector is switched off and other threads are kept from the interpreter, so that nothing moves and nothing is
collected: what would be garbage is evidence. Tensors and storages are found among the collector's objects (heap.py), then what the collector does
not show: the locals of running calls (roots.py) and autograd's graph (autograd.py). The closure of all that leads to a wanted tensor is built
backwards, level by level, and stops at roots that have names: modules, classes, running calls (closure.py). Every object on the way is held
exactly once (state.py), so that its reference count can be compared with the number of edges that lead to it: more references than edges means a
holder outside of what Python shows, and no way from a root means a garbage cycle (references.py).

Rules, each of which was learnt from a job that broke:
- No repr, hash, comparison, isinstance or attribute of an object of the job. Types are read through their MRO, values through the descriptors of
  the base types.
- No saved tensor is unpacked where a hook would run.
- Autograd's graph is read in the main thread only, and not while the collector runs: backward frees what is read, and that breaks the heap.
- No frame of the probe is kept in a variable: that is a cycle, which keeps the job's objects alive.
- The file is written only after everything has been let go.
- Signal handlers of the job may run, and raise, at any line here: what they raise goes on to the job, whose state is as before (errors.py).
"""
from __future__ import annotations

import gc
import math
import os
import sys
import time
from typing import Any

from .allocator import held_by_job
from .autograd import Graph
from .closure import Closure
from .columns import Columns
from .counters import counters
from .edges import Edges
from .errors import entry
from .files import outputs, write_file
from .heap import Picked, list_objects
from .kinds import Imported
from .near import list_near
from .nodes import Nodes
from .pause import collection, hold_lock
from .process import began_us, is_inherited, process, program_name, rank, wanted_device
from .references import References
from .roots import Roots
from .state import Places, Remarks, State
from .tally import tally
from .targets import bytes_of, find_targets
from .tensors import Tensors
from .texts import cut
from .torch_facts import TorchFacts, torch_ready
from .words import VERSION

GRAPH_SHARE = 0.2  # of a pause that is bounded; most of the rest is for what was found, see closure.py
GROWN_SHARE = 0.5  # of the blocks that grew must be found
OWN_BYTES, OWN_SHARE = 64 << 20, 0.05  # that torch and other libraries may have for themselves, such as workspaces of cuBLAS
OWN_BLOCKS = 5  # however large: workspaces, and fewer than the rises of a leak
NOTE_CHARACTERS, MOST_NOTES = 300, 50


class Dump:
    """One holder dump. run() pauses the job and fills the columns, encode() makes the bytes; in between, nothing of the job is kept."""

    def __init__(self, reason: str, device_kind: str, steps: int | None, walks_graph: bool = True, pause: float | None = None,
                 is_near: bool = False, only: int | None = None) -> None:
        """pause is how many seconds it may take. A near one searches only what running calls and the job's own modules lead to. only is the key of a storage."""
        self.reason, self.device_kind, self.steps, self.walks_graph, self.pause, self.only = reason, device_kind, steps, walks_graph, pause, only
        self.is_near = is_near
        self.found = 0, 0  # bytes and storages
        self.remarks, self.columns = Remarks(), Columns()
        self.version: str | None = None
        self.pause_ms = 0.0

    def run(self) -> None:
        facts = torch_ready()
        was_collecting, interval = gc.isenabled(), sys.getswitchinterval()
        try:
            gc.disable()
            collection.wait()
            begin = time.perf_counter()
            if facts:
                self.version = facts.version
                hold_lock(interval, self.pause)
                with facts.quiet():
                    self._collect(facts)
        finally:
            sys.setswitchinterval(interval)
            if was_collecting:
                gc.enable()
        self.pause_ms = round((time.perf_counter() - begin) * 1e3, 1)

    def _collect(self, facts: TorchFacts) -> None:
        state = State(facts, self.remarks)
        try:
            self._fill(state)
        finally:
            state.let_go()

    def _fill(self, state: State) -> None:
        roots = Roots(state)
        places = self._look(state, roots)  # from here on, state.hold is the only holder of ours
        references, tensors = References(state, roots), Tensors(state)
        references.count()
        references.settle(places)
        tensors.write(places, references, self.columns)
        Nodes(state, roots, references, tensors).write(self.columns)
        Edges(state, roots, references, self.columns).write()

    def _look(self, state: State, roots: Roots) -> Places:
        """Finds all that leads to a wanted tensor; returns the places of what is wanted."""
        imported = state.kinds.imported()
        objects = self._list(state, imported)
        picked = Picked(state, objects)
        state.take_all(picked.tensors)
        roots.find_modules(picked.modules, imported)
        imported.clear()
        roots.find_thread_locals(picked.thread_locals)
        roots.find_context()
        roots.find_frames()
        hooks, seconds = picked.has_saving_hooks or self.pause is not None, math.inf if self.pause is None else self.pause * GRAPH_SHARE
        Graph(state, picked.node_ids, hooks, seconds).walk(picked.tensors, self.walks_graph)
        places = find_targets(state, self.device_kind, picked.tensors, picked.storages)
        picked.clear()
        if self.only is not None:
            places = {place: row for place, row in places.items() if row[1] == self.only}
        self.found = bytes_of(places), len({key for _, key, _, size in places.values() if size})
        Closure(state, roots, self.pause, self.is_near).close(objects, places)
        return places

    def _list(self, state: State, imported: Imported) -> list[Any]:
        if self.pause is None or not self.is_near:
            return list_objects(self.remarks)
        objects = list_near(state, imported, self.pause)
        self.remarks.objects, self.remarks.is_near = len(objects), True
        return objects

    def covers(self, grown: int) -> bool:
        """Whether what the allocator has more than was found is neither what grew, by so many blocks, nor much; or a look at all would not find more.

        Says so where it is.
        """
        if self.remarks.graph == "cut" or self.remarks.sample:
            return True
        held, blocks = held_by_job()
        missing, bytes_missing = blocks - self.found[1], held - self.found[0]
        if missing <= grown * GROWN_SHARE and bytes_missing <= max(OWN_BYTES, held * OWN_SHARE):
            return True
        self.remarks.add(f"running calls and the job's own modules do not lead to {missing} of {blocks} blocks, with {bytes_missing} of {held} bytes; who "
                         "holds those is not in this dump, as to look through the whole heap takes longer than --max-pause")
        return False

    def has_all(self) -> bool:
        """Whether a near one has all that the job has from the allocator, but for what libraries have for themselves."""
        held, blocks = held_by_job()
        missing, bytes_missing = blocks - self.found[1], held - self.found[0]
        is_whole = self.device_kind != "cpu" and self.remarks.graph != "cut" and not self.remarks.sample
        return is_whole and (missing <= OWN_BLOCKS or missing <= blocks * OWN_SHARE and bytes_missing <= held * OWN_SHARE)

    def header(self) -> dict[str, Any]:
        remarks = self.remarks
        return {"schema": "leakline.holders/1", "probe": VERSION, "python": "%d.%d.%d" % sys.version_info[:3],
                "torch": self.version, "pid": os.getpid(), "started_us": began_us(), "time_us": int(time.time() * 1e6),
                "pause_ms": self.pause_ms, "argv0": program_name(), "rank": rank(), "step": self.steps, "reason": self.reason,
                "inherited": is_inherited(), "objects": remarks.objects, "frozen": remarks.frozen, "gc": tally.header(), "graph": remarks.graph,
                "graph_reason": remarks.graph_reason, "notes": [cut(note, NOTE_CHARACTERS) for note in remarks.notes[:MOST_NOTES]],
                "threads": remarks.threads, "sample": remarks.sample, "bounds": remarks.bounds}

    def encode(self) -> bytes:
        return self.columns.encode(self.header())


@entry
def dump(path: str | os.PathLike[str] | None = None, reason: str = "request", target: str | None = None, graph: bool = True) -> str | None:
    """Writes a holder dump and returns its path, or None where that was not possible (last_error says why). Never raises, never collects.

    graph=False leaves autograd's graph alone: for whoever enters a thread that waits in C, maybe in the middle of a backward pass.
    """
    made = Dump(reason, target or wanted_device(), counters.steps, graph)
    if not run_alone(made) or reason == "exit" and not made.columns.storages and not sys.modules["torch"].cuda.is_initialized():
        return None  # the latter is a launcher or a loader's worker, which has nothing on a device and never had
    return write_file(path or outputs.path("holders"), made.encode())


@entry
def dump_within(path: str, reason: str, pause: float, blocks: int, is_near: bool) -> bool:
    """Writes a dump of what so many blocks are, which takes no longer than so many seconds; whether it has most of them."""
    made = Dump(reason, wanted_device(), counters.steps, pause=pause, is_near=is_near)
    if not run_alone(made):
        return False
    covers = not is_near or made.covers(blocks)
    write_file(path, made.encode())
    return covers


@entry
def dump_near(path: str, reason: str, pause: float) -> bool:
    """Writes a dump of what running calls and the job's own modules lead to, if that is all; whether it is."""
    made = Dump(reason, wanted_device(), counters.steps, pause=pause, is_near=True)
    if not run_alone(made) or not made.has_all():
        return False
    write_file(path, made.encode())
    return True


def run_alone(made: Dump) -> bool:
    """Runs a dump, unless there is one already."""
    if process.is_dumping:
        return False
    process.is_dumping = True
    try:
        made.run()
    finally:
        process.is_dumping = False
    return True
