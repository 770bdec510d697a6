"""Looks at threads and at the calls that they run, and tells the probe's own calls from those of the job.

The probe is one file when it runs, so a frame is ours if its code comes from this file, or from an optional module, which adds its own.
"""
from __future__ import annotations

import sys
import threading
import types
from typing import Any

OLD_FRAMES = sys.version_info < (3, 11)  # frames are objects that the collector looks into, also while they run
SNAPSHOT_LOCALS = sys.version_info < (3, 13)  # f_locals leaves a dict on the frame
LOADING = {"torch": ("_apply", "load_state_dict"), "safetensors": ("load_file",), "transformers": ("from_pretrained",), "diffusers": ("from_pretrained",),
           "peft": ("from_pretrained",)}  # functions that load models, by the packages that have them: a job may give its own the same names
HAS_FAST_LOCALS = 1  # a flag of code objects, as inspect has it: set for functions, not for the bodies of modules and classes
own_files = {(lambda: None).__code__.co_filename}  # has no __file__ where it runs from a string


def is_ours(code: types.CodeType) -> bool:
    return code.co_filename in own_files


def is_our_frame(thing: Any) -> bool:
    """Whether an object is a frame of the probe. Such frames refer to what they look at."""
    return type(thing) is types.FrameType and is_ours(thing.f_code)


def is_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def job_frame() -> types.FrameType | None:
    """The innermost running call that is not the probe's."""
    frame: types.FrameType | None = sys._getframe()
    while frame is not None and is_ours(frame.f_code):
        frame = frame.f_back
    return frame


def running_frames() -> list[types.FrameType]:
    """The running frames of all threads, without the probe's own."""
    found = []
    frame: types.FrameType | None
    for frame in sys._current_frames().values():
        while frame is not None:  # and None in the end: a frame of ours that is kept in its own variable would refer to itself
            if not is_ours(frame.f_code):
                found.append(frame)
            frame = frame.f_back
    return found


def is_loading() -> bool:
    """Whether some call loads a model, or moves it to a device."""
    return any(frame.f_code.co_name in LOADING.get(module_of(frame).partition(".")[0], ()) for frame in running_frames())


def module_of(frame: types.FrameType) -> str:
    """The name of the module whose code a call runs, empty where it has none."""
    name = dict.get(frame.f_globals, "__name__")
    return name if type(name) is str else ""


def locals_of(frame: types.FrameType) -> list[tuple[str, Any]]:
    """The names and values of a call's own variables.

    Up to Python 3.12, reading f_locals leaves a dict on the frame that keeps the values alive, also after the job deletes a variable. So that
    dict is emptied again, unless a debugger or somebody else uses it.
    """
    if not frame.f_code.co_flags & HAS_FAST_LOCALS:
        return namespace_of(frame)
    if not SNAPSHOT_LOCALS:
        return list(frame.f_locals.items())
    names = frame.f_locals
    found = list(names.items())
    if sys.gettrace() is None and frame.f_trace is None and sys.getrefcount(names) <= 3:  # the frame's, ours, the call's: nobody else sees it
        names.clear()
    return found


def namespace_of(frame: types.FrameType) -> list[tuple[str, Any]]:
    """The variables of a class body. A module's are left out: they are found in the module. A name that is no plain str may run code of the job."""
    if frame.f_locals is frame.f_globals or type(frame.f_locals) is not dict:
        return []
    return [(name, value) for name, value in dict.items(frame.f_locals) if type(name) is str]
