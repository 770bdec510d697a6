"""Lets a script find GPUs, whose tensors are moved, loaded and read as though there were some."""
from __future__ import annotations

import types
from typing import Any, Callable

from .attention import choose_attention
from .engine import hide_from_engine
from .kernels import PROCESSORS, THREADS
from .moving import move_in_place
from .recorder import Recorder

DEVICES = 8  # more than a script on one machine asks for
MEMORY = 1 << 40  # what scripts are told that a device has


def pretend(torch: Any, fake_tensor: Any, recorder: Recorder) -> None:
    """Lets a script find a GPU that has room for everything."""
    cuda = torch.cuda
    hide_from_engine(torch, fake_tensor, recorder)
    torch._C._ensureCUDADeviceGuardSet()
    fake_tensor.init_gpu_context = lambda *_: None

    def gives(value: Any) -> Callable[..., Any]:
        return lambda *_, **__: value
    properties = types.SimpleNamespace(name="estimate", total_memory=MEMORY, major=8, minor=0, multi_processor_count=PROCESSORS, is_integrated=False,
                                       max_threads_per_multi_processor=THREADS, warp_size=32, gcnArchName="")
    for name, value in {
            "is_available": True, "device_count": DEVICES, "current_device": 0, "_lazy_init": None, "is_initialized": True, "init": None,
            "get_device_name": "estimate", "get_device_capability": (8, 0), "get_device_properties": properties, "synchronize": None,
            "empty_cache": None, "set_device": None, "memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0,
            "max_memory_reserved": 0, "reset_peak_memory_stats": None, "mem_get_info": (MEMORY, MEMORY), "memory_summary": "", "memory_stats": {},
            "manual_seed": None, "manual_seed_all": None, "is_bf16_supported": True, "ipc_collect": None, "get_rng_state": None,
            "set_rng_state": None, "set_per_process_memory_fraction": None}.items():
        setattr(cuda, name, gives(value))
    for name in ("_record_memory_history", "_dump_snapshot", "_snapshot", "empty_cache", "reset_peak_memory_stats", "set_per_process_memory_fraction"):
        setattr(cuda.memory, name, gives(None))
    for name, value in {"memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0,
                        "mem_get_info": (MEMORY, MEMORY)}.items():
        setattr(cuda.memory, name, gives(value))
    torch.accelerator.is_available = gives(True)
    from torch.optim import optimizer
    optimizer._foreach_supported_types.append(fake_tensor.FakeTensor)
    move_in_place(torch, fake_tensor.FakeTensor, recorder)
    load_here(torch)
    hand_over(torch)
    choose_attention(torch)


def load_here(torch: Any) -> None:
    """Loads in this process what a loader would in others, which fake tensors do not reach."""
    loader = torch.utils.data.DataLoader
    make = loader.__init__

    def alone(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > 5:
            args = (*args[:5], 0, *args[6:])
        kwargs.update({"num_workers": 0} if len(args) <= 5 else {})
        for name in ("prefetch_factor", "persistent_workers", "multiprocessing_context", "pin_memory"):
            kwargs.pop(name, None)
        make(self, *args, **kwargs)
    loader.__init__ = alone


def hand_over(torch: Any) -> None:
    """Gives zeros to what asks for a tensor's values."""
    tensor = torch.Tensor

    def zeros(self: Any) -> Any:
        import numpy
        kind = torch.empty(0, dtype=self.dtype, device="meta").dtype
        return numpy.zeros(tuple(self.shape), dtype=str(kind).rsplit(".", 1)[1].replace("bfloat16", "float32"))
    tensor.numpy = lambda self, **_: zeros(self)
    tensor.tolist = lambda self: zeros(self).tolist()
    tensor.pin_memory = lambda self, *_: self
