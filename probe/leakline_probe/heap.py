"""Lists the objects of the heap that matter by their type alone, in one pass."""
from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Any

from .classes import kinds_of, of_kinds
from .frames import locals_of, running_frames
from .kinds import is_autograd
from .state import Remarks, State
from .words import MODULE, STORAGE, TENSOR

FROZEN = 5_000  # Python 3.12 freezes some 400 objects of its own at its start; a job that calls gc.freeze() hides at least a bare torch's 100,000
FROZEN_SECONDS = 3.0  # for what a million objects take 1.3 s
CHUNK_OF_LEVEL = 10_000  # objects whose references are listed at once
BLOCKS_OF_OBJECT = 30  # of Python's allocator, at most: 2 in a bare Python, 3 with torch, 14 where a hundred thousand rows are dicts of numbers


def count_objects(most: float) -> int:
    """How many objects the collector knows, by a list of them all, 20 to 50 ns each; where there are surely more than so many, the least that there are."""
    least = sys.getallocatedblocks() // BLOCKS_OF_OBJECT
    return least if least > most else len(gc.get_objects())


def list_objects(remarks: Remarks) -> list[Any]:
    """All objects that the collector knows. Whoever gets the list empties it before references are counted."""
    objects = gc.get_objects()
    remarks.objects, remarks.frozen = len(objects), gc.get_freeze_count()
    if remarks.frozen > FROZEN:
        _add_frozen(objects)
        remarks.add(f"gc.freeze() hides {remarks.frozen} objects; {len(objects) - remarks.objects} were found by following references from modules, "
                    "frames and classes")
    return objects


def _add_frozen(objects: list[Any]) -> None:
    """gc.freeze() hides objects from get_objects: most are found again by walking on from modules, frames and classes."""
    seen = set(map(id, objects))
    seen.add(id(objects))
    level: list[Any] = [[sys.modules] + list(kinds_of(objects).values()) + [value for frame in running_frames() for _, value in locals_of(frame)]]
    limit = time.perf_counter() + FROZEN_SECONDS
    while level and time.perf_counter() < limit:
        following = []
        for index in range(0, len(level), CHUNK_OF_LEVEL):
            for thing in gc.get_referents(*level[index:index + CHUNK_OF_LEVEL]):
                if id(thing) not in seen and gc.is_tracked(thing):
                    seen.add(id(thing))
                    following.append(thing)
        objects.extend(following)
        level = following


class Picked:
    """Tensors, storages, modules, thread-locals, and the nodes of autograd that Python had already made.

    Whoever has read it clears it: a list of ours would look like a holder.
    """

    def __init__(self, state: State, objects: list[Any]) -> None:
        kinds = kinds_of(objects)
        ids = {sort: {key for key, kind in kinds.items() if state.kind(kind) == sort} for sort in (TENSOR, STORAGE, MODULE)}
        nodes = {key for key, kind in kinds.items() if is_autograd(kind)}
        names = {state.kinds.names[key].rpartition(".")[2] for key in kinds}
        picked = of_kinds(objects, ids[TENSOR] | ids[STORAGE] | ids[MODULE] | nodes | {id(threading.local)})
        self.tensors = of_kinds(picked, ids[TENSOR])
        self.storages = of_kinds(picked, ids[STORAGE])
        self.modules = of_kinds(picked, ids[MODULE])
        self.thread_locals = of_kinds(picked, {id(threading.local)})
        self.node_ids = {id(thing) for thing in picked if id(type(thing)) in nodes}
        self.has_saving_hooks = bool(names & {"_CheckpointFrame", "_Holder", "saved_tensors_hooks", "save_on_cpu"})

    def clear(self) -> None:
        for things in (self.tensors, self.storages, self.modules, self.thread_locals):
            things.clear()
