"""Looks at the host's memory of this process: what a device's counters do not show, though it grows and is filled as theirs is.

Rows of NAME-PID.host.jsonl, each written at once: bytes of the process that belong to no file, such as Python's objects and tensors of the CPU; those of
them that are pinned, as torch's allocator counts them; and those of memory shared with other processes, such as a DataLoader's workers.
"""
from __future__ import annotations

import json
import sys
import time

from .errors import entry, pass_on
from .files import append_to, outputs

SIZES = {b"RssAnon": "host_anonymous_bytes", b"RssShmem": "host_shared_bytes"}  # as Linux names them; files that are mapped come and go as it likes


class Host:
    """What this process writes of it."""

    def __init__(self) -> None:
        self.is_broken = False  # a write failed, which may have cut a line

    @entry
    def look(self) -> None:
        """Writes a row, in some 0.1 ms; none where the system is not Linux."""
        if self.is_broken or sys.platform != "linux":
            return
        row = dict(_of_process(), host_pinned_bytes=_pinned(), time_us=int(time.time() * 1e6))
        path = outputs.path("host.jsonl")
        try:
            append_to(path, json.dumps(row).encode() + b"\n")
        except OSError as error:
            self.is_broken = outputs.give_way(path, error) is None


def _of_process() -> dict[str, int]:
    with open("/proc/self/status", "rb") as file:
        lines = [line.split() for line in file]
    return {SIZES[words[0][:-1]]: int(words[1]) * 1024 for words in lines if words[0][:-1] in SIZES}


def _pinned() -> int:
    """Bytes that torch has pinned; 0 where it does not count them, as before 2.6."""
    try:
        torch = sys.modules["torch"]
        count = getattr(torch._C, "_cuda_hostMemoryStats", None)
        return 0 if count is None or not torch.cuda.is_initialized() else int(count()["allocated_bytes"]["current"])
    except Exception as error:
        pass_on(error)
        return 0


host = Host()
