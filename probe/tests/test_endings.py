"""What is on disk however a job ends, and what `leakline run` is told of it."""
import contextlib
import gzip
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_startup import CUDA, Job

LEAK = """
import os, signal, sys, time, torch
def serve():
    kept, net = [], torch.nn.Linear(64, 64).cuda()
    for number in range(200):
        with torch.no_grad():
            kept.append(net(torch.ones(8, 64, device="cuda")))
        if number == 120:
            {end}
serve()"""
ENDS = {"SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", -signal.SIGTERM), "SIGHUP": ("signal.signal(signal.SIGHUP, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGHUP); time.sleep(9)", -signal.SIGHUP),  # nohup ignores it
        "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL), "abort": ("os.abort()", -signal.SIGABRT), "os._exit": ("os._exit(3)", 3)}


class Run(Job):
    """Jobs with the folder that `leakline run` gives them."""

    def setUp(self):
        super().setUp()
        self.run_folder = os.path.join(self.place, "run")
        os.mkdir(self.run_folder)

    def environment(self, **settings):
        return super().environment(**{"LEAKLINE_RUN": self.run_folder, **settings})

    def notes(self):
        """What the one process noted, and the other files in that folder; of growth the word alone."""
        names = sorted(os.listdir(self.run_folder))
        with open(os.path.join(self.run_folder, names[0])) as file:
            notes = file.read().splitlines()
        return [note.partition(" ")[0] if note.startswith("grows") else note for note in notes], [name.partition(".")[2] for name in names[1:]]


@unittest.skipUnless(CUDA, "no GPU")
class Ends(Run):
    def check_notes(self, *notes):
        """The notes of one process without other files; the thread that counts may note growth before or after the first file is noted."""
        noted, others = self.notes()
        self.assertEqual((sorted(notes), []), (sorted(noted), others))

    def test_what_grows_is_on_disk_before_the_end(self):
        for name, (end, code) in ENDS.items():
            with self.subTest(name):
                self.setUp()
                ran = self.run_job(LEAK.format(end=end))
                self.assertEqual((code, ""), (ran.returncode, ran.stdout))
                self.assertEqual(["growth.holders", "growth.pickle"], [os.path.basename(path).partition(".")[2] for path in self.outputs("") if ".growth." in path][-2:])
                dump = Reader(self.outputs("growth.holders")[-1])
                self.assertTrue(any("kept" in (dump.path(row[0]) or ()) for row in dump.tensors))
                self.check_notes("armed", "torch", "device", "wrote", "grows")

    def test_an_end_by_itself_is_noted_and_has_the_last_snapshot(self):
        self.run_job(LEAK.format(end="pass"))
        self.check_notes("armed", "torch", "device", "wrote", "grows", "ended")
        self.assertEqual(1, len(self.outputs(".pickle")))

    def test_the_dump_of_an_exception_looks_at_what_is_near_and_has_the_calls_that_it_ended(self):
        ran = self.run_job(LEAK.format(end="raise ValueError"))
        self.assertIn("ValueError", ran.stderr)
        dump = Reader(self.outputs("holders")[-1])
        self.assertEqual("exit", dump.header["reason"])
        self.assertLess(dump.header["objects"], 20_000, "torch alone has 300,000")
        self.assertTrue(any("kept" in (dump.path(row[0]) or ()) for row in dump.tensors))

    def test_growth_in_a_server_is_told_while_its_main_thread_waits(self):
        ran = self.run_job("""
import threading, time, torch
def serve():
    for _ in range(140):
        with torch.inference_mode():
            kept.append(net(torch.ones(8, 64, device="cuda")))
        time.sleep(0.03)
kept, net = [], torch.nn.Linear(64, 64).cuda()
server = threading.Thread(target=serve)
server.start()
server.join()""")
        self.assertEqual(0, ran.returncode, ran.stderr)
        self.check_notes("armed", "torch", "device", "wrote", "grows", "ended")

    def test_idle_pools_of_threads_are_still_there_at_the_dump_of_the_exit(self):
        for pending, ended in (0, "False"), (4, "True"):
            with self.subTest(pending):
                self.setUp()
                ran = self.run_job(f"""
import concurrent.futures.thread, time, torch, leakline_probe
written, pool = leakline_probe.write, concurrent.futures.ThreadPoolExecutor(1)
leakline_probe.write = lambda reason: (print(concurrent.futures.thread._shutdown), written(reason))
pool.submit(torch.ones, 8, device="cuda").result()
time.sleep(0.1)
for number in range({pending}):
    pool.submit(time.sleep, 0.1)""")
                self.assertEqual((0, ended + "\n"), (ran.returncode, ran.stdout), ran.stderr)

    def test_a_loaders_worker_writes_nothing_of_what_it_inherited(self):
        ran = self.run_job(LEAK.format(end="""
            pid = os.fork()
            if pid == 0:
                sys.exit(0)
            os.waitpid(pid, 0)"""))
        self.assertEqual(0, ran.returncode, ran.stderr)
        self.assertEqual(1, len({os.path.basename(path).partition(".")[0] for path in self.outputs("")}))

    def test_memory_that_runs_out_in_a_backward_pass_leaves_the_dump_of_before(self):
        ran = self.run_job("""
import torch
class Greedy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, grad):
        torch.empty(1 << 50, dtype=torch.uint8, device="cuda")
def learn():
    shown, weight = [], torch.nn.Parameter(torch.ones(64, device="cuda"))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    for number in range(100):
        shown.append(weight.exp())
        (Greedy.apply(weight) if number == 90 else weight).sum().backward()
        optimizer.step()
learn()""")
        self.assertIn("OutOfMemoryError", ran.stderr)
        names = [os.path.basename(path).partition(".")[2] for path in self.outputs("")]
        self.assertIn("pickle", names)
        self.assertNotIn("holders", names)
        dump = Reader(self.outputs("growth.holders")[-1])
        self.assertTrue(any("shown" in (dump.path(row[0]) or ()) for row in dump.tensors))


