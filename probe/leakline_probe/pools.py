"""Tells when Python is about to end pools of threads, which it does before all else that it does at its end.

A server that is still asked then, as gRPC's may be, loses what it is asked from then on, and some wait for that to end. So what takes long at the exit is
done before, where nothing but idle pools is left to be waited for.
"""
from __future__ import annotations

import importlib
import sys
import threading
from typing import Any, Callable

from .kinds import own_value


def call_before_pools_end(action: Callable[[], Any]) -> None:
    importlib.import_module("concurrent.futures.thread")  # has what ends them called; the last to ask for that is called first
    threading._register_atexit(action)  # type: ignore[attr-defined]


def has_idle_pools() -> bool:
    """Whether there are pools with nothing more to do, and no other threads that Python waits for when it ends."""
    queues = {id(thread): queue for thread, queue in list(sys.modules["concurrent.futures.thread"]._threads_queues.items())}
    active = [thread for thread in list(threading._active.values()) if thread is not threading.main_thread()]  # type: ignore[attr-defined]
    waited_for = [id(thread) for thread in active if not own_value(thread, "_daemonic")]
    return bool(waited_for) and all(thread in queues and queues[thread].empty() for thread in waited_for)
