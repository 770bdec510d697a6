"""Has the engine of the backward pass do without a GPU."""
from __future__ import annotations

from typing import Any

from .recorder import Recorder


def hide_from_engine(torch: Any, fake_tensor: Any, recorder: Recorder) -> None:
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
