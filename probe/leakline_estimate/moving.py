"""Moves parameters to a device, and copies them, as real tensors are."""
from __future__ import annotations

from typing import Any

from .recorder import Recorder


def move_in_place(torch: Any, tensor_type: Any, recorder: Recorder) -> None:
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
