"""Sets hooks in torch: on optimizers for steps, on DataLoaders for epochs and batches, on CUDA's first use and on out-of-memory errors."""
from __future__ import annotations

import functools
import os
import sys
import types
from typing import Any, Callable

from .allocator import held_by_job
from .counters import counters
from .errors import entry
from .files import outputs
from .frames import module_of
from .growth import BATCHES, REGIONS
from .history import record_history
from .plan import plan, write
from .timer import watch_time
from .torch_facts import torch_ready

LAYERS = "torch.nn.", "torch.optim."  # modules whose regions without gradients are their own
HISTORY_ENTRIES = 200_000  # of torch's memory history, unless LEAKLINE_HISTORY says otherwise


@entry
def watch_optimizers(torch: Any) -> None:
    """A step of any optimizer, fused and compiled ones too. Since 2.0 torch has hooks; before, it wraps the step() of each class itself."""
    module = sys.modules["torch.optim.optimizer"]
    begin, end = [getattr(module, f"register_optimizer_step_{name}_hook", None) for name in ("pre", "post")]
    if begin is not None and end is not None:
        begin(_optimizer_begins)
        end(_optimizer_ends)
        return
    wrap = torch.optim.Optimizer._hook_for_profile

    @functools.wraps(wrap)
    def _hook_for_profile(self: Any) -> None:
        wrap(self)
        _watch_class(type(self))
    torch.optim.Optimizer._hook_for_profile = _hook_for_profile


@entry
def _watch_class(kind: Any) -> None:
    step_of_class = kind.step
    if hasattr(step_of_class, "_leakline"):
        return

    @functools.wraps(step_of_class)
    def watched(*arguments: Any, **named: Any) -> Any:
        _optimizer_begins(*arguments[:1])
        result = step_of_class(*arguments, **named)
        _optimizer_ends(*arguments[:1])
        return result
    watched._leakline = True  # type: ignore[attr-defined]
    kind.step = watched


@entry
def _optimizer_begins(optimizer: Any, *_: Any) -> None:
    counters.optimizer_begins(optimizer)


@entry
def _optimizer_ends(optimizer: Any, *_: Any) -> None:
    if counters.optimizer_ends(optimizer) and outputs.is_armed:
        plan.stepped()


@entry
def watch_loaders(_: Any) -> None:
    """An epoch is that a DataLoader is iterated; where nothing steps, its batches are looked at."""
    data = sys.modules["torch.utils.data"]
    _call_before(data.DataLoader, "__iter__", _epoch)
    _call_before(data.dataloader._BaseDataLoaderIter, "__next__", _batch)


def _call_before(kind: Any, name: str, action: Callable[[Any], None]) -> None:
    following = getattr(kind, name)
    if hasattr(following, "_leakline"):
        return

    @functools.wraps(following)
    def called(self: Any) -> Any:
        action(self)
        return following(self)
    called._leakline = True  # type: ignore[attr-defined]
    setattr(kind, name, called)


@entry
def _epoch(loader: Any) -> None:
    counters.epoch(loader)


@entry
def _batch(_: Any) -> None:
    if outputs.is_armed and plan.loops.turns(BATCHES):
        plan.sampled(BATCHES, held_by_job()[0])


@entry
def watch_regions(torch: Any) -> None:
    """Regions without gradients: what a server computes for a request, or a simulation for a turn."""
    modes = torch.autograd.grad_mode
    for kind, is_inside in ((modes.no_grad, lambda: not torch.is_grad_enabled()), (modes.inference_mode, torch.is_inference_mode_enabled)):
        _watch_region(kind, kind.__name__, is_inside)


def _watch_region(kind: Any, name: str, is_inside: Callable[[], bool]) -> None:
    leave = kind.__exit__
    if hasattr(leave, "_leakline"):
        return

    @functools.wraps(leave)
    def __exit__(self: Any, *error: Any) -> Any:
        result = leave(self, *error)
        if not is_inside() and not is_of_layers(sys._getframe(1)):  # regions may be nested
            _region_ends(name)
        return result
    __exit__._leakline = True  # type: ignore[attr-defined]
    __exit__._torchdynamo_disable = True  # type: ignore[attr-defined]
    kind.__exit__ = __exit__


def is_of_layers(frame: types.FrameType) -> bool:
    """Whether a call is of torch's layers or optimizers: each weight that is moved, loaded or initialised is a region of theirs, and no turn of a job."""
    return module_of(frame).startswith(LAYERS)


@entry
def _region_ends(name: str) -> None:
    if outputs.is_armed and plan.watches_growth() and plan.loops.turns(REGIONS) and counters.may_look():
        plan.loops.growths[REGIONS].turns = name
        plan.sampled(REGIONS, held_by_job()[0])
        counters.looked()


@entry
def watch_cuda(torch: Any) -> None:
    torch.cuda._lazy_call(_on_cuda)


@entry
def _on_cuda() -> None:
    """CUDA is being used for the first time; the allocator is there."""
    torch = sys.modules["torch"]
    outputs.note("device")
    watch_time()
    torch_ready()  # now, since the collector's callback, which needs it, is no place to make tensors
    attach: Any = getattr(torch._C, "_cuda_attach_out_of_memory_observer", None)
    if "oom" in plan.whens and attach is not None:
        attach(_out_of_memory)
    record_history(torch, int(os.environ.get("LEAKLINE_HISTORY") or HISTORY_ENTRIES), os.environ.get("LEAKLINE_STACKS") or "python")


def _out_of_memory(*_: Any) -> None:
    if outputs.is_armed and plan.shortage.may_write():
        write("oom")


@entry
def watch_errors(torch: Any) -> None:
    """Where torch has no observer, an out-of-memory error is seen when nobody caught it; its traceback still holds the frames."""
    if "oom" not in plan.whens or hasattr(torch._C, "_cuda_attach_out_of_memory_observer"):
        return
    following = sys.excepthook

    def excepthook(kind: Any, error: Any, trace: Any) -> None:
        if kind.__name__ == "OutOfMemoryError":
            _out_of_memory()
        following(kind, error, trace)
    sys.excepthook = excepthook
