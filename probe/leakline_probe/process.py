"""What this process is: when it began, what it runs, which rank it has, whether it was forked, and whose tensors are looked for."""
from __future__ import annotations

import itertools
import os
import sys
import time

from .errors import pass_on


class Process:
    """What changes in the life of a process."""
    is_forked = False  # since the probe was armed
    is_dumping = False


process = Process()
loaded_us = int(time.time() * 1e6)


def began_us() -> int:
    """When this process began, in Unix microseconds: the same for every probe that visits it. Without /proc, when this one was loaded."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
        return boot * 1_000_000 + ticks * 1_000_000 // os.sysconf("SC_CLK_TCK")
    except Exception:  # another system
        return loaded_us


def program_name() -> str:
    """The base name of what runs, or the module. sys.argv is not there yet when a site is set up."""
    argv = getattr(sys, "argv", None) or []
    name = argv[0] if argv else ""
    original = getattr(sys, "orig_argv", None) or ["python"]
    options = list(itertools.takewhile(lambda word: word.startswith("-"), original[1:]))
    if options and options[-1] == "-m" and len(options) + 1 < len(original):
        return str(original[len(options) + 1])  # python -m package.module
    if name in ("", "-c", "-m"):
        scripts = [word for word in original[1:] if word.endswith(".py")]
        name = scripts[0] if scripts else "python"
    folder, name = os.path.split(str(name))
    return (os.path.basename(folder) if name == "__main__.py" else name) or "python"


def rank() -> int | None:
    """The process's rank in a distributed job."""
    text = os.environ.get("RANK", "")
    return int(text) if text.isdigit() else None


def wanted_device() -> str:
    """The kind of device whose tensors are looked for: cuda, which stands for all but the host, or cpu."""
    return os.environ.get("LEAKLINE_PROBE_TARGET") or os.environ.get("LEAKLINE_TARGET") or "cuda"


def is_inherited() -> bool:
    """True in a forked child that sees the tensors of its parent, whose memory is not its own."""
    if not process.is_forked:
        return False
    try:
        return wanted_device() == "cpu" or bool(sys.modules["torch"].cuda._is_in_bad_fork())
    except Exception as error:
        pass_on(error)
        return True
