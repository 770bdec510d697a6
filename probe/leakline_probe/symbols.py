"""Names functions of C and C++ by an address in them: by what the dynamic linker knows, and by the table in the library's file, which has functions that it does not export, too.

Runs in a copy of the process (forks.py). Only files of libraries that the process has mapped are opened.
"""
from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

from .errors import pass_on

MOST_SYMBOLS = 16 << 20  # bytes of a table that is read, 24 each: those of the largest libraries are stripped where they are installed
SYMBOL_CHARACTERS = 160
ELF, SECTIONS, SECTION, SYMBOL = b"\x7fELF\x02\x01", "<40xQ10xHH2x", "<IIQQQQIIQQ", "<IBBHQQ"
TABLE_OF_SYMBOLS, OF_FUNCTION = 2, 2


class Symbol(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


class Symbols:
    """The functions of this process."""

    def __init__(self) -> None:
        self.find = ctypes.PyDLL(None).dladdr
        self.tables: dict[str, list[tuple[int, int, bytes]]] = {}  # by library: where functions begin and end, and their names
        self.names: dict[int, str] = {}

    def name(self, address: int, library: str) -> str:
        """Empty where no table has it."""
        if address not in self.names:
            self.names[address] = _demangled(self._find(address, library))[:SYMBOL_CHARACTERS]
        return self.names[address]

    def _find(self, address: int, library: str) -> bytes:
        symbol = Symbol()
        if not self.find(ctypes.c_void_p(address), ctypes.byref(symbol)):
            return b""
        if symbol.name:
            return bytes(symbol.name)
        if library not in self.tables:
            try:
                self.tables[library] = _functions(library)
            except Exception as error:  # it was replaced or removed since, or is none
                pass_on(error)
                self.tables[library] = []
        place = address - (symbol.base or 0)
        return next((name for begin, end, name in self.tables[library] if begin <= place < end), b"")


def _functions(library: str) -> list[tuple[int, int, bytes]]:
    with open(library, "rb") as file:
        head = file.read(64)
        if not head.startswith(ELF):
            return []
        where, size, count = struct.unpack(SECTIONS, head)
        file.seek(where)
        sections = list(struct.iter_unpack(SECTION, file.read(size * count)))
        found: list[tuple[int, int, bytes]] = []
        for section in sections:
            names: Any = sections[section[6]] if section[1] == TABLE_OF_SYMBOLS else None
            if names is not None and section[5] <= MOST_SYMBOLS and names[5] <= MOST_SYMBOLS:
                content, text = os.pread(file.fileno(), section[5], section[4]), os.pread(file.fileno(), names[5], names[4])
                found += [(value, value + length, text[name:text.index(b"\0", name)]) for name, info, _, _, value, length in struct.iter_unpack(SYMBOL, content)
                          if info & 15 == OF_FUNCTION and length]
    return found


def _demangled(name: bytes) -> str:
    """A name of C++ as it is written, where a library that knows how is loaded."""
    try:
        plain = ctypes.PyDLL("libstdc++.so.6", os.RTLD_NOLOAD | os.RTLD_LAZY).__cxa_demangle if name.startswith(b"_Z") else None
    except (OSError, AttributeError):
        plain = None
    if plain is None:
        return name.decode("utf-8", "replace")
    plain.restype, status = ctypes.c_void_p, ctypes.c_int()
    text = plain(name, None, None, ctypes.byref(status))
    return ctypes.string_at(text).decode("utf-8", "replace") if text else name.decode("utf-8", "replace")
