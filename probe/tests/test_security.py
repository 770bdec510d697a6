"""What SECURITY.md promises: what is in the files, what the probe does to a process, which hooks it sets."""
import json
import os
import re
import sys
import tempfile
import threading
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_interpreters import Straw, StrawTorch
from test_startup import TRAIN, Job, torch

SECRET = "s3cr3t"


class Files(Armed):
    """Files are written where they belong, and nowhere else."""

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.elsewhere = os.path.join(tempfile.mkdtemp(dir=self.folder), "elsewhere")

    def dump(self, name="a.holders"):
        return leakline_probe.dump(os.path.join(self.folder, name), target="cpu")

    def count(self):
        leakline_probe.step()
        leakline_probe.counters.end([])

    def test_all_are_readable_by_their_owner_only(self):
        self.addCleanup(os.umask, os.umask(0))
        self.dump()
        self.count()
        leakline_probe.announce()
        names = [entry for entry in os.scandir(self.folder) if entry.is_file()]
        self.assertEqual([0o600] * 3, [entry.stat().st_mode & 0o777 for entry in names])

    def test_a_file_takes_the_place_of_a_link_and_nothing_else(self):
        os.symlink(self.elsewhere, os.path.join(self.folder, "a.holders"))
        self.assertTrue(self.dump())
        self.assertFalse(os.path.exists(self.elsewhere))
        self.assertFalse(os.path.islink(os.path.join(self.folder, "a.holders")))

    def test_a_file_is_made_under_a_name_that_nobody_can_guess_and_never_through_a_link(self):
        made = []
        with mock.patch.object(os, "replace", lambda part, path: made.append(part)):
            self.dump()
            self.dump()
        self.assertEqual(2, len(set(made)))
        with mock.patch.object(os, "urandom", bytes):
            planted = os.path.join(self.folder, "a.holders." + bytes(8).hex() + ".tmp")
            os.symlink(self.elsewhere, planted)
            self.assertIsNone(self.dump())
        self.assertFalse(os.path.exists(self.elsewhere))

    def test_counters_are_not_written_through_a_link(self):
        os.symlink(self.elsewhere, leakline_probe.outputs.path("counters.jsonl"))
        self.count()
        self.assertFalse(os.path.exists(self.elsewhere))
        self.assertTrue(leakline_probe.counters.is_broken)

    def test_counters_are_not_written_to_a_file_that_somebody_has_linked_there(self):
        with open(self.elsewhere, "w"):
            pass
        os.link(self.elsewhere, leakline_probe.outputs.path("counters.jsonl"))
        self.count()
        self.assertEqual(0, os.path.getsize(self.elsewhere))

    def test_folders_are_for_their_owner_only(self):
        self.addCleanup(os.umask, os.umask(0))
        leakline_probe.make_folder(os.path.join(self.folder, "a", "b"))
        self.assertEqual([0o700] * 2, [os.stat(os.path.join(self.folder, name)).st_mode & 0o777 for name in ("a", "a/b")])

    def test_a_folder_that_somebody_has_put_where_everybody_may_is_not_used(self):
        everybodys, private = os.path.join(self.folder, "everybodys"), os.path.join(self.folder, "private")
        for folder in (everybodys, private):
            os.mkdir(folder)
            os.mkdir(folder + "/theirs")
            os.symlink(folder + "/theirs", folder + "/link")
        os.chmod(everybodys, 0o1777)
        leakline_probe.make_folder(everybodys + "/theirs")
        leakline_probe.make_folder(private + "/link")
        with self.assertRaises(PermissionError):
            leakline_probe.make_folder(everybodys + "/link")
        with mock.patch.object(os, "geteuid", lambda: os.getuid() + 1):
            leakline_probe.make_folder(private + "/theirs")
            with self.assertRaises(PermissionError):
                leakline_probe.make_folder(everybodys + "/theirs")

    def test_counters_are_not_written_to_what_is_no_file_or_somebody_elses(self):
        path = leakline_probe.outputs.path("counters.jsonl")
        os.mkfifo(path)
        self.count()
        self.assertTrue(leakline_probe.counters.is_broken)
        os.unlink(path)
        with open(path, "w"):
            pass
        leakline_probe.counters.restart(None)
        with mock.patch.object(os, "geteuid", lambda: os.getuid() + 1):
            self.count()
        self.assertEqual(0, os.path.getsize(path))
        self.assertIn("is not a file of ours", leakline_probe.last_error)


