"""Reads tensors: through descriptors that no subclass of the job can override, and at the addresses where C++ keeps what Python does not show.

Nothing here imports torch: it is looked up in sys.modules. Where C++ keeps a tensor's storage, and how often either is referred to, is found by
a test with small CPU tensors when torch is first looked at; where that test fails, the slow way through Python's methods is taken.
"""
from __future__ import annotations

import ctypes
import sys
from typing import Any

from .classes import class_dict, module_name, mro
from .errors import note_error, pass_on

StoragePlace = tuple[int, int, int]  # its key, which is its address; the address of its data; its bytes
HOOK_TABLES = "_backward_hooks", "_post_accumulate_grad_hooks"  # attributes of a tensor that C++ keeps
MOST_BYTES = 1 << 56  # symbolic sizes are tagged in the highest bits


class TorchFacts:
    """What this version of torch is like."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        core = torch._C
        base = getattr(core, "TensorBase", None) or core._TensorBase
        self.tensor, self.parameter = torch.Tensor, torch.nn.Parameter
        self.storage = getattr(torch, "UntypedStorage", None) or torch._UntypedStorage
        self.module = torch.nn.Module
        self.optimizer = torch.optim.Optimizer
        self.quiet = core.DisableTorchFunction
        self.version = str(torch.__version__)
        self._find_descriptors(base.__dict__)
        self.storage_at: int | None = None
        self.data_at = self.bytes_at = 0
        self.counts = self.cpp_reference = False
        self.wrappers: dict[int, bool] = {}
        try:
            with self.quiet():
                self._calibrate()
        except Exception as error:  # a mode of the job is on, or the layout is new: the slow way works as well
            pass_on(error)
            self.storage_at = None

    def _find_descriptors(self, base: Any) -> None:
        self.cdata, self.grad_fn = base["_cdata"].__get__, base["grad_fn"].__get__
        self.dtype, self.shape = base["dtype"].__get__, base["shape"].__get__
        self.device, self.requires_grad = base["device"].__get__, base["requires_grad"].__get__
        self.grad = base["_grad" if "_grad" in base else "grad"].__get__
        self.hook_tables = [(name, base[name].__get__) for name in HOOK_TABLES if name in base]

    def _calibrate(self) -> None:
        torch = self.torch
        samples = [torch.empty(n, dtype=torch.uint8, device="cpu") for n in (1013, 3511)]
        stores = [self._untyped(sample) for sample in samples]
        self._find_offsets(samples, stores)
        before = self.strong(self.cdata(samples[0])), self.strong(stores[0]._cdata)
        view = samples[0][1:]
        after = self.strong(self.cdata(samples[0])), self.strong(stores[0]._cdata)
        self.counts = before[0] == 1 and after[1] == before[1] + 1 and self.strong(self.cdata(view)) == 1
        leaf = torch.empty(1, device="cpu", requires_grad=True)
        count = sys.getrefcount(leaf)
        with torch.enable_grad():
            kept = leaf * leaf  # noqa: F841  (C++ now owns the leaf too)
        self.cpp_reference = sys.getrefcount(leaf) == count + 1

    def _find_offsets(self, samples: list[Any], stores: list[Any]) -> None:
        """Looks for known values in the objects of C++; believed where two samples agree."""
        at = [_offset_of(s._cdata, self.cdata(t)) for t, s in zip(samples, stores)]
        data = [_offset_of(s.data_ptr(), s._cdata) for s in stores]
        size = [_offset_of(s.nbytes(), s._cdata) for s in stores]
        if at[0] == at[1] and data[0] == data[1] and size[0] == size[1] and None not in at + data + size:
            self.storage_at, self.data_at, self.bytes_at = at[0], data[0] or 0, size[0] or 0

    def _untyped(self, tensor: Any) -> Any:
        try:
            return self.torch.Tensor.untyped_storage(tensor)
        except AttributeError:  # 1.13
            return self.torch.Tensor.storage(tensor).untyped()

    @staticmethod
    def strong(address: int) -> int:
        """The owners of an intrusive_ptr: a count of its own on 1.13, the low half of a word since."""
        return ctypes.c_uint32.from_address(address + 8).value

    def owners(self, address: int) -> int:
        """The same; -1 where this torch counts in another way."""
        return self.strong(address) if self.counts else -1

    def place(self, tensor: Any, keep: list[Any]) -> StoragePlace | None:
        """Where a tensor's storage is; None where it has none. keep holds what had to be made to find out."""
        if self.storage_at is not None:
            key = ctypes.c_uint64.from_address(self.cdata(tensor) + self.storage_at).value
            return self.storage_place(key) if key else None
        untyped = self._untyped(tensor)
        keep.append(untyped)
        return untyped._cdata, untyped.data_ptr(), untyped.nbytes()

    def storage_place(self, key: int) -> StoragePlace:
        data = ctypes.c_uint64.from_address(key + self.data_at).value
        size = ctypes.c_uint64.from_address(key + self.bytes_at).value
        return key, data, size if data and size < MOST_BYTES else 0

    def is_wrapper(self, kind: type) -> bool:
        """True of tensor classes whose own code answers for shape and device: their inner tensors are the real ones."""
        known = self.wrappers.get(id(kind))
        if known is None:
            own = [c for c in mro(kind) if c is not self.tensor and c is not self.parameter and not (module_name(c) or "").startswith("torch._C")]
            known = self.wrappers[id(kind)] = any("__torch_dispatch__" in class_dict(c) for c in own)
        return known


def _offset_of(value: int, address: int) -> int | None:
    for offset in range(16, 64, 8):
        if ctypes.c_uint64.from_address(address + offset).value == value:
            return offset
    return None


def shape_of(facts: TorchFacts, tensor: Any) -> tuple[int | None, ...]:
    """A shape that can be compared: symbolic sizes, whose comparison runs code, are None. Nested tensors have no shape."""
    try:
        return tuple([size if type(size) is int else None for size in tuple(facts.shape(tensor))])
    except Exception as error:
        pass_on(error)
        return ()


_facts: TorchFacts | None = None


def torch_known() -> TorchFacts | None:
    """The facts of torch if they were looked up already."""
    return _facts


def torch_ready() -> TorchFacts | None:
    """The facts of torch, looked up now if need be; None as long as torch is not imported to its end."""
    global _facts
    torch = sys.modules.get("torch")
    if _facts is None and torch is not None:
        try:
            _facts = TorchFacts(torch)
        except Exception as error:  # half imported, or no torch at all but something of its name
            pass_on(error)
            note_error(error)
    return _facts
