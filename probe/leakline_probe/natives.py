"""Names the calls of C and C++ code that allocate what no object of Python shows, where `--native` asks for it.

A small library in C (native/leakline_native.c) notes about one block in 512 KiB that native code allocates, with its stack, until the block is freed. It is loaded into
the process only where a path to it is given. What it has noted is read in a copy of the process (forks.py): there each stack gets its library, function and Python lines.
"""
from __future__ import annotations

import collections
import ctypes
import gc
import math
import os
import re
import sys
import types
from typing import Any

from .blocks import Blocks
from .errors import note_error
from .smaps import Maps
from .symbols import Symbols
from .texts import cut

RATE = 512 << 10  # bytes for each noted block; at 64 KiB a training step of small tensors took a fifth longer
MOST_NOTED, DEPTH, FRAMES = 1 << 16, 24, 6  # as in the library
MOST_TOLD, FRAMES_TOLD = 24, 4
STATE_BYTES, FRAME_BYTES, WORD = 256, 128, 8
FRAME_OF_OBJECT = 24  # where a frame object of Python has its frame: from 3.11
CODE_BEGINS = 100, 400  # bytes of a code object before its instructions; between 3.11 and 3.14 some 190 to 210
ARENAS = 1 << 20, 256 << 10  # bytes of an arena of Python's allocator
HEADERS = 0, 16, 32  # bytes of an object's block before its address
FOREIGN = re.compile(r"libffi|_ctypes\.")  # through which Python calls a function of any library, so that what stands above it is what was called
OURS = "leakline_native"
RUNTIME = re.compile(r"libc[.-]|ld-|libstdc\+\+|libc\+\+|libgcc_s|libpthread|lib(je|tc|mi)malloc|" + OURS)


class Layout(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("state", "in_state", "behind", "is_behind", "code", "previous", "at")]


class Noted(ctypes.Structure):
    _fields_ = [("address", ctypes.c_size_t), ("size", ctypes.c_size_t), ("rate", ctypes.c_size_t), ("depth", ctypes.c_size_t), ("frames", ctypes.c_size_t),
                ("stack", ctypes.c_size_t * DEPTH), ("python", ctypes.c_size_t * (2 * FRAMES))]


class Natives:
    """The sampler of this process."""

    def __init__(self) -> None:
        self.library: Any = None
        self.trouble = ""
        self.code_begins = 0

    def begin(self, path: str) -> None:
        """Loads the library and begins to note; the system may refuse it."""
        try:
            self.library = self.library or ctypes.PyDLL(path)
            self.code_begins = _find_layout(Layout.in_dll(self.library, "leakline_python"))
            if not self.library.leakline_begin(ctypes.c_long(RATE)):
                self.trouble = "no call could be replaced"
        except Exception as error:
            note_error(error)
            self.library, self.trouble = None, f"{type(error).__name__}: {cut(str(error))}"

    def again(self) -> None:
        """Takes in libraries that were loaded since."""
        if self.library is not None:
            self.library.leakline_again()

    def end(self, is_copy: bool = False) -> None:
        """Ends it; in a copy of the process, which reads what is noted, only there."""
        if self.library is not None:
            self.library.leakline_end(is_copy)

    def told(self, blocks: Blocks, maps: Maps) -> dict[str, Any]:
        """What a look says of it: nothing where nobody asked."""
        if self.library is None:
            return {"native_trouble": self.trouble} if self.trouble else {}
        try:
            return {"natives": self.groups(blocks, maps)}
        except Exception as error:
            return {"native_trouble": type(error).__name__}

    def groups(self, blocks: Blocks, maps: Maps) -> list[dict[str, Any]]:
        """What is noted and no object of Python shows, by calls, those with most bytes first. Only in a copy of the process."""
        noted = (Noted * MOST_NOTED)()
        count = self.library.leakline_noted(noted, ctypes.c_size_t(MOST_NOTED))
        stacks = Stacks(maps)
        found: collections.Counter[Any] = collections.Counter()
        for index in range(count):
            block = noted[index]
            if not any(block.address + header in blocks.found for header in HEADERS) and block.address not in blocks.pinned:
                place = stacks.place(block)
                if place is not None:
                    pairs = tuple((block.python[2 * i], block.python[2 * i + 1]) for i in range(block.frames))
                    found[place, pairs] += int(block.size / -math.expm1(-block.size / block.rate))
        lines = Lines({code for _, pairs in found for code, _ in pairs}, self.code_begins)
        told: collections.Counter[Any] = collections.Counter()
        for (place, pairs), size in found.items():
            told[place, tuple(lines.of(pairs))] += size
        return [{"library": library, "function": function, "frames": [list(line) for line in frames], "bytes": size}
                for ((library, function), frames), size in told.most_common(MOST_TOLD)]