class Places(Run):
    """Where files go that cannot be written where they should."""

    def test_a_folder_that_is_none(self):
        with open(self.out, "w"):
            pass
        ran = self.run_job("import leakline_probe; leakline_probe.step(); leakline_probe.step()")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        notes, others = self.notes()
        self.assertEqual(["armed", "trouble Not a directory", "wrote", "ended"], notes)
        self.assertEqual(["counters.jsonl"], others)

    def test_without_leakline_run_the_probe_is_off_and_says_so(self):
        with open(self.out, "w"):
            pass
        ran = self.run_job("print(5)", LEAKLINE_RUN="")
        self.assertEqual((0, "5\n"), (ran.returncode, ran.stdout))
        self.assertIn("leakline: off, because it cannot write to", ran.stderr)


class Full(Armed):
    """A disk that is full."""

    def setUp(self):
        super().setUp()
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.run = leakline_probe.outputs.run = place.name

    def test_all_goes_elsewhere_from_then_on(self):
        path = leakline_probe.outputs.path("a.holders")
        os.mkdir(path)  # a file cannot take its place
        written = leakline_probe.write_file(path, b"content")
        self.assertEqual(os.path.join(self.run, os.path.basename(path)), written)
        self.assertTrue(leakline_probe.outputs.path("b").startswith(self.run))
        with open(os.path.join(self.run, str(os.getpid()))) as file:
            self.assertEqual(["trouble Is a directory", "wrote"], file.read().splitlines())

    def test_where_that_is_full_too_files_are_compressed_in_memory(self):
        probe, memory = leakline_probe, os.path.join(tempfile.mkdtemp(dir=self.run), "memory")
        probe.outputs.spare = memory
        for place in (self.folder, self.run):
            os.mkdir(os.path.join(place, os.path.basename(probe.outputs.path("a.holders"))))  # a file cannot take its place
        written = probe.write_file(probe.outputs.path("a.holders"), b"content")
        self.assertEqual(memory, os.path.dirname(written), probe.last_error)
        with open(written, "rb") as file:
            self.assertEqual(b"content", gzip.decompress(file.read()))
        os.mkdir(probe.outputs.path("b.holders"))
        self.assertIsNone(probe.write_file(probe.outputs.path("b.holders"), b""), "there is no other place")

    def test_where_the_system_has_no_memory_for_files_they_are_not_written(self):
        probe = leakline_probe
        probe.outputs.folder, probe.outputs.spare = self.run, os.path.join(self.run, "none", "memory")
        os.mkdir(probe.outputs.path("a.holders"))
        self.assertIsNone(probe.write_file(probe.outputs.path("a.holders"), b""))
        self.assertFalse(os.path.exists(os.path.dirname(probe.outputs.spare)))

    def test_a_file_for_another_place_is_nobodys(self):
        self.assertIsNone(leakline_probe.write_file(os.path.join(self.folder, "none", "x.holders"), b""))
        self.assertEqual([], os.listdir(self.run))


