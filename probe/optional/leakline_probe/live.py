"""What the optional modules share: which storages are alive, the user's line of a call, sizes as Leakline spells them."""
from __future__ import annotations

import gc
import linecache
import os
import sys
import types
from typing import Any, NamedTuple, Optional

from leakline_probe import FROZEN, Dump, Graph, Picked, State, find_targets, held_by_job, own_files, peaks, raw_counters, run_alone

own_files.update((__file__, os.path.join(os.path.dirname(os.path.dirname(__file__)), "leakline_pytest.py")))
UNITS = ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)
Storages = dict[int, tuple[int, int, int]]  # by the key of the storage: device, address of the data, bytes


def size_text(size: float) -> str:
    """Three digits and a unit: 4.00 MiB."""
    unit, factor = next(((name, factor) for name, factor in reversed(UNITS) if abs(size) >= factor), UNITS[0])
    value = size / factor
    digits = 0 if unit == "B" else max(0, 3 - len(str(int(abs(value)))))
    return f"{value:.{digits}f} {unit}"


class Look(Dump):
    """Lists the storages that tensors and autograd's graph have, without their holders. Objects that gc.freeze() hides are left out."""

    def __init__(self, device_kind: str) -> None:
        super().__init__("request", device_kind, None)
        self.storages: Storages = {}

    def _fill(self, state: State) -> None:
        objects = gc.get_objects()
        picked = Picked(state, objects)
        objects.clear()
        state.take_all(picked.tensors)
        Graph(state, picked.node_ids, picked.has_saving_hooks, float("inf")).walk(picked.tensors, True)
        places = find_targets(state, self.device_kind, picked.tensors, picked.storages)
        picked.clear()
        self.storages = {key: (device, data, size) for device, key, data, size in places.values() if size}


def live_storages(device_kind: str) -> Storages:
    """The storages on GPUs (cuda) or in host memory (cpu)."""
    look = Look(device_kind)
    return look.storages if run_alone(look) else {}


def live_bytes(device_kind: str) -> int:
    return sum([size for _, _, size in live_storages(device_kind).values()])


class OnlyNew:
    """Hides all objects that are there from the cyclic collector and from Look, so that both take time only for new ones."""

    def __enter__(self) -> OnlyNew:
        gc.collect()
        self.is_ours = gc.get_freeze_count() <= FROZEN
        if self.is_ours:
            gc.freeze()
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_ours:
            gc.unfreeze()


def levels_now() -> tuple[dict[int, int], int]:
    """Bytes allocated on each GPU, whose peak begins anew, and bytes of CPU tensors."""
    return begin_peak(), _host_bytes()


def begin_peak() -> dict[int, int]:
    """What is allocated now; from here on torch counts a new peak, while the probe keeps the one of the whole job."""
    levels = {}
    for device, allocated, _, *reached in peaks.of_the_job():
        levels[device] = allocated
        peaks.set_back(device, reached)
    return levels


def peak_above(levels: dict[int, int]) -> int:
    """The peak since then, above what was allocated: of the GPU where that is most."""
    return max([stats["allocated_bytes"]["all"]["peak"] - levels.get(device, 0) for device, stats in raw_counters()], default=0)


def left_by(before: tuple[dict[int, int], int]) -> dict[str, Any]:
    """What was left of a call, and its peak on a GPU. Where it used none, CPU tensors are counted."""
    peak, left = peak_above(before[0]), held_by_job()[0] - sum(before[0].values())
    if peak > 0 or left:
        return {"memory": "GPU", "peak": peak, "left": left}
    return {"memory": "CPU", "peak": None, "left": _host_bytes() - before[1]}


def _host_bytes() -> int:
    return live_bytes("cpu") if hasattr(sys.modules.get("torch"), "Tensor") else 0


class Site(NamedTuple):
    """A line of the user's code."""
    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{os.path.relpath(self.file) if os.path.exists(self.file) else self.file}:{self.line} in {self.function}"

    @property
    def source(self) -> str:
        return linecache.getline(self.file, self.line).strip()


_libraries = tuple({os.path.join(os.path.abspath(place), "lib", "") for place in (sys.prefix, sys.base_prefix)})


def is_users(file: str) -> bool:
    """Whether code of the file is the user's own: of no installed package, not of Python and not of the probe."""
    return file not in own_files and "-packages" not in file and not file.startswith(_libraries + ("<frozen", "<__array_function__"))


def site_of(frame: Optional[types.FrameType]) -> Optional[Site]:
    """The line nearest to a call that is the user's own."""
    while frame is not None and not is_users(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
