"""Looks now and then at all that the host's memory of this process is used for, and writes a row a look: the parts, and the collections that grow.

A thread of ours waits, has a copy of the process look (forks.py), and writes down what that says, in NAME-PID.memory.jsonl:
    {"time_us": ..., "pid": ..., "resident": bytes, "parts": {"python_objects": bytes, ...}, "children": {...}, "piles": [...], ...}
and between looks, without a copy, what the allocators have in use and the system has resident:
    {"time_us": ..., "pid": ..., "levels": {"used": bytes, "collections": full ones so far, "anonymous": bytes, "shared": bytes, "file": bytes, "alone": bytes, "copied": bytes}}
The looks are a fifth of the process's age apart, and at least twice as long as the last one took the processor; so a day has some sixty. No
signal of the job comes to the thread, and it is nobody's: Python ends without waiting for it, and a forked child has none.
"""
from __future__ import annotations

import _thread
import json
import os
import signal
import sys
import time
import types
from typing import Any, Callable

from .blocks import Blocks, drop_history
from .classes import descends, module_dict
from .counters import counters
from .crowds import Crowd
from .errors import entry
from .files import append_to, outputs
from .forks import Limit, Signs, ask_copy, can_copy, seconds_of_copy
from .natives import natives
from .pause import collection
from .piles import Piles
from .plan import plan
from .smaps import Maps, processes_below
from .sums import Allocators, add_up, levels_of
from .texts import cut
from .tries import try_all

FIRST_AGE, SHARE_OF_AGE, TIMES_COST = 2.0, 0.2, 2.0
SHORTEST_GAP, LEVELS_OF_AGE, LEVELS_COST, VISIT_COST = 0.3, 1 / 40, 100, 20  # the same of rows of levels, the last of those of a visit
SHORTEST_WAIT = 0.5  # seconds
IMPORT_SECONDS = 60  # in which the end of imports is waited for; some jobs run while they are imported
FEWEST_LOOKS, MOST_LOOKS, TIMES_LONGER = 3, 8, 2  # of a visit; where they take long, a visit is twice as long, or until the second
USUAL_PAUSE = 1.0  # seconds, where no other is requested
NAMED_CHILDREN = 64


