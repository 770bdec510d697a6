"""Reads what torch's allocator counts for each device, and keeps the peaks of the whole job though others set them back."""
from __future__ import annotations

import sys
from typing import Any

from .errors import pass_on

Row = list[int]  # device, allocated, reserved, most allocated, most reserved; in bytes


def raw_counters() -> list[tuple[int, dict[str, Any]]]:
    """torch's own counters of every device that this process uses. 20 us a device."""
    try:
        torch = sys.modules.get("torch")
        if torch is None or torch.cuda._is_in_bad_fork():
            return []
        if not torch.cuda.is_initialized():
            return _other_counters(torch)
        return [(device, torch._C._cuda_memoryStats(device)) for device in range(torch.cuda.device_count())]
    except Exception as error:  # half imported, torn down, no CUDA in this build
        pass_on(error)
        return []


def _other_counters(torch: Any) -> list[tuple[int, dict[str, Any]]]:
    """Those of accelerators whose allocators count as CUDA's does, such as Intel's, and of Apple's, which counts nothing but bytes."""
    if getattr(torch._C, "_accelerator_isAllocatorInitialized", bool)():
        is_forked = getattr(getattr(torch, "xpu", None), "_is_in_bad_fork", bool)()
        return [] if is_forked else [(device, torch._C._accelerator_getDeviceStats(device)) for device in range(torch.accelerator.device_count())]
    if sys.platform != "darwin" or not torch.backends.mps.is_available():
        return []
    held, reserved = torch.mps.current_allocated_memory(), torch.mps.driver_allocated_memory()
    kinds = {"allocated_bytes": {"current": held, "peak": held}, "reserved_bytes": {"current": reserved, "peak": reserved},
             "allocation": {"current": 0, "allocated": 0, "freed": 0}}
    return [(0, {kind: {"all": counted} for kind, counted in kinds.items()})]


def allocator_rows() -> list[Row]:
    """A row for every device on which this process ever reserved memory. The peaks are those since reset_peak()."""
    kinds = ("allocated_bytes", "current"), ("reserved_bytes", "current"), ("allocated_bytes", "peak"), ("reserved_bytes", "peak")
    in_use = [(device, stats) for device, stats in raw_counters() if stats["reserved_bytes"]["all"]["peak"]]
    return [[device] + [stats[name]["all"][moment] for name, moment in kinds] for device, stats in in_use]


def reset_peak(device: int) -> None:
    torch = sys.modules["torch"]
    if torch.cuda.is_initialized():
        torch._C._cuda_resetPeakMemoryStats(device)
    elif getattr(torch._C, "_accelerator_isAllocatorInitialized", bool)():
        torch._C._accelerator_resetPeakStats(device)


def held_by_job() -> tuple[int, int]:
    """Bytes and blocks that the job has from the allocator, on all devices."""
    counters_of_all = [stats for _, stats in raw_counters()]
    return (sum([stats["allocated_bytes"]["all"]["current"] for stats in counters_of_all]),
            sum([stats["allocation"]["all"]["current"] for stats in counters_of_all]))


def allocations() -> int:
    """How often the job has allocated, on all devices."""
    return sum([stats["allocation"]["all"]["allocated"] for _, stats in raw_counters()])


class Peaks:
    """The highest peaks of each device from before they were set back: torch has one counter for each, and profiled functions set it back."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.highest: dict[int, list[int]] = {}

    def set_back(self, device: int, reached: list[int]) -> None:
        self.highest[device] = list(map(max, reached, self.highest.get(device, (0, 0))))
        reset_peak(device)

    def of_the_job(self) -> list[Row]:
        """The allocator's rows with the peaks of the whole job, as though nothing had set them back."""
        rows = allocator_rows()
        for row in rows:
            row[3:] = map(max, row[3:], self.highest.get(row[0], (0, 0)))
        return rows


peaks = Peaks()