@contextlib.contextmanager
def limited(size):
    """No file may be larger than that; the signal of the limit has its default, which is death."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


class Small(Armed):
    """Files that may not be as large as they are."""
    EVENTS = [{"action": "alloc", "addr": os.urandom(8).hex(), "size": 512} for _ in range(4000)]

    def write(self, content, **named):
        path = leakline_probe.outputs.path("growth.pickle")
        with limited(20_000):
            return leakline_probe.write_file(path, content, **named)

    def content(self, path):
        with open(path, "rb") as file:
            return gzip.decompress(file.read())

    def test_what_fits_compressed_is_whole(self):
        self.assertEqual(b"x" * 100_000, self.content(self.write(b"x" * 100_000)))

    def test_what_does_not_leaves_the_one_before(self):
        path = self.write(b"before")
        self.assertIsNone(self.write(os.urandom(100_000)))
        with open(path, "rb") as file:
            self.assertEqual(b"before", file.read())
        self.assertEqual([os.path.basename(path)], os.listdir(self.folder))

    def test_a_snapshot_keeps_its_newest_events_and_later_ones_no_more(self):
        snapshot = {"segments": [], "device_traces": [list(self.EVENTS), []]}
        written = pickle.loads(self.content(self.write(pickle.dumps(snapshot), shorten=leakline_probe.history.shorten)))
        kept = len(written["device_traces"][0])
        self.assertTrue(100 < kept < 2000, kept)
        self.assertEqual(self.EVENTS[-kept:], written["device_traces"][0])
        self.assertEqual(self.EVENTS[-kept:], pickle.loads(leakline_probe.history.pickle(snapshot, 60.0))["device_traces"][0])

    def test_lines_that_would_be_too_long_are_not_begun(self):
        with limited(10), self.assertRaises(OSError):
            leakline_probe.append_to(leakline_probe.outputs.path("counters.jsonl"), b"x" * 11)

    def test_it_is_noted(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        leakline_probe.outputs.run = place.name
        self.write(b"x" * 100_000)
        with open(os.path.join(place.name, str(os.getpid()))) as file:
            self.assertEqual(["small File too large", "wrote"], file.read().splitlines())


class Names(unittest.TestCase):
    """What a process is called."""

    def name(self, *arguments):
        probe = os.path.dirname(leakline_probe.__file__)
        text = f"import sys; sys.path.insert(0, {probe!r}); import leakline_probe; print(leakline_probe.program_name())"
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "served"))
            for name in ("job", "served/__init__", "served/__main__"):
                with open(os.path.join(folder, name + ".py"), "w") as file:
                    file.write("" if name.endswith("__init__") else text)
            return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True).stdout.strip()

    def test_a_script_and_a_module(self):
        self.assertEqual("job.py", self.name("job.py"))
        self.assertEqual("job.py", self.name("-u", "job.py", "-m", "other"))
        self.assertEqual("served", self.name("-m", "served"))
        self.assertEqual("served", self.name("served"))


if __name__ == "__main__":
    unittest.main()