class HostileName(str):
    """A name that runs code when it is compared, hashed or measured."""
    asked = []

    def _refuse(self, *_):
        HostileName.asked.append(self)
        raise RuntimeError("the job's own code was run")
    __eq__ = __len__ = __repr__ = __str__ = __format__ = __getitem__ = _refuse

    def __hash__(self):
        return HostileName._refuse(self) if HostileName.is_armed else str.__hash__(self)
    is_armed = False


class Contents(Armed):
    """What is in a dump."""

    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.path = os.path.join(self.folder, "a.holders")

    def dump(self):
        self.assertTrue(leakline_probe.dump(self.path, target="cpu"), leakline_probe.last_error)
        with open(self.path, "rb") as file:
            return Reader(self.path), file.read()

    def test_no_value_is(self):
        class Held:
            """A docstring: s3cr3t."""

            def __repr__(self):
                return SECRET
        held, number, text, data = Held(), 1234567890123, "text " + SECRET, b"bytes " + SECRET.encode()
        held.tensor, held.token, held.number = Straw(1), SECRET, number
        kept = {("k" * 59) + SECRET: [Straw(2), text], data: Straw(3), frozenset([SECRET]): Straw(4), held: [Straw(5), data, (SECRET,), {SECRET}]}
        os.environ["LEAKLINE_TEST_TOKEN"] = SECRET
        self.addCleanup(os.environ.pop, "LEAKLINE_TEST_TOKEN")
        try:
            raise ValueError(SECRET, Straw(6))
        except ValueError as error:
            failed = error  # noqa: F841
        dump, content = self.dump()
        self.assertEqual(6, len(dump.tensors))
        self.assertNotIn(SECRET.encode(), content)
        self.assertNotIn(str(number).encode(), content)
        self.assertTrue({"kept", "k" * 59 + "\u2026", "<bytes>", "<frozenset>"} <= set(dump.strings))
        del kept

    def test_keys_of_dicts_can_be_hashed_and_names_stay(self):
        class Patient:
            pass
        patient = Patient()
        patient.history = {"Ada": Straw(1), 1815: [Straw(2)], ("Ada", 1): Straw(3)}
        with mock.patch.dict(os.environ, LEAKLINE_HASH_KEYS="1"):
            dump, content = self.dump()
        self.assertNotIn(b"Ada", content)
        self.assertFalse({"1815", "(Ada, 1)"} & set(dump.strings))
        for width in (1, 2, 3):
            way = dump.path(dump.nodes_of_shape(f"[{width}]")[0])
            self.assertEqual(["patient", "history"], [label for label in way if label in ("patient", "history")])
            self.assertTrue(any(label.startswith("#") and len(label) == 11 for label in way), way)

    def test_names_that_run_code_do_not(self):
        class Worker(threading.Thread):
            def __getattribute__(self, name):
                if HostileName.is_armed:
                    HostileName._refuse(HostileName(name))
                return super().__getattribute__(name)

            def run(self):
                mine = Straw(2)
                inside.set()
                go_on.wait()
                del mine
        inside, go_on = threading.Event(), threading.Event()
        worker = Worker(name="worker")
        worker.start()
        inside.wait()
        found = []

        class Body:
            locals()[HostileName("late")] = [Straw(1)]
            HostileName.is_armed = True
            try:
                found.append(leakline_probe.dump(self.path, target="cpu"))
            finally:
                HostileName.is_armed = False
                go_on.set()
                locals().clear()
                worker.join()
        self.assertEqual(([self.path], []), (found, HostileName.asked), leakline_probe.last_error)
        dump = Reader(self.path)
        self.assertEqual(2, len(dump.tensors))
        self.assertTrue(any("in thread worker" in dump.text(number) for number in range(len(dump.nodes))))


