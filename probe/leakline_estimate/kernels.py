"""What kernels need beside their results, as far as that is known."""
from __future__ import annotations

import math
from typing import Any

PROCESSORS, THREADS = 108, 2048  # of the GPU that scripts are told of: its multiprocessors, and the threads of each
REDUCTIONS = ("sum", "mean", "prod", "amax", "amin", "nansum")
PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "addbmm", "addmv", "mv", "dot")


def columns_bytes(args: Any, result: Any) -> int:
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


def partial_bytes(tensor: Any, outputs: int) -> int:
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
