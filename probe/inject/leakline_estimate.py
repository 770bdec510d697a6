"""Runs a training script without a GPU and without memory: torch's FakeTensorMode gives each tensor its shape, type and device but no bytes. What it would
have allocated on the GPU is recorded as torch's own memory history would be, for `leakline estimate`.

A block lives as long as its storage: torch tells when its last tensor is freed, in the forward pass as well as in the engine of the backward pass.
What a kernel needs beside its results is not known, and nothing has a value: a script that goes by values goes the way of zeros.
"""
from __future__ import annotations

import atexit
import importlib.abc
import importlib.machinery
import math
import os
import pickle
import signal
import sys
import threading
import time
import types
import weakref
from typing import Any, Callable, Optional

STEPS = "LEAKLINE_ESTIMATE"  # how many steps of each optimizer to go on for
OUT = "LEAKLINE_OUT"
PATIENCE = 60.0  # seconds without a step, after which it says what it waits for; most scripts have taken both by then
DEVICES = 8  # more than a script on one machine asks for
MEMORY = 1 << 40  # what scripts are told that a device has
GROUND = 0x700000000000  # where addresses begin: as high as a GPU's are
UNIT = 512  # the allocator's smallest block
ENGINE = "_engine_run_backward"
WORKSPACE = 2 * (4 << 20) + 8 * (16 << 10)  # cuBLAS's where no CUBLAS_WORKSPACE_CONFIG says otherwise, before Hopper
PROCESSORS, THREADS = 108, 2048  # of the GPU that scripts are told of: its multiprocessors, and the threads of each
REDUCTIONS = ("sum", "mean", "prod", "amax", "amin", "nansum")
PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "addbmm", "addmv", "mv", "dot")


