"""Looks at the host's memory: that the sum closes, that who keeps what grows is named, and that the job is as it was."""
import contextlib
import collections
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

from built import FOLDER, leakline_probe

ENDS = {"SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", -signal.SIGTERM), "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        "abort": ("os.abort()", -signal.SIGABRT), "os._exit": ("os._exit(3)", 3), "exit": ("sys.exit(4)", 4), "error": ("sys.stderr.close(); raise ValueError", 1),
        "exec": ("os.execv(sys.executable, [sys.executable, '-c', 'import os\\ntry:\\n os.wait()\\nexcept ChildProcessError:\\n os._exit(5)'])", 5),
        "fork": ("child = os.fork()\nif child == 0: os._exit(6)\nos._exit(os.waitstatus_to_exitcode(os.waitpid(-1, 0)[1]) + (os.waitpid(-1, os.WNOHANG)[0] if False else 0))", 6),
        "pool": ("import subprocess; os._exit(subprocess.run(['sh', '-c', 'exit 7']).returncode)", 7)}
JOB = """
import os, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import leakline_probe
kept = []
def look():
    while True:
        leakline_probe.look_for_visitor({path!r}, 0.0, 1.0)
threading.Thread(target=look, daemon=True).start()
end = time.monotonic() + {wait}
while time.monotonic() < end:
    kept.append(bytearray(3000))
    time.sleep(0.001)
{end}
"""
STUCK = """
import os, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import leakline_probe
job, write = os.getpid(), os.write
os.write = lambda file, text: write(file, text) if os.getpid() == job else time.sleep(60)
def kill():
    write(1, b"copied\\n")
    os.kill(job, signal.SIGKILL)
threading.Thread(target=lambda: leakline_probe.ask_copy(lambda alive: {{}}, (), kill), daemon=True).start()
time.sleep(60)
"""
NATIVE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "native", "leakline_native.c")
LOSES = """
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
void *lose(size_t n) { return memset(malloc(n), 1, n); }
void use(size_t n) { free(lose(n)); }
void *place(size_t n) { return mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
"""

kept_by_module = []


class Keeper:
    def __init__(self):
        self.pages = {}
        self.slots = []


def in_thread(work):
    """The result of work in a thread of its own, in which signals may be blocked."""
    found = []

    def run():
        leakline_probe.block_signals()
        found.append(work())
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


