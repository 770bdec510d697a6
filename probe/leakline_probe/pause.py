"""Makes the process stand still for a look at it, and puts off what may not be done while the cyclic collector is at work."""
from __future__ import annotations

import ctypes
import functools
import sys
import threading
import time
import types
from typing import Any, Callable

HOLD_LOCK_SECONDS = 10.0  # how long other threads wait at most: longer than nearly any dump takes, at the end of which the interval is as before
HOLD_LOCK_PAUSES = 2  # the same where a dump may take so long: a thread that gets in all the same, as a busy machine woke it late, runs for as long
COLLECTION_SECONDS = 3.0  # how long another thread's collection is waited for: a look at what it finds takes no longer than LONGEST_LOOK, and it itself less
COLLECTION_POLL = 1e-3  # seconds
LONGEST_INTERVAL = 0.02  # seconds of a job's own switch interval that are waited for before a dump


def hold_lock(interval: float, pause: float | None) -> None:
    """Keeps other threads from the interpreter for as long as a dump takes. interval is the switch interval of the job, to be set again afterwards.
    pause is how many seconds the dump may take, where that is bounded.

    A thread that waits already asks for the lock after the old interval. So that it does not get it in the middle of the dump, that interval is
    waited out, asleep with the lock held: the thread asks now, has its turn as soon as we wake, and waits the new interval for the next one.
    """
    sys.setswitchinterval(HOLD_LOCK_PAUSES * pause if pause else HOLD_LOCK_SECONDS)
    if len(sys._current_frames()) > 1:
        ctypes.PyDLL(None).usleep(int(min(interval, LONGEST_INTERVAL) * 3e6))  # thrice: a busy machine wakes threads late


class Collection:
    """Whether the cyclic collector is at work. The part collector.py, which the collector calls, keeps this up to date."""
    is_running = False  # between the collector's two calls, and in them
    callback: types.CodeType | None = None  # the code that the collector calls
    thread = 0  # that it works in

    def is_on_the_stack(self) -> bool:
        """Whether we are called from below the collector's call, where is_running may not be set yet, or not any more."""
        frame: types.FrameType | None = sys._getframe()
        while frame is not None and frame.f_code is not self.callback:
            frame = frame.f_back
        return frame is not None

    def wait(self) -> None:
        """Waits for the end of what goes on in another thread: a look at garbage holds tensors in lists of ours, and the collector has objects in none."""
        limit = time.monotonic() + COLLECTION_SECONDS
        while self.is_running and self.thread != threading.get_ident() and time.monotonic() < limit:
            time.sleep(COLLECTION_POLL)


collection = Collection()


def is_collecting() -> bool:
    """True from the collector's first call to the end of its last; its lists are in pieces then, and C++ may be half way through its work."""
    return collection.is_on_the_stack() or collection.is_running


class Later:
    """Something to do at one of the main thread's next instructions, where it may also raise; not before the collector is done.

    Python calls a function of C for us there, and PyObject_IsTrue is one that asks its argument's class. To ask is a property and no method, because
    after a call Python looks for pending calls at once, finds that it is handling them already, and since 3.13 forgets that there is one.
    """
    waiting: list[Later] = []  # Python has no reference to them
    ask = property(functools.partial(ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.py_object)(("Py_AddPendingCall", ctypes.pythonapi)),
                                     ctypes.cast(ctypes.pythonapi.PyObject_IsTrue, ctypes.c_void_p)))

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action = action
        Later.waiting.append(self)
        self.ask  # noqa: B018

    def __bool__(self) -> bool:
        if is_collecting():
            self.ask  # noqa: B018
        elif self in Later.waiting:
            Later.waiting.remove(self)
            self.action()
        return False  # anything else is an error
