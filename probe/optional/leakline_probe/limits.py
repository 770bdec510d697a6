"""Runs a test several times, measures what each run leaves behind and what it takes at its peak, and says which line and which holder it is.

The first runs warm up: they import, load and fill caches, and show which memory the test uses. What grows after them in the first and in the second
half of the measured runs is a leak, unless it stops in longer rounds that follow: a cache that is not full yet. Before each measurement the cyclic
collector runs, so what it frees is no leak here.
"""
from __future__ import annotations

import collections
import gc
import re
import sys
import time
from typing import Any, Callable, NamedTuple, Optional, Union

from leakline_probe import held_by_job, holders_of, own_files, raw_counters

from .live import OnlyNew, Site, begin_peak, live_bytes, live_storages, peak_above, size_text
from .tracing import trace_of

own_files.add(__file__)
RUNS, WARMUPS = 4, 1
ROUNDS = 2, 4  # times as many runs, before growth is called a leak
PATIENCE = 60.0  # seconds, after which no further round begins
TRACED_RUNS = 2
MOST_LINES, MOST_HOLDERS = 3, 3
SIZES = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}
Run = Callable[[], object]


def bytes_of_text(size: Union[int, str]) -> int:
    """The bytes of "1 MB", "24 MiB" or a number."""
    if isinstance(size, int):
        return size
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?i?B|)\s*", str(size), re.IGNORECASE)
    if match is None or match[2].upper() not in SIZES:
        raise ValueError(f"expected a size such as '1 MB' or '24 MiB', found {size!r}")
    return int(float(match[1]) * SIZES[match[2].upper()])


class Limits(NamedTuple):
    """What the mark of a test requests; sizes in bytes and as they were written."""
    leaks: Optional[int]
    leaks_text: object
    peak: Optional[int]
    peak_text: object
    warmups: int
    runs: int

    @classmethod
    def of(cls, leaks: Any = None, peak: Any = None, warmups: int = WARMUPS, runs: int = RUNS) -> Limits:
        """A mark without sizes allows no leak at all."""
        if leaks is None and peak is None:
            leaks = 0
        if not isinstance(runs, int) or runs < 2 or not isinstance(warmups, int) or warmups < 0:
            raise ValueError(f"expected runs of at least 2 and warmups of at least 0, found runs={runs!r}, warmups={warmups!r}")
        return cls(None if leaks is None else bytes_of_text(leaks), leaks, None if peak is None else bytes_of_text(peak), peak, warmups, runs)


class Meter:
    """The memory that a test uses: that of GPUs where its first run allocated there, else that of CPU tensors."""

    def __init__(self, allocations: int) -> None:
        self.device_kind = "cpu" if allocations_so_far() == allocations else "cuda"
        self.peak = 0  # bytes above what was allocated before a run; on a GPU only

    @property
    def noun(self) -> str:
        return "CPU tensor memory" if self.device_kind == "cpu" else "GPU memory"

    def held(self) -> int:
        gc.collect()
        return live_bytes("cpu") if self.device_kind == "cpu" else held_by_job()[0]

    def measure(self, run: Run) -> None:
        """Runs once and takes the peak, where the allocator counts one."""
        if self.device_kind == "cpu":
            run()
            return
        before = begin_peak()
        run()
        self.peak = max(self.peak, peak_above(before))


def allocations_so_far() -> int:
    """How often memory of a GPU was requested from torch's allocator."""
    return sum([stats["allocation"]["all"]["allocated"] for _, stats in raw_counters()])


def failure_of(run: Run, limits: Limits) -> Optional[str]:
    """Runs a test as often as it takes; what is wrong with its memory, or None."""
    allocations, warmups = allocations_so_far(), max(limits.warmups, 1)
    for _ in range(warmups):
        run()
    if not hasattr(sys.modules.get("torch"), "Tensor"):
        return None
    meter = Meter(allocations)
    begin = time.monotonic()
    for times in (1, *ROUNDS):
        with OnlyNew():
            sizes = [meter.held()]
            for _ in range(limits.runs * times):
                meter.measure(run)
                sizes.append(meter.held() if limits.leaks is not None else 0)
        growth = growth_of(sizes)
        if limits.leaks is None or growth <= limits.leaks or time.monotonic() - begin > PATIENCE:
            break
    if limits.leaks is not None and growth > limits.leaks:
        return leak_text(run, limits, meter, growth, sizes)
    return peak_text(run, limits, meter) if limits.peak is not None else None


def growth_of(sizes: list[int]) -> float:
    """Bytes per run, by which both the first and the second half of the runs grew."""
    half, last = len(sizes) // 2, len(sizes) - 1
    return max(0.0, min((sizes[half] - sizes[0]) / half, (sizes[last] - sizes[half]) / (last - half)))


def leak_text(run: Run, limits: Limits, meter: Meter, growth: float, sizes: list[int]) -> str:
    lines = [f"leakline: this test leaks {size_text(growth)} of {meter.noun} per run (limit {limits.leaks_text})",
             f"  grew by {size_text(sizes[-1] - sizes[0])} in {len(sizes) - 1} runs, after warm-up and garbage collection"]
    before = live_storages(meter.device_kind)  # of all objects: a new graph leads to weights that were there
    with OnlyNew():
        with trace_of(meter.device_kind) as trace:
            for _ in range(TRACED_RUNS):
                run()
            gc.collect()
            after = live_storages(meter.device_kind)
    new: dict[Optional[Site], list[tuple[int, int]]] = collections.defaultdict(list)
    for key, (device, data, size) in after.items():
        if before.get(key) != (device, data, size):
            new[trace.site(key, data)].append((size, key))
    ranked = sorted(new.items(), key=lambda item: -sum([size for size, _ in item[1]]))
    for site, blocks in ranked[:MOST_LINES]:
        each = sum([size for size, _ in blocks]) / TRACED_RUNS
        lines.append(f"  {size_text(each)} per run allocated at {site_text(site)}")
        lines += [f"    held by {holder}" for holder in holders_of(max(blocks)[1], meter.device_kind)[:MOST_HOLDERS]] or \
            ["    held by nothing that Python shows: C++ or a library"]
    if not ranked:
        lines.append("  not held by tensors that Python shows: a library or C++ holds it")
    return "\n".join(lines + _remark(meter))


def site_text(site: Optional[Site]) -> str:
    return "a line that was not recorded" if site is None else f"{site}" + (f": {site.source}" if site.source else "")


def peak_text(run: Run, limits: Limits, meter: Meter) -> Optional[str]:
    limit = limits.peak or 0
    if meter.device_kind != "cpu" and meter.peak <= limit:
        return None
    with trace_of(meter.device_kind) as trace:
        run()
    peak = meter.peak if meter.device_kind != "cpu" else getattr(trace, "highest", 0)
    if peak <= limit:
        return None
    lines = [f"leakline: this test allocates {size_text(peak)} of {meter.noun} at its peak (limit {limits.peak_text})"]
    lines += [f"  {size_text(size)} allocated at {site_text(site)}" for site, size in trace.peak.most_common(MOST_LINES)]
    return "\n".join(lines + _remark(meter))


def _remark(meter: Meter) -> list[str]:
    return ["  CPU tensors were counted, because this test allocated nothing on a GPU"] if meter.device_kind == "cpu" else []