AUDIT = """
import sys, os
events = {}
PLACES = tuple(os.path.dirname(os.path.realpath(name)) + os.sep for name in (os.__file__,))
inside = []
def audit(event, arguments):
    if not inside:
        inside.append(True)
        try: note(event, arguments, sys._getframe().f_back)
        finally: inside.clear()
def note(event, arguments, frame):
    while frame is not None:
        name = frame.f_code.co_filename
        if name.endswith("leakline_probe.py"):
            events.setdefault(event, set()).add(str(arguments[0]) if event in ("open", "import", "os.remove", "os.rename", "os.mkdir") else "")
            return
        if "importlib" in name or not name.startswith("<frozen") and (not name.startswith(PLACES) or "site-packages" in name):
            return
        frame = frame.f_back
sys.addaudithook(audit)
"""

# Of the events that Python has for auditors, those that the probe causes: files, the imports of its own modules, C functions, looks at objects.
# Others, such as socket.*, subprocess.Popen, os.exec, os.system or os.kill, do not occur.
ALLOWED = {"open", "os.mkdir", "os.remove", "os.rename", "import", "exec", "ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata", "ctypes.call_function",
           "gc.get_objects", "gc.get_referents", "gc.get_referrers", "object.__getattr__", "sys._current_frames", "sys._current_exceptions",
           "sys._getframe", "builtins.id", "array.__new__", "os.listdir", "ctypes.string_at", "ctypes.addressof",
           "os.kill"}  # of its own copy, which looks at the heap


# Until the host's memory was looked at, which a job that is soon over ends without.
LOOKED_AT = """
import os, time
import leakline_probe
while not os.path.exists(leakline_probe.outputs.path("memory.jsonl")): time.sleep(0.05)
"""


class Processes(Job):
    """What an armed probe does to a process, seen by Python's own audit hooks."""

    def audited(self, text, **settings):
        """A job whose own sitecustomize, which comes before the probe, notes what the probe does; it is in a file when the job ends."""
        own = os.path.join(self.place, "site")
        os.mkdir(own)
        told = os.path.join(self.place, "events")
        with open(os.path.join(own, "sitecustomize.py"), "w") as file:
            file.write(AUDIT + f"""
import atexit, json
def tell():
    with open({told!r}, "w") as file:
        json.dump({{event: sorted(of) for event, of in events.items()}}, file)
atexit.register(tell)
""")
        ran = self.run_job(text, is_cold=True, path=own, **settings)
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        with open(told) as file:
            return json.load(file)

    def check(self, events):
        self.assertEqual(set(), set(events) - ALLOWED)
        self.assertEqual(set(), {name.partition(".")[0] for name in events["import"]} - getattr(sys, "stdlib_module_names", set(events["import"])))
        self.assertEqual([self.out], events["os.mkdir"])
        for event in ("open", "os.remove", "os.rename"):
            ours = [path for path in events[event] if not path.isdigit() and path not in ("/proc/self/stat", "/proc/self/status", "/proc/stat")
                    and not re.fullmatch(r"/proc/\d+/(maps|stat|smaps|smaps_rollup|task/\d+/children)", path)]
            self.assertEqual([], [path for path in ours if os.path.dirname(path) != self.out], event)

    def test_without_torch_it_reads_and_writes_its_own_files_only(self):
        events = self.audited("""
import leakline_probe
leakline_probe.step()
with leakline_probe.phase("validate"), leakline_probe.profile("validate"): pass
leakline_probe.dump()""" + LOOKED_AT, LEAKLINE_AT="exit,oom,growth,signal")
        self.check(events)
        self.assertTrue(any(".holders." in path for path in events["open"]), "the audit hook sees what the probe does")

    @unittest.skipIf(torch is None, "no torch")
    def test_with_torch_it_reads_and_writes_its_own_files_only(self):
        events = self.audited(TRAIN + "main()" + LOOKED_AT, LEAKLINE_AT="exit,oom,growth,signal")
        self.check(events)
        self.assertTrue(any(".holders." in path for path in events["open"]))


