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
import os
import sys
import time
from typing import Any

from .autograd import Graph
from .closure import Closure
from .columns import Columns
from .counters import counters
from .edges import Edges
from .errors import entry
from .files import outputs, write_file
from .heap import Picked, list_objects
from .nodes import Nodes
from .pause import hold_lock
from .process import began_us, is_inherited, process, program_name, rank, wanted_device
from .references import References
from .roots import Roots
from .state import Places, Remarks, State
from .tally import tally
from .targets import find_targets
from .tensors import Tensors
from .texts import cut
from .torch_facts import TorchFacts, torch_ready
from .words import VERSION

NOTE_CHARACTERS, MOST_NOTES = 300, 50


class Dump:
    """One holder dump. run() pauses the job and fills the columns, encode() makes the bytes; in between, nothing of the job is kept."""

    def __init__(self, reason: str, device_kind: str, steps: int | None, walks_graph: bool = True) -> None:
        self.reason, self.device_kind, self.steps, self.walks_graph = reason, device_kind, steps, walks_graph
        self.remarks, self.columns = Remarks(), Columns()
        self.version: str | None = None
        self.pause_ms = 0.0

    def run(self) -> None:
        begin = time.perf_counter()
        facts = torch_ready()
        was_collecting, interval = gc.isenabled(), sys.getswitchinterval()
        try:
            gc.disable()
            if facts:
                self.version = facts.version
                hold_lock(interval)
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
        objects = list_objects(self.remarks)
        picked = Picked(state, objects)
        state.take_all(picked.tensors)
        roots.find_modules(picked.modules)
        roots.find_thread_locals(picked.thread_locals)
        roots.find_context()
        roots.find_frames()
        Graph(state, picked.node_ids, picked.has_saving_hooks).walk(picked.tensors, self.walks_graph)
        places = find_targets(state, self.device_kind, picked.tensors, picked.storages)
        picked.clear()
        Closure(state, roots).close(objects, places)
        return places

    def header(self) -> dict[str, Any]:
        remarks = self.remarks
        return {"schema": "leakline.holders/1", "probe": VERSION, "python": "%d.%d.%d" % sys.version_info[:3],
                "torch": self.version, "pid": os.getpid(), "started_us": began_us(), "time_us": int(time.time() * 1e6),
                "pause_ms": self.pause_ms, "argv0": program_name(), "rank": rank(), "step": self.steps, "reason": self.reason,
                "inherited": is_inherited(), "objects": remarks.objects, "frozen": remarks.frozen, "gc": tally.header(), "graph": remarks.graph,
                "graph_reason": remarks.graph_reason, "notes": [cut(note, NOTE_CHARACTERS) for note in remarks.notes[:MOST_NOTES]],
                "threads": remarks.threads, "sample": remarks.sample}

    def encode(self) -> bytes:
        return self.columns.encode(self.header())


@entry
def dump(path: str | os.PathLike[str] | None = None, reason: str = "request", target: str | None = None, graph: bool = True) -> str | None:
    """Writes a holder dump and returns its path, or None where that was not possible (last_error says why). Never raises, never collects.

    graph=False leaves autograd's graph alone: for whoever enters a thread that waits in C, maybe in the middle of a backward pass.
    """
    if process.is_dumping:
        return None
    process.is_dumping = True
    try:
        made = Dump(reason, target or wanted_device(), counters.steps, graph)
        made.run()
        if reason == "exit" and not made.columns.storages and not sys.modules["torch"].cuda.is_initialized():
            return None  # a launcher or a loader's worker, which has nothing on a device and never had
        return write_file(path or outputs.path("holders"), made.encode())
    finally:
        process.is_dumping = False
