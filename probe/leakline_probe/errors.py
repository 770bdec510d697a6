"""Keeps errors of the probe away from the job, and errors of the job away from the probe.

Whatever goes wrong in the probe ends here and is noted in last_error. But Python runs the job's signal handlers wherever the main thread happens to
be, also at any line of the probe; what they raise (KeyboardInterrupt, SystemExit, an exception of the job) goes on to the job.
"""
from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import types
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .classes import descends
from .frames import is_main_thread, is_ours

if TYPE_CHECKING:
    Callee = TypeVar("Callee", bound=Callable[..., Any])

last_error: str | None = None


def entry(function: Callee) -> Callee:
    """Marks a function that the job or Python calls: it returns None where the probe fails, and raises only what is the job's."""
    @functools.wraps(function)
    def guarded(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BaseException as error:
            if is_of_the_job(error):
                clear_our_frames(error)
                if is_plain_interrupt(error):
                    _interrupt.again  # noqa: B018
                    return None
                raise
            note_error(error)
    guarded._torchdynamo_disable = True  # type: ignore[attr-defined]  # torch.compile leaves it out, and does not warn of what it finds in it
    return guarded  # type: ignore[return-value]


def is_of_the_job(error: BaseException) -> bool:
    """True of KeyboardInterrupt, SystemExit, and all that was raised below a signal handler of the job."""
    if not descends(type(error), Exception):
        return True
    codes, trace = set(), error.__traceback__
    while trace is not None:
        if not is_ours(trace.tb_frame.f_code):
            codes.add(id(trace.tb_frame.f_code))
        trace = trace.tb_next
    return bool(codes) and is_main_thread() and any(id(code_of(signal.getsignal(number))) in codes for number in signal.valid_signals())


def is_plain_interrupt(error: BaseException) -> bool:
    """True of Ctrl-C where the job has no handler of its own, which would see it twice. Raised again by Python when we have returned, it shows none of us.

    Python 3.9 looks for signals at all instructions, also at those that return.
    """
    return type(error) is KeyboardInterrupt and sys.version_info >= (3, 10) and is_main_thread() and \
        signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Interrupt:
    """Asks Python to raise KeyboardInterrupt at the main thread's next look, which is not ours: to ask is a property, after which Python does not look."""
    again = property(ctypes.PYFUNCTYPE(None, ctypes.py_object)(("PyErr_SetInterrupt", ctypes.pythonapi)))


_interrupt = Interrupt()


def pass_on(error: BaseException) -> None:
    """Raises the error again if it is the job's. To be called first by whoever catches one."""
    if is_of_the_job(error):
        raise error


def code_of(handler: Any) -> object:
    """The code of a signal handler that is a function or a method; for all others an object that no frame has."""
    if type(handler) is types.MethodType:
        handler = handler.__func__
    return handler.__code__ if type(handler) is types.FunctionType else code_of


def clear_our_frames(error: BaseException) -> None:
    """Empties the probe's frames in a traceback: whoever keeps the error would keep all objects that the probe has looked at."""
    trace = error.__traceback__
    while trace is not None:
        if is_ours(trace.tb_frame.f_code):
            try:
                trace.tb_frame.clear()
            except RuntimeError:  # it still runs
                pass
        trace = trace.tb_next


def note_error(error: BaseException) -> None:
    global last_error
    last_error = f"{type(error).__name__}: {error}"[:300]
    if os.environ.get("LEAKLINE_DEBUG"):
        import traceback
        traceback.print_exception(type(error), error, error.__traceback__)


def complain(text: str) -> None:
    """Tells whoever runs the job, on its standard error."""
    try:
        sys.stderr.write(f"leakline: {text}\n")
    except Exception:  # closed, or something of the job's
        pass