HOOKS = """
import atexit, gc, os, signal, sys
print(sum(type(callback).__name__ == "partial" for callback in gc.callbacks),
      sum(type(finder).__module__ == "leakline_probe" for finder in sys.meta_path),
      signal.getsignal(signal.SIGUSR2) is not signal.SIG_DFL)
"""


class Hooks(Job):
    """Which hooks are set, and that each can be left out."""

    def hooks(self, **settings):
        ran = self.run_job(HOOKS, **settings)
        self.assertEqual("", ran.stderr)
        return ran.stdout.split()

    def test_those_of_python(self):
        self.assertEqual(["1", "1", "False"], self.hooks(LEAKLINE_AT="exit"))
        self.assertEqual(["1", "1", "True"], self.hooks(LEAKLINE_AT="signal"))
        self.assertEqual(["0", "1", "False"], self.hooks(LEAKLINE_AT="exit", LEAKLINE_WITHOUT="collector"))
        self.assertEqual(["0", "0", "False"], self.hooks(LEAKLINE_AT="exit", LEAKLINE_WITHOUT="collector, torch"))

    def test_a_name_that_is_none_is_told(self):
        ran = self.run_job("", LEAKLINE_AT="exit", LEAKLINE_WITHOUT="loader,forks")
        self.assertEqual("leakline: LEAKLINE_WITHOUT has 'loader'; expected one of collector, cuda, errors, forks, host, loaders, optimizers, regions, timer, torch\n", ran.stderr)

    def test_none_without_a_folder(self):
        ran = self.run_job(HOOKS + "print('leakline_probe' in sys.modules)", LEAKLINE_OUT="")
        self.assertEqual(["0", "0", "False", "False"], ran.stdout.split())

    def test_forks(self):
        text = "import os, leakline_probe\nif os.fork() == 0: print(leakline_probe.process.is_forked, flush=True); os._exit(0)\nos.wait()"
        self.assertEqual("True", self.run_job(text).stdout.strip())
        self.assertEqual("False", self.run_job(text, LEAKLINE_WITHOUT="forks").stdout.strip())

    @unittest.skipIf(torch is None or not hasattr(torch.optim.Optimizer, "register_step_pre_hook"), "no torch with hooks for optimizers")
    def test_those_of_torch(self):
        text = """
import torch
from torch.optim import optimizer
loader = torch.utils.data.DataLoader
print(len(optimizer._global_optimizer_pre_hooks), len(optimizer._global_optimizer_post_hooks), hasattr(loader.__iter__, "_leakline"),
      hasattr(torch.utils.data.dataloader._BaseDataLoaderIter.__next__, "_leakline"), len(torch.cuda._queued_calls), flush=True)
__import__("os")._exit(0)
"""
        bare = self.run_job(text, LEAKLINE_WITHOUT="torch").stdout.split()
        self.assertEqual(["0", "0", "False", "False"], bare[:4])
        calls = int(bare[4])
        for without, expected in (("", ["1", "1", "True", "True", str(calls + 1)]), ("optimizers", ["0", "0", "True", "True", str(calls + 1)]),
                                  ("loaders", ["1", "1", "False", "False", str(calls + 1)]), ("cuda", ["1", "1", "True", "True", str(calls)])):
            with self.subTest(without):
                self.assertEqual(expected, self.run_job(text, LEAKLINE_WITHOUT=without).stdout.split())

    def test_a_job_goes_on_unharmed_without_any(self):
        text = (TRAIN + "main()\n" if torch else "") + "print('done')"
        ran = self.run_job(text, LEAKLINE_WITHOUT="collector,cuda,errors,forks,loaders,optimizers,regions,timer,torch")
        self.assertEqual((0, "done\n", ""), (ran.returncode, ran.stdout, ran.stderr))


if __name__ == "__main__":
    unittest.main()
