"""Has a copy of this process, made for it, look at what it holds, so that the job stands still only while the copy is made.

The copy is no child as os.fork() makes them. It is made by the system call itself: no hook of the job runs, no SIGCHLD comes when it ends, and wait()
of the job does not see it. It closes all files that it has inherited, since what is open in it stays open when the job closes it; it prints nothing; it is the first
to be killed where memory is short, and killed with the thread that made it. Of the threads only the one that made it is there, and a lock of C
that another one held at that moment stays held: the copy then waits for ever, and is killed, at the latest when the job ends. Another thread of Python that asks for the
interpreter's lock at that moment would be waited for in the same way, before the copy has run a line; with a long switch interval few ask. Where four threads of Python never rest,
13 of 150 copies hung on a busy machine, all while they let go of that lock, and another copy was made; beside one that asks for the lock while the machine takes 0.1 s for the copy, most do.
"""
from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any, Callable

from .errors import note_error
from .smaps import PAGE

CLONE = {"x86_64": 56, "aarch64": 220}  # the system call's number, by the machine
WAIT_ALL, KILL_WITH_PARENT, TELL_NUMBER = 0x40000000, 1, 0x00100000  # __WALL, PR_SET_PDEATHSIG, CLONE_PARENT_SETTID
LONG_INTERVAL, TIMES_EXPECTED = 0.3, 5  # seconds, of the switch interval while a copy is made; or so many times as long as that should take. A thread that begins to wait
#                                        meanwhile may wait for so long, where another one never lets go of the lock by itself
COPY_SECONDS = 0.02e-9  # for each byte that is no file's: 20 ms a GB, measured from 0.1 to 4 GB
NO_SIGN, SIGN_EVERY = 2000, 0.5  # milliseconds after which a copy that says nothing and always sleeps hangs, on a busy machine as well; seconds between blanks that it writes
SLICES = 20  # of that time, in which something else may be done. A single call of C may take longer where others work, and does not sleep
BEGUN, NO_BEGIN = 2, 300  # blanks that a copy has written when it has begun; milliseconds instead of those before, as nothing sleeps there but what hangs
TRIES = 6
MOST_SECONDS, MOST_MEMORY = 60, 1 << 30  # that a copy takes by the clock, and bytes of pages of its own
MOST_ANSWER = 1 << 20  # bytes; it names some tens of objects


class Answer:
    """What a copy said, when it was made, how long the job stood still for it, and how much of the processor's time it took, in seconds."""

    def __init__(self, value: dict[str, Any] | None, made: float, stood: float, took: float) -> None:
        self.value, self.made, self.stood, self.took = value, made, stood, took


class _Living:
    """The copy that there is."""

    pid, parent, is_over = ctypes.c_int(), 0, False  # the first is written by the system as it makes the copy: the thread may come to no further line


def end_copies() -> None:
    """Ends the copy, and has no other made: this process ends, and a copy that hangs would keep open what it prints to."""
    _Living.is_over = True
    if _Living.pid.value > 0 and _Living.parent == os.getpid():
        os.kill(_Living.pid.value, signal.SIGKILL)


def can_copy() -> bool:
    return sys.platform == "linux" and os.uname().machine in CLONE and ctypes.sizeof(ctypes.c_void_p) == 8


def seconds_of_copy() -> float:
    """How long the job is expected to stand still for a copy."""
    with open("/proc/self/status", "rb") as file:
        return next((int(line.split()[1]) * 1024 for line in file if line.startswith(b"RssAnon")), 0) * COPY_SECONDS


def ask_copy(question: Callable[["Signs"], dict[str, Any]], kept: tuple[int, ...], meanwhile: Callable[[], None], before: Callable[[], Any] = int) -> Answer:
    """What the question answers in a copy of this process, in which the files that are kept stay open. It is handed what it has to call now and then, to show that it
    goes on; meanwhile is called while it is waited for, and before right ahead of each copy. Only for a thread of ours, in which all signals are blocked."""
    answer = Answer(None, 0.0, 0.0, 0.0)
    for tries in range(TRIES):
        answer = _ask_once(question, kept, meanwhile, before, tries)
        if answer.value is not None or _Living.is_over:
            break
    return answer