class Stacks:
    """Finds the library and the function that allocated, below the run-time libraries of C and C++ and below Python itself."""

    def __init__(self, maps: Maps) -> None:
        self.maps = maps
        self.symbols = Symbols()
        self.python = self._file(ctypes.cast(ctypes.pythonapi.PyGILState_GetThisThreadState, ctypes.c_void_p).value or 0)

    def _file(self, address: int) -> str:
        found = self.maps.at(address)
        return found.name if found is not None else ""

    def place(self, block: Noted) -> tuple[str, str] | None:
        """None of what Python allocates for itself."""
        files = [(self._file(address - 1), address - 1) for address in block.stack[:block.depth]]
        called = next((index for index, each in enumerate(files) if FOREIGN.match(os.path.basename(each[0]))), 0)
        direct = files[called - 1] if called else ("", 0)
        files = [each for each in files if not RUNTIME.match(os.path.basename(each[0]))]
        if not RUNTIME.match(os.path.basename(direct[0])):
            files = [each for each in files if not FOREIGN.match(os.path.basename(each[0]))]
        elif files and FOREIGN.match(os.path.basename(files[0][0])):
            files[0] = direct
        if files and files[0][0] == self.python and block.size in ARENAS:
            return None
        native = next((index for index, each in enumerate(files) if each[0].startswith("/") and each[0] != self.python), None)
        if native is None:
            return None
        library, function = files[native][0], ""
        for file, address in files[native:]:
            if file != library or function:
                break
            function = self.symbols.name(address, file)
        name = os.path.basename(library.partition(" (deleted)")[0])
        return (name, function) if files[native] != direct else ("libc.so" if OURS in name else name, function.removeprefix("our").lstrip("_"))


class Lines:
    """The lines of frames of Python. Of code that has ended since nothing is read."""

    def __init__(self, wanted: set[int], begins: int) -> None:
        self.begins, self.codes = begins, dict[int, types.CodeType]()
        level = [thing.__code__ for thing in gc.get_objects() if type(thing) is types.FunctionType] + _running_codes()
        while level and len(self.codes) < len(wanted):  # with those inside of them, such as of comprehensions
            self.codes.update((id(code), code) for code in level if id(code) in wanted)
            level = [each for code in level for each in code.co_consts if type(each) is types.CodeType]

    def of(self, pairs: tuple[tuple[int, int], ...]) -> list[tuple[str, int, str]]:
        found = []
        for address, at in pairs:
            code = self.codes.get(address)
            if code is not None:
                offset = at - address - self.begins
                line = next((line for first, last, line in code.co_lines() if first <= offset < last and line), code.co_firstlineno)
                found.append((cut(code.co_filename, 400), line, cut(getattr(code, "co_qualname", code.co_name))))
        return found[:FRAMES_TOLD]


def _running_codes() -> list[types.CodeType]:
    """Also the code of modules, to which no function leads."""
    found = []
    for frame in sys._current_frames().values():
        above: types.FrameType | None = frame
        while above is not None:
            found.append(above.f_code)
            above = above.f_back
    return found


def _find_layout(layout: Layout) -> int:
    """Finds where Python keeps the frame that runs, and what of a frame stands where, by one that is known: this one. Returns where the instructions of a code object
    begin. Where it does not find all, frames of Python are not read, and calls have no Python line."""
    frame, caller = sys._getframe(), sys._getframe(1)
    if sys.version_info < (3, 11) or sys.implementation.name != "cpython":
        return 0
    memory = os.open("/proc/self/mem", os.O_RDONLY)  # which fails where nothing is mapped, and does no harm
    try:
        get_state = ctypes.pythonapi.PyGILState_GetThisThreadState
        get_state.restype = ctypes.c_size_t
        ours, theirs = (int.from_bytes(os.pread(memory, WORD, id(each) + FRAME_OF_OBJECT), sys.byteorder) for each in (frame, caller))
        state = get_state()
        state_content = os.pread(memory, STATE_BYTES, state)  # called here, so that the frame that runs is this one, and not one of another function
        for index, word in enumerate(_words(state_content)):
            if word == ours:
                layout.in_state, layout.is_behind = index * WORD, 0
                break
            try:
                near = os.pread(memory, 3 * WORD, word)
            except (OSError, OverflowError):
                continue
            if ours in _words(near):
                layout.in_state, layout.behind, layout.is_behind = index * WORD, _words(near).index(ours) * WORD, 1
                break
        else:
            return 0
        content, above = (_words(os.pread(memory, FRAME_BYTES, each)) for each in (ours, theirs))
        layout.previous, layout.code = content.index(theirs) * WORD, [word & ~7 for word in content].index(id(frame.f_code)) * WORD
        at = next(word for word in above if CODE_BEGINS[0] < word - id(caller.f_code) - caller.f_lasti < CODE_BEGINS[1])
        layout.at, layout.state = above.index(at) * WORD, ctypes.cast(get_state, ctypes.c_void_p).value or 0
        return at - id(caller.f_code) - caller.f_lasti
    except (OSError, ValueError, StopIteration) as error:
        note_error(error)
        return 0
    finally:
        os.close(memory)


def _words(content: bytes) -> list[int]:
    return list(memoryview(content[:len(content) // WORD * WORD]).cast("P"))


natives = Natives()