class Looks:
    """The looks of this process."""

    def __init__(self) -> None:
        self.pid: int | None = None  # of the process that has a thread for them
        self.folder: str | None = None  # into which they are written
        self.lengths: int | None = None  # a file in memory
        self.first_seen: dict[int, int] = {}  # what each child had resident when it was first seen
        self.level_cost = 0.0
        self.recorded = 0  # bytes of torch's history at the last look
        self.is_over = False  # nobody is there to read them

    def begin(self) -> None:
        """Begins to look, once in a process."""
        if self.pid == os.getpid() or not outputs.is_armed or not can_copy() or "host" in os.environ.get("LEAKLINE_WITHOUT", "").split(","):
            return
        self.pid, self.folder, self.lengths, self.first_seen = os.getpid(), outputs.folder, None, {}
        _thread.start_new_thread(self._go_on, ())

    def _go_on(self) -> None:
        block_signals()
        if os.environ.get("LEAKLINE_NATIVE"):
            natives.begin(os.environ["LEAKLINE_NATIVE"])
        lock, began, cost = _thread.allocate_lock(), time.monotonic(), 0.0
        lock.acquire()
        looked = began + FIRST_AGE - SHORTEST_WAIT  # as if
        while outputs.is_armed and self.pid == os.getpid() and self._goes_on():
            lock.acquire(True, self.level_gap(time.monotonic() - began))
            if self.lengths is not None:  # not before the first look: a process that is over soon leaves nothing
                self._write_level()
            if time.monotonic() - looked >= max(SHORTEST_WAIT, (time.monotonic() - began) * SHARE_OF_AGE, cost * TIMES_COST) and not (
                    time.monotonic() - began < IMPORT_SECONDS and is_importing()):
                cost, looked = self._look_and_write() or 0.0, time.monotonic()

    def level_gap(self, age: float) -> float:
        """Seconds until the next row of levels: a fortieth of the age, and so long that they take a hundredth of the time."""
        return max(SHORTEST_GAP, age * LEVELS_OF_AGE, self.level_cost * LEVELS_COST)

    def _goes_on(self) -> bool:
        """Not where the probe was armed anew meanwhile."""
        return outputs.folder in (self.folder, outputs.run, outputs.spare)

    @entry
    def _write_level(self) -> None:
        if self._goes_on():
            self.write(outputs.path("memory.jsonl"), self.level())

    @entry
    def _look_and_write(self) -> float:
        row = self.look(plan.max_pause() or USUAL_PAUSE, self._write_level)
        if self._goes_on():
            self.write(outputs.path("memory.jsonl"), row)
        return float(row.get("took", 0.0))

    def write(self, path: str, row: dict[str, Any]) -> None:
        try:
            append_to(path, json.dumps(row).encode() + b"\n")
        except FileNotFoundError:
            self.pid, self.is_over = None, True  # the folder is gone, and whoever wanted to know with it
        except OSError as error:
            if outputs.give_way(path, error) is None:
                self.pid = None

    def level(self) -> dict[str, Any]:
        began = time.thread_time()
        natives.again()
        found, children = levels_of(Allocators()), processes_below(os.getpid())
        if children:
            found.update((key, value) for key, value in self._children(children).items() if key in ("alone", "copied"))
        self.level_cost = time.thread_time() - began
        return dict(_head(), levels=found)

    def look(self, pause: float, meanwhile: Callable[[], None]) -> dict[str, Any]:
        """A row of what there is now; of a process that cannot be copied within the pause only what the system says of it."""
        children = processes_below(os.getpid())
        row = dict(_head(), children=self._children(children))
        if seconds_of_copy() > pause:
            return dict(row, **_from_outside(f"a copy of the process, which would look at its objects, would stop it for {seconds_of_copy():.1g} s, more than --max-pause allows"))
        if self.lengths is None:
            self.lengths = os.memfd_create("leakline")
        torch: Any = sys.modules.get("torch")
        has_cuda = torch is not None and hasattr(torch, "cuda") and hasattr(torch.cuda, "is_initialized") and torch.cuda.is_initialized()
        collection.wait()
        allocators: list[Allocators] = []  # asked here: malloc waits for the locks of all its arenas, and in a copy for ever
        answer = ask_copy(lambda alive: self._inside(alive, allocators[-1], has_cuda, {each["pid"]: each["alone"] for each in children}), (self.lengths,), meanwhile,
                          lambda: allocators.append(Allocators()))
        said = answer.value or {"error": "no answer"}
        if "parts" not in said:
            said.update(_from_outside("the look at its objects " + said.get("limit", "gave no answer")))
        self.recorded = said["parts"].get("history", self.recorded)
        row.update(said, time_us=int(answer.made * 1e6), stood=round(answer.stood, 4), took=round(answer.took, 3))
        return row

    def _inside(self, alive: Signs, allocators: Allocators, has_cuda: bool, children: dict[int, int]) -> dict[str, Any]:
        """What the copy says of its parent."""
        natives.end(True)  # what the copy allocates is not the job's
        crowd = Crowd(alive)
        maps, recorded = Maps(os.getppid()), self.recorded
        if has_cuda and not alive.tries:  # to free needs locks that another thread may have had
            before = Allocators().in_use()
            drop_history()
            recorded = max(0, before - Allocators().in_use())
        blocks = Blocks(has_cuda)
        blocks.find(crowd, alive)
        parts = add_up(maps, blocks, allocators, recorded)
        found: dict[str, Any] = {"resident": maps.bytes, "parts": parts, "allocator": allocators.name, "objects": crowd.count}
        if crowd.is_sampled:
            found["remark"] = f"estimated by {sum([len(objects) for _, objects in crowd.groups]):,} of {crowd.count:,} objects"
        try:
            found["piles"] = Piles(blocks, maps, children).find(crowd, self.lengths, alive) if self.lengths is not None else []
        except Limit:
            found["remark"] = "; ".join([*filter(None, [found.get("remark")]), "to look for who keeps what grows takes too long"])
        except Exception as error:
            found["piles_error"] = type(error).__name__
        found.update(natives.told(blocks, maps), versions=versions_of_modules())
        return found

    def _children(self, children: list[dict[str, Any]]) -> dict[str, Any]:
        """What processes below have alone. That of a forked one which it did not allocate since it was first seen are pages that it shares no more: copied, as it wrote to them."""
        copied = alone = 0
        for child in children:
            new = max(0, child["resident"] - self.first_seen.setdefault(child["pid"], child["resident"]))
            own = min(child["alone"], new) if child["forked"] else child["alone"]
            alone, copied = alone + own, copied + child["alone"] - own
        names = [{"pid": child["pid"], "name": child["name"], "bytes": child["alone"]} for child in children[:NAMED_CHILDREN]]
        return {"count": len(children), "alone": alone, "copied": copied, "named": names}


