"""Reads what of a process is resident, map by map, and which processes stand below it.

All from /proc, and nothing of it runs code of the job. A look (looks.py) reads the maps of its parent, the job.
"""
from __future__ import annotations

import bisect
import ctypes
import os
from typing import Any, Iterator

PAGE = os.sysconf("SC_PAGE_SIZE")
HEAP_MAX = 64 << 20  # glibc's arenas begin at multiples of it and end below the next one, on machines of 64 bits
SMALL_BLOCK = 16 * PAGE  # of a block below it pages that are not there are not looked for: allocators reuse small blocks, which are therefore touched
ENTRIES = 1 << 17  # of the page map that are read at once: 1 MiB, for 512 MiB of memory
ABSENT = bytes(range(128))  # the highest byte of an entry whose page is not present
SHARED_NAMES = "/dev/shm", "/dev/zero", "/memfd:", "/SYSV"
EXIT_SIGNAL = 35  # its place behind the name in /proc/PID/stat
MOST_CHILDREN = 512  # that are looked at one by one


class Map:
    """One mapping: where it is, what it is for, and how much of it is resident."""
    __slots__ = "low", "high", "name", "use", "resident", "own"

    def __init__(self, low: int, high: int, name: str) -> None:
        self.low, self.high, self.name, self.use = low, high, name, "other"
        self.resident = self.own = 0  # bytes; own ones belong to no file


class Maps:
    """The mappings of a process, each with its use: heap (glibc's), stack, shared, file, other."""

    def __init__(self, pid: int) -> None:
        self.all = list(_read_maps(pid))
        self.lows = [each.low for each in self.all]
        self.bytes = sum([each.resident for each in self.all])
        for pointer in _stack_pointers(pid):
            found = self.at(pointer)
            if found is not None and found.use == "other":
                found.use = "stack"
        self.pages = os.open(f"/proc/{pid}/pagemap", os.O_RDONLY)

    def at(self, address: int) -> Map | None:
        """The mapping that an address lies in."""
        index = bisect.bisect_right(self.lows, address) - 1
        return self.all[index] if index >= 0 and address < self.all[index].high else None

    def total(self, use: str) -> int:
        return sum([each.resident for each in self.all if each.use == use])

    def present(self, address: int, size: int) -> int:
        """Bytes of a block whose pages are present: torch.empty() and the like are not, until they are written to."""
        if size < SMALL_BLOCK:
            return size
        first, last, present = address // PAGE, (address + size - 1) // PAGE + 1, 0
        while first < last:
            entries = os.pread(self.pages, min(last - first, ENTRIES) * 8, first * 8)
            if not entries:
                break
            present += len(entries[7::8].translate(None, ABSENT))
            first += len(entries) // 8
        return min(size, present * PAGE)


def _read_maps(pid: int) -> Iterator[Map]:
    current, end, is_again = None, 0, False
    with open(f"/proc/{pid}/smaps", "rb") as file:
        for line in file:
            words = line.split(None, 5)
            if not words[0].endswith(b":"):
                low, _, high = words[0].partition(b"-")
                is_again, end = int(low, 16) < end, int(high, 16)
                if is_again:  # a map that has grown since it was read comes once more
                    continue
                if current is not None:
                    yield current
                name = words[5].decode("utf-8", "replace").strip() if len(words) > 5 else ""
                current = Map(int(low, 16), int(high, 16), name)
                current.use = _use(current, words[1].startswith(b"r"))
            elif current is None or is_again:
                continue
            elif words[0] == b"Rss:":
                current.resident = int(words[1]) * 1024
            elif words[0] == b"Anonymous:":
                current.own = int(words[1]) * 1024
    if current is not None:
        yield current


def _use(found: Map, is_readable: bool) -> str:
    if found.name.startswith(SHARED_NAMES):
        return "shared"
    if found.name.startswith("/"):
        return "file"
    if found.name == "[stack]":
        return "stack"
    is_arena = not found.name and is_readable and found.low % HEAP_MAX == 0 and found.high - found.low <= HEAP_MAX and _has_arena(found.low)
    return "heap" if found.name == "[heap]" or is_arena else "other"


def _has_arena(address: int) -> bool:
    """Whether a map of this process, or of the one that it was copied from, begins as a heap of glibc's: with the address of its arena, which stands shortly behind the
    beginning of the first heap, and with its size."""
    arena, _, size = (ctypes.c_size_t * 3).from_address(address)
    return 0 < arena % HEAP_MAX < PAGE and arena >= HEAP_MAX and 0 < size <= HEAP_MAX and size % PAGE == 0


def _stack_pointers(pid: int) -> list[int]:
    """Where the threads that wait have their stacks; one that runs just now says nothing."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/syscall", "rb") as file:
                words = file.read().split()
            if len(words) > 2:
                found.append(int(words[-2], 16))
        except (OSError, ValueError):  # it has ended, or the system does not tell
            pass
    return found


def processes_below(pid: int) -> list[dict[str, Any]]:
    """The processes below one: the number, the name, what each has resident and alone, and whether it was forked without running a program of its own."""
    base, found = _first_map(pid), []
    for child in _descendants(pid):
        try:
            with open(f"/proc/{child}/stat", "rb") as file:
                name, _, rest = file.read().partition(b"(")[2].rpartition(b")")
            if rest.split()[EXIT_SIGNAL] == b"0":  # a copy of ours, see forks.py
                continue
            sizes = rollup(child)
            found.append({"pid": child, "name": name.decode("utf-8", "replace"), "resident": sizes[b"Rss"], "alone": sizes[b"Private_Clean"] + sizes[b"Private_Dirty"],
                          "forked": _first_map(child) == base})
        except (OSError, KeyError, ValueError, IndexError):  # it has ended
            pass
    return found


def rollup(pid: int) -> dict[bytes, int]:
    """Bytes of a process by their names in its sum of all maps."""
    with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        rows = [line.split() for line in file]
    return {words[0][:-1]: int(words[1]) * 1024 for words in rows if words[-1] == b"kB"}


def _first_map(pid: int) -> bytes:
    """Where its program lies, which the system chooses anew for each program that begins, and a forked child keeps."""
    with open(f"/proc/{pid}/maps", "rb") as file:
        return file.readline()


def _descendants(pid: int) -> list[int]:
    found, index = [pid], 0
    while index < len(found) and len(found) <= MOST_CHILDREN:
        try:
            for thread in os.listdir(f"/proc/{found[index]}/task"):
                with open(f"/proc/{found[index]}/task/{thread}/children", "rb") as file:
                    found += map(int, file.read().split())
        except OSError:
            pass
        index += 1
    return found[1:MOST_CHILDREN + 1]
