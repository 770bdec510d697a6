"""Adds up what the cyclic collector gave back, for the header of dumps."""
from __future__ import annotations

import gc
import types
from typing import Any, Optional

CYCLES = 64  # signatures that are kept
CALLS = 16  # lines that are kept


class Tally:
    """Collections that freed device memory, and the cycles that they found, each told once."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.freed = self.blocks = self.runs = self.unseen = 0
        self.cycles: dict[str, dict[str, Any]] = {}
        self.called: set[tuple[str, int, str]] = set()  # files, lines and functions that called the collector by its name, when that freed something

    def calls(self, frame: Optional[types.FrameType]) -> None:
        """Notes the call that a full collection interrupted, if its code names the collector's function: then that is most likely what it called."""
        if frame is not None and "collect" in frame.f_code.co_names and len(self.called) < CALLS:
            self.called.add((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))

    def add(self, freed: int, blocks: int) -> None:
        self.freed, self.blocks, self.runs = self.freed + freed, self.blocks + blocks, self.runs + 1

    def count(self, signature: str, cycle: str, leads_to: str, tensors: int, size: int) -> Optional[dict[str, Any]]:
        """Adds to what is known of a cycle; returns what to say of it, the first time."""
        known = self.cycles.get(signature)
        if known is not None:
            known["runs"], known["tensors"], known["bytes"] = known["runs"] + 1, known["tensors"] + tensors, known["bytes"] + size
            return None
        if len(self.cycles) == CYCLES:
            return None
        spelled = {"signature": signature, "cycle": cycle, "leads_to": leads_to}
        self.cycles[signature] = dict(spelled, runs=1, tensors=tensors, bytes=size)
        return spelled

    def header(self) -> dict[str, Any]:
        return {"collections": [stats["collections"] for stats in gc.get_stats()], "gpu_bytes_freed": self.freed, "gpu_blocks_freed": self.blocks,
                "runs_that_freed": self.runs, "runs_unseen": self.unseen, "cycles": list(self.cycles.values()),
                "called": sorted(self.called)}


tally = Tally()
