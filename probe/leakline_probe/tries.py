"""Tries what gives memory back, where somebody asks for it by `leakline attach --try`: what comes back was not lost.

Each is what the job could call itself: a collection of the garbage, the cache of pinned blocks emptied, the allocator told to give back what is free. In this order, since the first frees
what the next ones give back.
"""
from __future__ import annotations

import ctypes
import gc
import os
import sys
from typing import Any

from .errors import note_error
from .smaps import rollup

IN_ORDER = "gc", "pinned", "trim"
ALL_ARENAS = b"arena.4096.purge"  # as jemalloc calls them


def try_all(names: list[str]) -> dict[str, int]:
    """Bytes that came back by each that was requested and that this process has."""
    found = {}
    for name in IN_ORDER:
        act = _action(name) if name in names else None
        if act is not None:
            title, call = act
            before = _resident()
            try:
                call()
                found["try_" + title] = max(0, before - _resident())
            except Exception as error:  # what the job's finalizers raise Python prints by itself
                note_error(error)
    return found


def _resident() -> int:
    return rollup(os.getpid())[b"Rss"]


def _action(name: str) -> tuple[str, Any] | None:
    torch: Any = sys.modules.get("torch")
    library = ctypes.CDLL(None)
    if name == "gc":
        return "gc.collect", gc.collect
    if name == "pinned":
        empty = getattr(getattr(torch, "_C", None), "_host_emptyCache", None) or getattr(getattr(torch, "_C", None), "_accelerator_emptyHostCache", None)
        is_used = empty is not None and torch.cuda.is_initialized()
        return ("empty_host_cache", empty) if is_used else None
    if hasattr(library, "mallctl"):
        return "purge", lambda: library.mallctl(ALL_ARENAS, None, None, None, ctypes.c_size_t(0))
    return ("malloc_trim", lambda: library.malloc_trim(ctypes.c_size_t(0))) if hasattr(library, "malloc_trim") else None
