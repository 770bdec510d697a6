"""Switches torch's memory history on, and writes torch's memory snapshot."""
from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from .errors import entry
from .files import write_file


def record_history(torch: Any, entries: int, stacks: str) -> None:
    """Has torch record allocations with their stacks. torch 1.13 takes a switch, 2.0 a switch and sizes, later ones words."""
    if entries <= 0:
        return
    memory = torch.cuda.memory
    record = memory._record_memory_history
    names = record.__code__.co_varnames
    if hasattr(memory, "_record_memory_history_impl"):
        record("all", stacks=stacks, max_entries=entries)
    elif "trace_alloc_max_entries" in names:
        record(True, trace_alloc_max_entries=entries, trace_alloc_record_context=True)
    elif "max_entries" in names:
        record("all", stacks=stacks, max_entries=entries)
    else:
        record(True)


@entry
def snapshot(path: str | os.PathLike[str]) -> str | None:
    """Writes torch.cuda.memory._snapshot() as _dump_snapshot does; returns the path, or None where there is none."""
    torch = sys.modules["torch"]
    if not torch.cuda.is_initialized() or torch.cuda._is_in_bad_fork():
        return None
    return write_file(path, pickle.dumps(torch.cuda.memory._snapshot()))
