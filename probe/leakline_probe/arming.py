"""Switches the probe on: sets its hooks now, when torch has been imported, and in forked children."""
from __future__ import annotations

import atexit
import gc
import importlib.util
import os
import sys
from typing import Any

from .allocator import peaks
from .collector import listen, meter
from .counters import counters
from .errors import complain, entry, note_error, pass_on
from .files import make_folder, outputs
from .forks import end_copies
from .functions import functions
from .looks import looks
from .pause import collection
from .plan import plan, write
from .pools import call_before_pools_end, has_idle_pools
from .process import process
from .signals import announce, answer_signal, ignore_signal
from .tally import tally
from .watches import watch_cuda, watch_errors, watch_loaders, watch_optimizers, watch_regions
from .youth import end_youth

HOOKS = ("collector", "cuda", "errors", "forks", "host", "loaders", "optimizers", "regions", "timer", "torch")  # that LEAKLINE_WITHOUT may name
_watched_forks: list[bool] = []


@entry
def arm(out: str | None = None, at: str | None = None, max_pause: int | None = None) -> None:
    """Switches the probe on; parameters are as LEAKLINE_OUT, LEAKLINE_AT and LEAKLINE_MAX_PAUSE are.

    Imports no torch: what needs it waits until the job has imported it, and what needs CUDA until it is used.
    """
    if outputs.is_armed:
        return
    folder = os.path.abspath(out or os.environ.get("LEAKLINE_OUT") or "leakline-out")
    outputs.folder, outputs.run, outputs.spare = folder, os.environ.get("LEAKLINE_RUN") or None, os.environ.get("LEAKLINE_SPARE") or None
    outputs.note("armed")
    plan.begin(at or os.environ.get("LEAKLINE_AT") or "exit,oom,growth", max_pause)
    try:
        make_folder(folder)
    except OSError as error:
        outputs.folder = outputs.run
        outputs.note(f"trouble {error.strerror}")
        if outputs.run is None:
            complain(f"off, because it cannot write to {folder}: {error.strerror}")
            return
    for unknown in _left_out() - set(HOOKS):
        complain(f"LEAKLINE_WITHOUT has {unknown!r}; expected one of {', '.join(HOOKS)}")
    if _may_hook("forks"):
        os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
    if _may_hook("collector"):
        gc.callbacks.append(listen())
    atexit.register(_at_exit)
    answer_signal()
    looks.begin()
    if not _may_hook("torch"):
        return
    if hasattr(sys.modules.get("torch"), "cuda"):
        _on_torch()
    else:
        sys.meta_path.insert(0, TorchWatch())


start = arm  # the name for jobs that import the probe themselves


def _may_hook(hook: str) -> bool:
    return hook not in _left_out()


def _left_out() -> set[str]:
    """The hooks that are not to be set."""
    return set(filter(None, [name.strip() for name in os.environ.get("LEAKLINE_WITHOUT", "").split(",")]))


class TorchWatch:
    """Sees the import of torch coming, and calls _on_torch when it is done."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "torch":
            return None
        try:
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(name)
            if spec is not None and hasattr(spec.loader, "exec_module"):
                self.wrap(spec.loader)
            return spec
        except Exception as error:
            pass_on(error)
            note_error(error)
            return None

    @staticmethod
    def wrap(loader: Any) -> None:
        run = loader.exec_module

        def exec_module(module: Any) -> None:
            loader.__dict__.pop("exec_module", None)
            run(module)
            _on_torch()
        try:
            loader.exec_module = exec_module
        except AttributeError:  # a loader without room: torch is noticed at the first trigger
            pass


@entry
def _on_torch() -> None:
    """torch has been imported."""
    atexit.unregister(_at_exit)
    atexit.register(_at_exit)  # the last to be registered runs first: before torch's own
    call_before_pools_end(_before_pools_end)
    torch = sys.modules["torch"]
    outputs.note("torch")
    for name, watch in (("optimizers", watch_optimizers), ("loaders", watch_loaders), ("regions", watch_regions), ("errors", watch_errors), ("cuda", watch_cuda)):
        if _may_hook(name):
            watch(torch)


@entry
def _before_pools_end() -> None:
    if has_idle_pools():
        _write_exit()


def _write_exit() -> None:
    if outputs.is_armed and "exit" in plan.whens and plan.is_exit_due():
        write("exit")
        end_youth()


@entry
def _at_exit() -> None:
    if not outputs.is_armed:
        return
    _write_exit()
    counters.end(functions.unwritten())
    outputs.note("ended")
    ignore_signal()
    end_copies()


@entry
def _before_fork() -> None:
    """multiprocessing forgets exit handlers in a child, but keeps this."""
    util: Any = sys.modules.get("multiprocessing.util")
    if util is not None and not _watched_forks:
        _watched_forks.append(True)
        util.register_after_fork(meter, lambda _: util.Finalize(None, _at_exit, exitpriority=100))


@entry
def _after_fork() -> None:
    """A child counts for itself, from the step that its parent had reached."""
    process.is_forked, process.is_dumping, collection.is_running = True, False, False
    meter.restart()
    tally.restart()
    functions.restart()
    peaks.restart()
    plan.restart()
    counters.restart(counters.steps)
    if outputs.is_armed and "signal" in plan.whens:
        announce()