looks = Looks()


def _head() -> dict[str, Any]:
    return {"time_us": int(time.time() * 1e6), "pid": os.getpid(), "steps": counters.steps}


def versions_of_modules() -> dict[str, str]:
    """The versions of packages, as they say it themselves: leaks of some are known."""
    named = [(name, module_dict(module).get("__version__")) for name, module in list(sys.modules.items()) if type(module) is types.ModuleType and "." not in name]
    return {cut(name): cut(str.__str__(version)) for name, version in named if descends(type(version), str)}


def is_importing() -> bool:
    """Whether some module is being imported: what is allocated for it says nothing of the job, and a copy would wait for ever for who imports, if it imported something."""
    modules = [module_dict(module) for module in list(sys.modules.values()) if type(module) is types.ModuleType]
    return any(getattr(names.get("__spec__"), "_initializing", False) for names in modules)


def _from_outside(why: str) -> dict[str, Any]:
    """The parts as far as the maps alone tell them."""
    maps = Maps(os.getpid())
    os.close(maps.pages)
    own = sum([each.own for each in maps.all if each.use == "file"])
    parts = {"shared_memory": maps.total("shared"), "stacks": maps.total("stack"), "library_data": own, "file": maps.total("file") - own,
             "anonymous_maps": maps.total("other") + maps.total("heap")}
    return {"resident": maps.bytes, "parts": parts, "coarse": True, "remark": "only the system was asked: " + why}


def block_signals() -> None:
    """Keeps signals away from this thread, and from the copies that it makes."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


@entry
def look_for_visitor(path: str, seconds: float, pause: float, native: str = "", tries: str = "") -> None:
    """Writes rows of looks for so many seconds, for somebody who attaches to the process, with the calls of C where there is a library for that, and tries then what gives memory back; in a
    thread of its own."""
    block_signals()
    if native:
        natives.begin(native)
    visit, began, count = Looks(), time.monotonic(), 0
    while count < MOST_LOOKS and can_copy() and not visit.is_over:
        visit.write(path, visit.look(pause or USUAL_PAUSE, lambda: visit.write(path, visit.level())))
        count += 1
        now = time.monotonic()
        if now - began >= seconds and (count >= FEWEST_LOOKS or count > 1 and now - began >= seconds * TIMES_LONGER):
            break
        while time.monotonic() < min(began + count * seconds / MOST_LOOKS, began + seconds):
            time.sleep(max(SHORTEST_GAP / 2, visit.level_cost * VISIT_COST))
            visit.write(path, visit.level())
    if native:
        natives.end()
    if tries:
        visit.write(path, dict(_head(), levels=try_all(tries.split(","))))
    if visit.lengths is not None:
        os.close(visit.lengths)
