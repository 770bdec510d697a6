"""Records what fake devices allocate and free, as torch's memory history has it: a block lives as long as its storage."""
from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import types
import weakref
from typing import Any, Optional

GROUND = 0x700000000000  # where addresses begin: as high as a GPU's are
UNIT = 512  # the allocator's smallest block
ENGINE = "_engine_run_backward"
WORKSPACE = 2 * (4 << 20) + 8 * (16 << 10)  # cuBLAS's where no CUBLAS_WORKSPACE_CONFIG says otherwise, before Hopper


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
                reference = known[0] if known is not None else weakref.ref(storage, lambda _: self.gone(key))
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
