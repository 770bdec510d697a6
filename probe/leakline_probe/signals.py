"""Answers SIGUSR2 with an output, where LEAKLINE_AT asks for that and the job does not use the signal itself."""
from __future__ import annotations

import json
import os
import signal
from typing import Any

from .errors import entry
from .files import outputs, write_file
from .frames import is_main_thread
from .pause import is_collecting
from .plan import plan, write
from .words import VERSION


def answer_signal() -> None:
    """Answers SIGUSR2 from now on. The ready file says so: without a handler the signal would kill."""
    if "signal" not in plan.whens or not is_main_thread() or signal.getsignal(signal.SIGUSR2) is not signal.SIG_DFL:
        return
    signal.signal(signal.SIGUSR2, _on_signal)
    announce()


def _on_signal(*_: Any) -> None:
    if is_collecting():
        plan.soon("request")
    else:
        write("request")


def announce() -> None:
    """Writes the ready file: which signal, and what it makes the process write."""
    ready = {"schema": "leakline.ready/1", "pid": os.getpid(), "signal": "SIGUSR2", "number": int(signal.SIGUSR2), "probe": VERSION,
             "holders": outputs.path("holders"), "snapshot": outputs.path("pickle")}
    write_file(outputs.path("ready"), json.dumps(ready).encode())


@entry
def ignore_signal() -> None:
    """Python gives a signal its default back while it ends, which for this one is death; an ignored one stays ignored."""
    if "signal" in plan.whens and signal.getsignal(signal.SIGUSR2) is _on_signal and is_main_thread():
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
        os.unlink(outputs.path("ready"))