class Recorder:
    """Allocations and frees of the fake devices, as torch's history has them."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.events: list[dict[str, Any]] = []
        self.next = GROUND
        self.storages: dict[int, tuple[Any, int, int]] = {}  # by id: a weak reference, an address, bytes
        self.lock = threading.RLock()
        self.frames: dict[tuple[types.CodeType, int], dict[str, Any]] = {}
        self.hidden = (os.path.dirname(torch.__file__) + "/_subclasses/", os.path.dirname(torch.__file__) + "/utils/_python_dispatch", __file__,
                       os.path.dirname(torch.__file__) + "/_ops.py", os.path.dirname(torch.__file__) + "/utils/_stats.py",
                       os.path.dirname(torch.__file__) + "/_compile.py", os.path.dirname(torch.__file__) + "/_dynamo/",
                       os.path.dirname(torch.__file__) + "/_prims", os.path.dirname(torch.__file__) + "/_decomp/")
        self.workspaces: set[bool] = set()  # of the script's thread, of the engine's
        self.fresh: dict[int, Any] = {}  # results of the last operator that the graph is about to note
        self.is_noting = False
        self.accumulators: dict[int, Any] = {}  # of parameters: what the graph has noted of them
        self.sum: Optional[tuple[int, int, Any, int]] = None  # of gradients: the storage of the first, of the sum, a weak reference to the latter, bytes

    def stack(self) -> list[dict[str, Any]]:
        """The Python frames of this thread, the innermost first; in the engine only those that it called."""
        found = []
        frame: Optional[types.FrameType] = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_name == ENGINE:
                break
            if not code.co_filename.startswith(self.hidden):
                place = (code, frame.f_lineno)
                known = self.frames.get(place)
                if known is None:
                    known = self.frames[place] = {"filename": code.co_filename, "name": code.co_name, "line": frame.f_lineno}
                found.append(known)
            frame = frame.f_back
        return found

    def event(self, action: str, address: int, size: int, frames: list[dict[str, Any]]) -> None:
        self.events.append({"action": action, "addr": address, "size": size, "stream": 0, "frames": frames, "time_us": int(time.time() * 1e6)})

    def allocate(self, size: int) -> int:
        self.settle()
        address = self.next
        self.next += -(-size // UNIT) * UNIT
        self.event("alloc", address, size, self.stack())
        return address

    def free(self, address: int, size: int) -> None:
        self.settle()
        frames = self.stack()
        self.event("free_requested", address, size, frames)
        self.event("free_completed", address, size, frames)

    def borrow(self, size: int) -> None:
        """What a kernel takes beside its results while it runs."""
        if size > 0:
            with self.lock:
                self.free(self.allocate(size), size)

    def see(self, tensor: Any) -> None:
        """Notes the storage of a tensor, if it is new or has grown."""
        if tensor.device.type != "cuda" or tensor.layout is not self.torch.strided:
            return
        storage = tensor.untyped_storage()
        size = storage.nbytes()
        key = storage._cdata
        with self.lock:
            known = self.storages.get(key)
            if known is not None and known[2] == size:
                return
            if known is not None:
                self.free(known[1], known[2])
                del self.storages[key]
            if size > 0:
                reference = known[0] if known is not None else weakref.ref(storage, lambda _, key=key: self.gone(key))
                self.storages[key] = (reference, self.allocate(size), size)

    def add_up(self, first: Any, total: Any) -> None:
        """Notes a sum of gradients that the engine made: it adds to the first in place where nobody else holds that, of which a subclass of tensors keeps it."""
        storage = total.untyped_storage()
        key = storage._cdata
        with self.lock:
            self.settle()
            self.sum = first.untyped_storage()._cdata, key, weakref.ref(storage, lambda _: self.gone(key)), storage.nbytes()

    def settle(self) -> None:
        """Gives a sum of gradients a block of its own, as the first of them was not freed at once."""
        if self.sum is not None:
            _, key, reference, size = self.sum
            self.sum = None
            self.storages[key] = (reference, self.allocate(size), size)

    def note(self, leaf: Any) -> None:
        """Has the graph note a leaf now, as one of the CPU's."""
        if leaf.device.type != "cuda" or not leaf.dtype.is_floating_point:
            return
        wanted = leaf.requires_grad
        self.is_noting = True
        with self.torch.enable_grad():
            leaf.requires_grad_(True)
            self.accumulators[id(leaf)] = leaf.expand_as(leaf).grad_fn.next_functions[0][0]
            leaf.requires_grad_(wanted)
        self.is_noting = False

    def is_for_engine(self, tensor: Any) -> bool:
        """Whether C++ asks for a tensor's device on behalf of the graph or its engine."""
        if self.is_noting or self.fresh.pop(id(tensor), None) is not None:
            return True
        return self.is_in_engine()

    def is_in_engine(self) -> bool:
        """Whether the engine called, and no Python that it runs."""
        frame: Optional[types.FrameType] = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename.startswith(self.hidden):
            frame = frame.f_back
        return frame is not None and frame.f_code.co_name == ENGINE

    def gone(self, key: int) -> None:
        with self.lock:
            known = self.storages.pop(key, None)
            if known is not None and self.sum is not None and self.sum[0] == key and self.sum[3] == known[2]:
                self.storages[self.sum[1]] = (self.sum[2], known[1], known[2])
                self.sum = None
            elif known is not None:
                self.free(known[1], known[2])

    def workspace(self) -> None:
        """cuBLAS's, which the first product of a thread makes and nothing frees; the engine has a thread of its own."""
        frame: Optional[types.FrameType] = sys._getframe(1)
        while frame is not None and frame.f_code.co_name != ENGINE:
            frame = frame.f_back
        if (frame is not None) not in self.workspaces:
            self.workspaces.add(frame is not None)
            self.allocate(WORKSPACE)

    def write(self, path: str) -> None:
        settings = {"PYTORCH_CUDA_ALLOC_CONF": os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")}
        with open(path + ".part", "wb") as file:
            pickle.dump({"segments": [], "device_traces": [self.events], "allocator_settings": settings}, file, protocol=4)
        os.replace(path + ".part", path)


class Estimate:
    """One run: from the import of torch until each optimizer took its steps, or until the script ends."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.recorder = Recorder(torch)
        self.wanted = int(os.environ[STEPS])
        self.steps: dict[int, int] = {}
        self.values = 0  # read by the script
        self.trouble = ""
        self.is_written = False

    def begin(self) -> None:
        from torch._subclasses import fake_tensor
        from torch.utils._python_dispatch import TorchDispatchMode
        estimate, recorder, torch = self, self.recorder, self.torch
        _pretend(torch, fake_tensor, recorder)
        tensor_type, device = fake_tensor.FakeTensor, torch.ops.prim.device.default
        values = {torch.ops.aten._local_scalar_dense.default, torch.ops.aten.equal.default}

        class Recording(TorchDispatchMode):
            def __torch_dispatch__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
                if function in values:
                    return estimate.value(function, args)
                packet = function._schema.name
                if function is device:
                    return tensor_type.__torch_dispatch__(function, kinds, args)
                recorder.fresh.clear()
                if kwargs and getattr(kwargs.get("device"), "type", "") == "cuda" and isinstance(args[0] if args else None, tensor_type):
                    args[0].constant = None  # small tensors keep their values, which would really be moved
                is_plain = packet.startswith("aten::convolution") and args[0].device.type == "cuda" and not torch.backends.cudnn.enabled
                if is_plain:  # cuDNN takes channels in either order, PyTorch's own kernels only as they are first
                    args = tuple(each.contiguous() if isinstance(each, tensor_type) else each for each in args)
                    _each(args, tensor_type, recorder.see)
                is_sum = packet == "aten::add" and recorder.is_in_engine()  # where gradients meet: formulas of derivatives hardly add
                result = function(*args, **(kwargs or {}))
                if is_sum and result.device.type == "cuda" and result.layout is torch.strided:
                    recorder.add_up(args[0], result)
                    return result
                _each(result, tensor_type, recorder.see)
                if packet.startswith("aten::") and packet[6:] in PRODUCTS and args[0].device.type == "cuda":
                    recorder.workspace()
                if packet.startswith("aten::") and packet[6:] in REDUCTIONS and isinstance(result, tensor_type) and result.device.type == "cuda":
                    recorder.borrow(_partial_results(args[0], result.numel()))
                if is_plain:
                    recorder.workspace()
                    recorder.borrow(_columns(args, result))
                if torch.is_grad_enabled() and _needs_gradient(args, kwargs):
                    _each(result, tensor_type, lambda each: recorder.fresh.__setitem__(id(each), each))
                return result

        fake_tensor.FakeTensorMode(allow_non_fake_inputs=True).__enter__()
        Recording().__enter__()
        self.follow_optimizers()
        atexit.register(self.end)
        hook = sys.excepthook

        def failed(kind: Any, error: BaseException, trace: Any) -> None:
            self.trouble = f"{kind.__name__}: {error}".split("\n")[0][:400]
            hook(kind, error, trace)
        sys.excepthook = failed
        self.wait()

    def wait(self) -> None:
        """Has Ctrl-C end the script as enough steps do, and says so where none comes."""
        def interrupted(*_: Any) -> None:
            self.trouble = "interrupted"
            self.leave(130)
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupted)

        def remind() -> None:
            if not self.steps and not self.is_written:
                sys.stderr.write(f"leakline: no optimizer has taken a step in {PATIENCE:.0f} s; the estimate waits for {self.wanted} of each optimizer. "
                                 "Ctrl-C ends it with what is recorded so far\n")
        timer = threading.Timer(PATIENCE, remind)
        timer.daemon = True
        timer.start()

    def leave(self, code: int) -> None:
        self.end()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    def value(self, function: Any, args: Any) -> Any:
        """What stands for a value: zero, and one on the CPU, where optimizers count their steps and divide by what comes of it."""
        self.values += 1
        if function is self.torch.ops.aten.equal.default:
            return False
        kind = args[0].dtype
        one = args[0].device.type != "cuda"
        return False if kind is self.torch.bool else float(one) if kind.is_floating_point else int(one)

    def follow_optimizers(self) -> None:
        from torch.optim.optimizer import register_optimizer_step_post_hook

        def after(optimizer: Any, *_: Any) -> None:
            self.steps[id(optimizer)] = self.steps.get(id(optimizer), 0) + 1
            if min(self.steps.values()) >= self.wanted or max(self.steps.values()) >= self.wanted + 2:
                self.leave(0)
        register_optimizer_step_post_hook(after)

    def end(self) -> None:
        if self.is_written or not self.recorder.events:
            return
        self.is_written = True
        self.recorder.write(os.path.join(os.environ[OUT], f"estimate-{os.getpid()}.pickle"))
        steps = max(self.steps.values(), default=0)
        if self.trouble:
            sys.stderr.write(f"leakline: the script ended early, after {steps} steps ({self.trouble}): what it would have allocated later is missing\n")
        if self.values:
            sys.stderr.write(f"leakline: the script read values {self.values} times and got zeros: what it does by them may differ\n")


def _needs_gradient(args: Any, kwargs: Any) -> bool:
    flat = [*args, *(kwargs or {}).values()]
    return any(getattr(each, "requires_grad", False) for value in flat for each in (value if isinstance(value, (list, tuple)) else (value,)))


def _columns(args: Any, result: Any) -> int:
    """The bytes in which PyTorch's own convolution lays out what its kernel sees of one picture, to multiply matrices: cuDNN does without.

    Its forward pass, and the gradient of the weights alone, need none where the kernel is one point that moves by one.
    """
    is_forward = not isinstance(result, (list, tuple))
    output, seen, weight = (result, *args[:2]) if is_forward else args[:3]
    stride, padding, _, is_transposed, _, groups = args[3 if is_forward else 4:][:6]
    is_plain = max(*weight.shape[2:], *stride) == 1 and max(padding) == 0
    if is_transposed or groups > 1 or is_plain and (is_forward or result[0] is None):
        return 0
    return math.prod((seen.shape[1], *weight.shape[2:], *output.shape[2:])) * seen.element_size()


def _partial_results(tensor: Any, outputs: int) -> int:
    """The bytes in which thread blocks leave what they made of their parts of a reduction, where several share one result.

    Each thread keeps one partial result where the results lie side by side, as those of a bias's gradient do. The numbers are those of
    PyTorch's reduction kernel: 512 threads a block at most, warps of 32, 4 results a thread, and more thread blocks a result where each
    thread had 256 values or more, down to 16.
    """
    inputs = tensor.numel() // max(outputs, 1)
    strides = [(stride, size) for stride, size in zip(tensor.stride(), tensor.shape) if size > 1]
    if not strides or inputs < 2:
        return 0
    stride, fastest = min(strides)
    beside = outputs > 1 and stride == 1 and outputs % fastest == 0 and inputs % fastest != 0 or outputs == fastest
    each = next(width for width in (4, 2, 1) if outputs % width == 0) if beside else 1
    threads = 512 // each
    across, down = (outputs // each, inputs) if beside else (inputs, outputs)
    width, height = (min(threads, 1 << max(count.bit_length() - 1, 0)) for count in (across, down))
    tall = min(height, threads // min(width, 32))
    wide = min(width, threads // tall)
    values = inputs if beside else -(-inputs // wide)
    if values < min(tall * 16, 256):
        return 0
    values = -(-values // tall)
    grid = -(-outputs // each // (wide if beside else 1))
    target = PROCESSORS * (THREADS // (wide * tall))
    if values < 256 or grid > target:
        return 0
    parts = max(min(-(-target // grid), -(-values // 16)), -(-values // 256))
    return outputs * parts * (wide * each if beside else 1) * max(tensor.element_size(), 4) if parts > 1 else 0


def _each(result: Any, kind: type, see: Callable[[Any], None]) -> None:
    if isinstance(result, kind):
        see(result)
    elif isinstance(result, (list, tuple)):
        for item in result:
            _each(item, kind, see)


def _pretend(torch: Any, fake_tensor: Any, recorder: Recorder) -> None:
    """Lets a script find a GPU that has room for everything."""
    cuda = torch.cuda
    _hide_from_engine(torch, fake_tensor, recorder)
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
    _move_in_place(torch, fake_tensor.FakeTensor, recorder)
    _load_here(torch)
    _hand_over(torch)
    _choose_attention(torch)


def _hide_from_engine(torch: Any, fake_tensor: Any, recorder: Recorder) -> None:
    """Has the engine of the backward pass take all tensors for the CPU's: of a GPU it wants streams, which fails where there is none.

    Tensors tell their device by a call of Python. It is "cpu" for the engine itself and where the graph notes what an operator made, which is the
    first that C++ asks of a result.
    """
    query = torch.ops.prim.device.default
    tensor_type = fake_tensor.FakeTensor
    dispatch = tensor_type.__torch_dispatch__.__func__
    cpu = torch.device("cpu")

    def dispatched(kind: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function is not query:
            return dispatch(kind, function, types, args, kwargs or {})
        device = dispatch(kind, function, types, args, {})
        return cpu if device.type == "cuda" and recorder.is_for_engine(args[0]) else device
    tensor_type.__torch_dispatch__ = classmethod(dispatched)


def _move_in_place(torch: Any, tensor_type: Any, recorder: Recorder) -> None:
    """Moves parameters as a real tensor's are moved: optimizers that were made before still have them. FakeTensor's device is Python's, so it is set too."""
    from torch.nn import Module

    def apply(self: Any, function: Any, recurse: bool = True) -> Any:
        for module in self.children() if recurse else ():
            module._apply(function)
        for store in (self._parameters, self._buffers):
            for key, tensor in store.items():
                if tensor is not None and store is self._buffers:
                    store[key] = function(tensor)
                elif tensor is not None:
                    _set(torch, tensor, function)
                    recorder.note(tensor)
        return self
    Module._apply = apply
    parameter = torch.nn.Parameter
    make = parameter.__new__

    def made(kind: Any, *args: Any, **kwargs: Any) -> Any:
        tensor = make(kind, *args, **kwargs)
        recorder.note(tensor)
        return tensor
    parameter.__new__ = made

    def copied(self: Any, memo: Any) -> Any:
        if id(self) not in memo:
            data = self.detach().clone()
            memo[id(self)] = parameter(data, self.requires_grad) if getattr(self, "_is_param", False) else data.requires_grad_(self.requires_grad)
        return memo[id(self)]
    tensor_type.__deepcopy__ = copied


def _set(torch: Any, tensor: Any, function: Any) -> None:
    with torch.no_grad():
        moved = function(tensor)
        gradient = None if tensor.grad is None else function(tensor.grad)
    tensor.grad = None
    tensor.data = moved
    tensor.fake_device = moved.fake_device
    tensor.grad = gradient


def _choose_attention(torch: Any) -> None:
    """Chooses the kernel of attention as CUDA does, which asks the GPU: flash attention in half precision without a mask, else the memory-efficient one."""
    functional, aten = torch.nn.functional, torch.ops.aten
    plain = functional.scaled_dot_product_attention

    def attend(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False, scale: Any = None,
               enable_gqa: bool = False) -> Any:
        if query.device.type != "cuda" or query.dim() != 4 or enable_gqa or (attn_mask is not None and attn_mask.requires_grad):
            return plain(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        if torch.is_autocast_enabled("cuda"):
            kind = torch.get_autocast_dtype("cuda")
            query, key, value = query.to(kind), key.to(kind), value.to(kind)
            attn_mask = attn_mask.to(kind) if attn_mask is not None and attn_mask.is_floating_point() else attn_mask
        if query.dtype in (torch.float16, torch.bfloat16) and attn_mask is None and query.shape[-1] <= 256:
            return aten._scaled_dot_product_flash_attention(query, key, value, dropout_p, is_causal, False, scale=scale)[0]
        if attn_mask is not None:
            if attn_mask.dtype is torch.bool:
                attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill_(attn_mask.logical_not(), float("-inf"))
            attn_mask = attn_mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
        with_sums = torch.is_grad_enabled() and any(each.requires_grad for each in (query, key, value))
        return aten._scaled_dot_product_efficient_attention(query, key, value, attn_mask, with_sums, dropout_p, is_causal, scale=scale)[0]
    functional.scaled_dot_product_attention = attend


def _load_here(torch: Any) -> None:
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


def _hand_over(torch: Any) -> None:
    """Gives zeros to what asks for a tensor's values."""
    tensor = torch.Tensor

    def zeros(self: Any) -> Any:
        import numpy
        kind = torch.empty(0, dtype=self.dtype, device="meta").dtype
        return numpy.zeros(tuple(self.shape), dtype=str(kind).rsplit(".", 1)[1].replace("bfloat16", "float32"))
    tensor.numpy = lambda self, **_: zeros(self)
    tensor.tolist = lambda self: zeros(self).tolist()
    tensor.pin_memory = lambda self, *_: self


class _Finder(importlib.abc.MetaPathFinder):
    """Begins when the script has imported torch."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def and_begin(module: Any) -> None:
                execute(module)
                Estimate(module).begin()
            spec.loader.exec_module = and_begin  # type: ignore[method-assign]
        return spec


def arm() -> None:
    """Waits for torch."""
    sys.meta_path.insert(0, _Finder())