@unittest.skipUnless(leakline_probe.can_copy(), "needs Linux on x86-64 or arm64")
class Looks(unittest.TestCase):
    def setUp(self):
        self.looks = leakline_probe.Looks()
        self.addCleanup(lambda: self.looks.lengths is None or os.close(self.looks.lengths))

    def look(self):
        row = in_thread(lambda: self.looks.look(1.0, lambda: None))
        self.assertNotIn("error", row)
        self.assertNotIn("piles_error", row)
        return row

    def piles(self, grow):
        self.look()
        for _ in range(2):
            grow()
            row = self.look()
        return {(pile["name"] + "." + pile["attribute"] + pile["rest"]).strip("."): pile for pile in row["piles"]}

    def test_the_parts_add_up_to_what_is_resident(self):
        self.kept = [bytearray(b"x" * 300_000) for _ in range(60)] + [list(range(200_000, 260_000)) for _ in range(20)]
        row = self.look()
        self.assertLess(abs(row["resident"] - sum(row["parts"].values())), 0.05 * row["resident"])
        self.assertGreater(row["parts"]["python_objects"], 60 * 300_000 + 20 * 60_000 * 8)

    def test_of_very_many_objects_some_stand_for_all(self):
        keeper = Keeper()

        def grow(count):
            for _ in range(count):
                number = len(keeper.slots)
                keeper.slots.append({"number": number, "text": f"{number}" * 200, "parts": [number]})
                keeper.pages[number] = "x" * (700 + number % 9)
        grow(60_000)
        whole = self.look()["parts"]
        with mock.patch.object(leakline_probe, "MOST_BLOCKS", 0):
            some = self.look()
            self.assertRegex(some["remark"], r"^estimated by [0-9,]+ of [0-9]{3},[0-9]{3} objects$")
            self.assertAlmostEqual(whole["python_objects"], some["parts"]["python_objects"], delta=0.05 * whole["python_objects"])
            piles = self.piles(lambda: grow(3000))
            after = self.look()["parts"]
        self.assertAlmostEqual(6000 * 2150, after["python_objects"] - some["parts"]["python_objects"], delta=0.15 * 6000 * 2150)
        self.assertEqual((66_000, 6000), (piles["Keeper.slots"]["items"], piles["Keeper.slots"]["grown"]))
        self.assertEqual((66_000, 6000), (piles["Keeper.pages"]["items"], piles["Keeper.pages"]["grown"]))

    def test_a_block_that_many_share_is_counted_once(self):
        shared = bytes(b"y" * 4_000_000)
        self.kept = [{"shared": shared} for _ in range(50_000)]
        with mock.patch.object(leakline_probe, "MOST_BLOCKS", 0):
            parts = self.look()["parts"]
        self.assertLess(parts["python_objects"], 4_000_000 + leakline_probe.Allocators().small + 30e6)
        self.assertGreater(parts["python_objects"], 4_000_000 + 50_000 * 184)

    def test_a_look_that_takes_too_much_says_so_and_what_the_system_knows(self):
        for limit, value, words in ("MOST_SECONDS", 0, "takes longer than 0 s"), ("MOST_MEMORY", 1 << 20, "needs more than 1 MiB"):
            with mock.patch.object(leakline_probe, limit, value):
                row = in_thread(lambda: self.looks.look(1.0, lambda: None))
            self.assertTrue(row["coarse"])
            self.assertEqual("only the system was asked: the look at its objects " + words, row["remark"])
            self.assertEqual(row["resident"], sum(row["parts"].values()))

    def test_a_block_of_c_is_native_until_it_is_freed(self):
        before, library = self.look(), ctypes.CDLL(None)
        library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        blocks = [library.malloc(50_000) for _ in range(400)]
        for block in blocks:
            ctypes.memset(block, 1, 50_000)
        during = self.look()
        for block in blocks:
            library.free(block)
        after = self.look()
        grown = [row["parts"]["native_live"] - before["parts"]["native_live"] for row in (during, after)]
        self.assertAlmostEqual(20e6, grown[0], delta=1e6)
        self.assertAlmostEqual(0, grown[1], delta=1e6)

    def test_owners_of_what_grows_are_named(self):
        keeper, seen = Keeper(), []

        def watch():
            return seen

        def grow():
            for number in range(50):
                kept_by_module.append(bytearray(20_000))
                keeper.pages[len(keeper.pages)] = [bytes(30_000)]
                seen.append({number: "x" * 10_000})
        self.watch = watch
        piles = self.piles(grow)
        self.assertEqual({"module", "class", "call"}, {piles[name]["kind"] for name in ("kept_by_module", "Keeper.pages") if name in piles} |
                         {pile["kind"] for name, pile in piles.items() if name.endswith(".seen")})
        self.assertAlmostEqual(100 * 30_000, piles["Keeper.pages"]["bytes"]["python_objects"], delta=300_000)
        self.assertEqual((100, 2), (piles["Keeper.pages"]["grown"], piles["Keeper.pages"]["rises"]))
        kept_by_module.clear()

    def test_lists_by_key_are_told_as_one(self):
        keeper = Keeper()
        keeper.pages = collections.defaultdict(list)
        keeper.pages.update((f"w{number}", []) for number in range(400))

        def grow():
            for number in range(1200):
                keeper.pages[f"w{number % 400}"].append((number, bytes(5_000)))
        piles = self.piles(grow)
        self.assertEqual((2400, 2400, 2), tuple(piles["Keeper.pages[*]"][part] for part in ("items", "grown", "rises")))
        self.assertAlmostEqual(2400 * 5_000, piles["Keeper.pages[*]"]["bytes"]["python_objects"], delta=1_000_000)

    def test_no_child_is_seen_and_no_signal_comes(self):
        came = []
        self.addCleanup(signal.signal, signal.SIGCHLD, signal.signal(signal.SIGCHLD, lambda *_: came.append(1)))
        files = len(os.listdir("/proc/self/fd"))
        self.look()
        self.assertEqual(files + 1, len(os.listdir("/proc/self/fd")), "the file in memory alone")
        time.sleep(0.05)
        self.assertEqual([], came)
        with contextlib.suppress(ChildProcessError):  # there may be another child, such as the Python that has imported torch
            self.assertEqual((0, 0), os.waitpid(-1, os.WNOHANG))

    def test_files_that_the_job_closes_are_closed_though_a_copy_lives(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)

        def slow(alive):
            time.sleep(1.5)
            return {}
        thread = threading.Thread(target=lambda: leakline_probe.ask_copy(slow, (), lambda: None))
        thread.start()
        time.sleep(0.5)
        os.close(writer)
        self.assertTrue(select.select([reader], [], [], 0.3)[0], "the end of the pipe is seen at once")
        thread.join()

    def test_a_copy_that_hangs_is_ended(self):
        with mock.patch.object(leakline_probe, "NO_SIGN", 100):
            answer = in_thread(lambda: leakline_probe.ask_copy(lambda alive: time.sleep(60), (), lambda: None))
        self.assertIsNone(answer.value)
        with contextlib.suppress(ChildProcessError):
            self.assertEqual((0, 0), os.waitpid(-1, os.WNOHANG | leakline_probe.WAIT_ALL))

    def test_a_copy_that_hangs_at_its_first_write_ends_with_its_job(self):
        # as under load: who reads what the job prints would wait for as long as the copy has the job's stdout open
        text = STUCK.format(folder=FOLDER)
        ran = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, timeout=20)
        self.assertEqual((-signal.SIGKILL, b"copied\n"), (ran.returncode, ran.stdout))

    def test_what_the_copy_prints_goes_nowhere(self):
        with tempfile.TemporaryFile() as file:
            kept = os.dup(2)
            os.dup2(file.fileno(), 2)
            try:
                in_thread(lambda: leakline_probe.ask_copy(lambda alive: os.write(2, b"words") and {}, (), lambda: None))
            finally:
                os.dup2(kept, 2)
                os.close(kept)
            self.assertEqual(0, file.seek(0, os.SEEK_END))

    def test_a_process_that_is_too_large_is_not_copied(self):
        row = in_thread(lambda: self.looks.look(1e-9, lambda: None))
        self.assertTrue(row["coarse"])
        self.assertIn("more than --max-pause allows", row["remark"])
        self.assertEqual(row["resident"], sum(row["parts"].values()))

    def test_a_job_that_ends_forks_or_execs_meanwhile_is_unharmed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (end, code) in ENDS.items():
                for round_ in range(3):
                    with self.subTest(name, round=round_):
                        path = os.path.join(folder, f"{name}-{round_}.jsonl")
                        text = JOB.format(folder=FOLDER, path=path, wait=0.3 + 0.07 * round_, end=end)
                        ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
                        self.assertEqual((code, ""), (ran.returncode, ran.stdout), ran.stderr)
                        with contextlib.suppress(FileNotFoundError), open(path) as file:
                            rows = [json.loads(line) for line in file.read().split("\n")[:-1]]
                            self.assertTrue(all("parts" in row or "levels" in row for row in rows), rows[-1:])

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_calls_of_c_are_named_with_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            source, loses, sampler = (os.path.join(folder, name) for name in ("loses.c", "libloses.so", "leakline_native.so"))
            with open(source, "w") as file:
                file.write(LOSES)
            for made, what in ((loses, source), (sampler, NATIVE)):
                subprocess.run(["cc", "-O1", "-fPIC", "-shared", "-o", made, what], check=True)
            ran = subprocess.run([sys.executable, "-c", CALLS.format(folder=FOLDER, loses=loses, sampler=sampler)], capture_output=True, text=True, timeout=60)
        self.assertEqual("", ran.stderr)
        calls = {call["function"]: call for call in json.loads(ran.stdout) if call["library"] == "libloses.so"}
        self.assertEqual({"lose", "place"}, set(calls), "what is freed is not told")
        self.assertAlmostEqual(40e6, calls["lose"]["bytes"], delta=25e6)  # by chance, and the rate rises as so much is allocated at once
        self.assertAlmostEqual(40 << 20, calls["place"]["bytes"], delta=16 << 20)
        runtime = {call["function"]: call["bytes"] for call in json.loads(ran.stdout) if call["library"].startswith("libc")}
        for name in ("strdup", "malloc"):  # inside of the C library, and what ctypes has looked up by its name
            self.assertAlmostEqual(40e6, runtime[name], delta=25e6)
        if sys.version_info >= (3, 11):
            self.assertEqual([["<string>", 12, "work"], ["<string>", 16, "<module>"]], calls["lose"]["frames"])


CALLS = """
import ctypes, json, sys, threading
sys.path.insert(0, {folder!r})
import leakline_probe
c = ctypes.CDLL({loses!r})
c.lose.argtypes = c.use.argtypes = c.place.argtypes = [ctypes.c_size_t]
rows = []
leakline_probe.natives.begin({sampler!r})
def work():
    for _ in range(800):
        c.use(50000)
        c.lose(50000)
    for _ in range(20):
        c.place(2 << 20)
looks = leakline_probe.Looks()
work()
def call_runtime():
    runtime = ctypes.CDLL(None)
    runtime.malloc.argtypes, runtime.malloc.restype, runtime.strdup.restype = [ctypes.c_size_t], ctypes.c_void_p, ctypes.c_void_p
    for _ in range(800):
        runtime.malloc(50000)
        runtime.strdup(b"label " * 8350)
call_runtime()
def look():
    leakline_probe.block_signals()
    rows.append(looks.look(1.0, lambda: None))
thread = threading.Thread(target=look)
thread.start()
thread.join()
print(json.dumps(rows[0].get("natives", rows)))
"""

if __name__ == "__main__":
    unittest.main()