def _ask_once(question: Callable[["Signs"], dict[str, Any]], kept: tuple[int, ...], meanwhile: Callable[[], None], before: Callable[[], Any], tries: int) -> Answer:
    reader, writer = os.pipe()
    call, number, parent = ctypes.PyDLL(None).syscall, CLONE[os.uname().machine], os.getpid()
    interval, longer = sys.getswitchinterval(), max(LONG_INTERVAL, TIMES_EXPECTED * seconds_of_copy())
    began, made = time.monotonic(), time.time()
    sys.setswitchinterval(max(interval, longer))
    time.sleep(0)  # who has waited for the interpreter's lock by the short interval gets it first; a copy that hangs before its first line outlives a job that ends meanwhile
    before()
    _Living.parent, to = parent, ctypes.addressof(_Living.pid)
    pid = -1 if _Living.is_over else call(ctypes.c_long(number), ctypes.c_long(TELL_NUMBER), ctypes.c_long(0), ctypes.c_long(to), ctypes.c_long(0), ctypes.c_long(0))
    if pid == 0:
        _be_copy(question, Signs(writer, tries), kept, parent)
    sys.setswitchinterval(interval)
    stood = time.monotonic() - began
    os.close(writer)
    text = _read(reader, pid, meanwhile) if pid > 0 else b""
    os.close(reader)
    took = _end(pid) if pid > 0 else 0.0
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return Answer(value if type(value) is dict else None, made, stood, took)


def _read(reader: int, pid: int, meanwhile: Callable[[], None]) -> bytes:
    """The answer up to its line feed; nothing where it does not come."""
    text, ready, silent = b"", select.poll(), 0
    ready.register(reader, select.POLLIN)
    while not text.endswith(b"\n") and len(text) < MOST_ANSWER:
        meanwhile()
        if not ready.poll((NO_SIGN if len(text) >= BEGUN else NO_BEGIN) // SLICES):
            silent = silent + 1 if _sleeps(pid) else 0
            if silent >= SLICES:
                return b""
            continue
        silent = 0
        part = os.read(reader, 1 << 16)
        if not part:
            return b""
        text += part
    return text


def _sleeps(pid: int) -> bool:
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0] == b"S"


def _end(pid: int) -> float:
    """Ends the copy, which may have done so already; returns its time of the processor."""
    try:
        os.kill(pid, signal.SIGKILL)
        _Living.pid.value = 0
        usage = os.wait4(pid, WAIT_ALL)[2]
        return usage.ru_utime + usage.ru_stime
    except OSError as error:  # somebody else has waited for it
        note_error(error)
        return 0.0


def _be_copy(question: Callable[["Signs"], dict[str, Any]], signs: "Signs", kept: tuple[int, ...], parent: int) -> None:
    """The life of the copy, which never returns."""
    try:
        ctypes.PyDLL(None).prctl(KILL_WITH_PARENT, signal.SIGKILL)  # before anything that may hang: it has the job's stdout open
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        gc.disable()
        if os.getppid() == parent:
            os.write(signs.writer, b" ")  # which releases the interpreter's lock, as what follows does: so the second blank shows that this works
            _leave_files((signs.writer, *kept))
            _give_way()
            os.write(signs.writer, b" ")
            os.write(signs.writer, json.dumps(question(signs)).encode() + b"\n")
    except BaseException as error:
        said = {"error": type(error).__name__, "where": _where(error)}
        os.write(signs.writer, json.dumps(dict(said, limit=str(error)) if type(error) is Limit else said).encode() + b"\n")
    finally:
        os._exit(0)


class Limit(Exception):
    """A copy would need more than it may have."""


class Signs:
    """Writes a blank now and then; knows how often a copy was tried before, and how much it may take."""

    def __init__(self, writer: int, tries: int) -> None:
        self.writer, self.tries = writer, tries
        self.last = self.began = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self.last > SIGN_EVERY:
            self.last = now
            os.write(self.writer, b" ")
        if now - self.began > MOST_SECONDS:
            raise Limit(f"takes longer than {MOST_SECONDS} s")
        if resource.getrusage(resource.RUSAGE_SELF).ru_minflt * PAGE > MOST_MEMORY:  # a fault for each page that it writes to first
            raise Limit(f"needs more than {MOST_MEMORY >> 20} MiB")


def _where(error: BaseException) -> int:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_lineno if trace is not None else 0


def _leave_files(kept: tuple[int, ...]) -> None:
    """Closes all files but those, and lets what is printed go nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    for name in os.listdir("/proc/self/fd"):  # and not all numbers there may be, which are a million
        if int(name) > 2 and int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:  # that of the listing
                pass


def _give_way() -> None:
    """Lets the job have the memory first."""
    try:
        with open("/proc/self/oom_score_adj", "wb") as file:
            file.write(b"1000")
    except OSError:  # the system does not allow it
        pass
