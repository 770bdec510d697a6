"""Adds up what the memory of this process is used for: Python's objects, tensors, arrays, what C has allocated, and what allocators keep.

Runs in a copy of the process (forks.py). Each block that Python shows (blocks.py) is placed in the map that it lies in, and counts with its pages that are present. The
allocator says how much is in use in all; what of that no object shows is C's. Blocks of up to 512 bytes are Python's own allocator's, which counts them itself.
"""
from __future__ import annotations

import collections
import ctypes
import gc
import re

from .blocks import Blocks
from .smaps import Maps

PARTS = ("python_objects", "python_free", "host_tensors", "numpy", "native_live", "history", "malloc_free", "pinned_live", "pinned_rounding", "pinned_cached",
         "shared_memory", "file", "library_data", "stacks", "anonymous_maps")

LEVELS = {b"RssAnon": "anonymous", b"RssShmem": "shared", b"RssFile": "file"}


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


class Allocators:
    """What the allocators say: Python's own, and malloc, whichever it is."""

    def __init__(self) -> None:
        self.library = ctypes.PyDLL(None)  # with the interpreter's lock held, so that no Python runs between these figures and the copy
        self.arenas, self.small = self._python()
        self.name, self.used, self.mapped = self._malloc()

    def _python(self) -> tuple[int, int]:
        """Bytes of arenas, and of the blocks in use in them: by the interpreter's own report, which goes to memory here."""
        text, size = ctypes.c_char_p(), ctypes.c_size_t()
        self.library.open_memstream.restype = ctypes.c_void_p
        stream = ctypes.c_void_p(self.library.open_memstream(ctypes.byref(text), ctypes.byref(size)))
        ctypes.pythonapi._PyObject_DebugMallocStats(stream)
        self.library.fclose(stream)
        report = ctypes.string_at(text, size.value).decode("utf-8", "replace")
        arenas = re.search(r"([\d,]+) arenas \* ([\d,]+) bytes/arena", report)
        used = re.search(r"# bytes in allocated blocks\s*=\s*([\d,]+)", report)
        if arenas is None or used is None:  # another allocator: PYTHONMALLOC=malloc
            return 0, 0
        return _number(arenas[1]) * _number(arenas[2]), _number(used[1])

    def _malloc(self) -> tuple[str, int, int]:
        """The allocator's name; bytes in use in its heaps; bytes in blocks mapped one by one, of jemalloc all that it has resident."""
        if hasattr(self.library, "mallctl"):
            epoch, size = ctypes.c_uint64(1), ctypes.c_size_t(8)
            self.library.mallctl(b"epoch", ctypes.byref(epoch), ctypes.byref(size), ctypes.byref(epoch), ctypes.c_size_t(8))
            return "jemalloc", self._jemalloc(b"stats.allocated"), self._jemalloc(b"stats.resident")
        if not hasattr(self.library, "mallinfo2"):  # musl, glibc before 2.33
            return "unknown", 0, 0
        self.library.mallinfo2.restype = Mallinfo
        info = self.library.mallinfo2()
        return "glibc", info.uordblks, info.hblkhd

    def in_use(self) -> int:
        """Bytes that malloc has in use."""
        return self.used + (self.mapped if self.name == "glibc" else 0)

    def _jemalloc(self, name: bytes) -> int:
        value, size = ctypes.c_size_t(), ctypes.c_size_t(8)
        self.library.mallctl(name, ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
        return value.value


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def levels_of(allocators: Allocators) -> dict[str, int]:
    """What is in use by the allocators and resident by the system, in less than a millisecond and without a copy: how it goes between two looks."""
    found = {"used": allocators.in_use() + allocators.small, "collections": gc.get_stats()[-1]["collections"]}
    with open("/proc/self/status", "rb") as file:
        for line in file:
            name = LEVELS.get(line.partition(b":")[0])
            if name is not None:
                found[name] = int(line.split()[1]) * 1024
    return found


def add_up(maps: Maps, blocks: Blocks, allocators: Allocators, recorded: int) -> dict[str, int]:
    """The sum: bytes of each part, of which torch's history of allocations is known. What is left of the resident set is unexplained."""
    parts = dict.fromkeys(PARTS, 0)
    placed = collections.Counter({"heap": 0, "other": 0})

    def place(part: str, address: int, size: int) -> None:
        found = maps.at(address)
        if found is not None and (found.use in placed or part.startswith("pinned")):
            present = round(maps.present(address, size) * blocks.stands_for.get(address, 1))
            parts[part] += present
            placed[found.use] += present
    for address, (size, part) in blocks.found.items():
        place(part, address, size)
    for address, (size, is_used) in blocks.pinned.items():
        asked = blocks.found.get(address, (0, ""))[0] if is_used else 0
        place("pinned_rounding" if asked else "pinned_cached", address + asked, size - asked)
    files = [each for each in maps.all if each.use == "file"]
    parts["library_data"] = sum([each.own for each in files])
    parts["file"] = sum([each.resident for each in files]) - parts["library_data"] - placed["file"]
    parts["shared_memory"], parts["stacks"] = maps.total("shared") - placed["shared"], maps.total("stack")
    parts["python_objects"] += allocators.small
    _add_malloc(parts, placed, allocators, maps.total("heap"), maps.total("other"))
    parts["history"] = min(recorded, parts["native_live"])
    parts["native_live"] -= parts["history"]
    return parts


def _add_malloc(parts: dict[str, int], placed: collections.Counter[str], allocators: Allocators, heaps: int, other: int) -> None:
    """What malloc has in use that no object shows, what it keeps, and maps that nobody knows."""
    arenas = min(allocators.arenas, other)
    parts["python_free"] = max(0, arenas - allocators.small)
    if allocators.name == "jemalloc":
        parts["native_live"] = max(0, allocators.used - placed["heap"] - placed["other"])
        parts["malloc_free"] = max(0, allocators.mapped - allocators.used)
        parts["anonymous_maps"] = max(0, heaps + other - arenas - allocators.mapped)
        return
    in_maps = max(0, allocators.mapped - placed["other"])
    parts["malloc_free"] = max(0, heaps - allocators.used)
    if allocators.name == "glibc":
        parts["native_live"] = max(0, allocators.used - placed["heap"]) + in_maps
        parts["anonymous_maps"] = max(0, other - arenas - placed["other"] - in_maps)
    else:
        parts["anonymous_maps"] = max(0, heaps + other - arenas - placed["heap"] - placed["other"])
