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
        if torch is None or not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork():
            return []
        return [(device, torch._C._cuda_memoryStats(device)) for device in range(torch.cuda.device_count())]
    except Exception as error:  # half imported, torn down, no CUDA in this build
        pass_on(error)
        return []


def allocator_rows() -> list[Row]:
    """A row for every device on which this process ever reserved memory. The peaks are those since reset_peak()."""
    kinds = ("allocated_bytes", "current"), ("reserved_bytes", "current"), ("allocated_bytes", "peak"), ("reserved_bytes", "peak")
    in_use = [(device, stats) for device, stats in raw_counters() if stats["reserved_bytes"]["all"]["peak"]]
    return [[device] + [stats[name]["all"][moment] for name, moment in kinds] for device, stats in in_use]


def reset_peak(device: int) -> None:
    sys.modules["torch"]._C._cuda_resetPeakMemoryStats(device)


def held_by_job() -> tuple[int, int]:
    """Bytes and blocks that the job has from the allocator, on all devices."""
    counters_of_all = [stats for _, stats in raw_counters()]
    return (sum([stats["allocated_bytes"]["all"]["current"] for stats in counters_of_all]),
            sum([stats["allocation"]["all"]["current"] for stats in counters_of_all]))


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
