"""Runs the script with tensors that have no bytes, and ends it after enough steps."""
from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from typing import Any, Callable

from .kernels import PRODUCTS, REDUCTIONS, columns_bytes, partial_bytes
from .pretence import pretend
from .recorder import Recorder

STEPS = "LEAKLINE_ESTIMATE"  # how many steps of each optimizer to go on for
OUT = "LEAKLINE_OUT"
PATIENCE = 60.0  # seconds without a step, after which it says what it waits for; most scripts have taken both by then


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
        pretend(torch, fake_tensor, recorder)
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
                    each_of(args, tensor_type, recorder.see)
                is_sum = packet == "aten::add" and recorder.is_in_engine()  # where gradients meet: formulas of derivatives hardly add
                result = function(*args, **(kwargs or {}))
                if is_sum and result.device.type == "cuda" and result.layout is torch.strided:
                    recorder.add_up(args[0], result)
                    return result
                each_of(result, tensor_type, recorder.see)
                if packet.startswith("aten::") and packet[6:] in PRODUCTS and args[0].device.type == "cuda":
                    recorder.workspace()
                if packet.startswith("aten::") and packet[6:] in REDUCTIONS and isinstance(result, tensor_type) and result.device.type == "cuda":
                    recorder.borrow(partial_bytes(args[0], result.numel()))
                if is_plain:
                    recorder.workspace()
                    recorder.borrow(columns_bytes(args, result))
                if torch.is_grad_enabled() and _needs_gradient(args, kwargs):
                    each_of(result, tensor_type, lambda each: recorder.fresh.__setitem__(id(each), each))
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


def each_of(result: Any, kind: type, see: Callable[[Any], None]) -> None:
    if isinstance(result, kind):
        see(result)
    elif isinstance(result, (list, tuple)):
        for item in result:
            each_of(item, kind, see)
