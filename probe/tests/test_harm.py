"""The probe never takes the job down: full disks, signals, forks, exec, torch in pieces, kill -9."""
import gc
import json
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from built import FOR_EVER
from dump_reader import Broken, Reader
from test_holders import DEVICE, at, dumped, tensor
from test_interpreters import Straw, StrawTorch
from test_startup import TRAIN, Job, torch

NEEDS_TORCH = unittest.skipIf(torch is None, "no torch")


class Disks(Armed):
    def dump(self):
        facts, leakline_probe._facts = leakline_probe._facts, StrawTorch()
        try:
            return leakline_probe.dump(os.path.join(self.folder, "a.holders"), target="cpu")
        finally:
            leakline_probe._facts = facts

    def limited(self, size, work):
        """Runs something in a child that may write files of that size only."""
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                work()
                os._exit(0)
            except BaseException:
                os._exit(1)
        self.assertEqual(0, os.waitpid(child, 0)[1])

    def test_a_dump_for_which_there_is_no_room_leaves_nothing(self):
        kept = [Straw(n) for n in range(300)]  # noqa: F841
        self.limited(2000, lambda: self.assertIsNone(self.dump()))
        self.assertEqual([], os.listdir(self.folder))
        self.assertTrue(self.dump())

    def test_counters_for_which_there_is_no_room_end_with_a_whole_line_but_one(self):
        def count():
            for _ in range(100):
                leakline_probe.step()
                leakline_probe.counters.flush()
            with leakline_probe.profile("late"):
                pass
            leakline_probe.counters.end(leakline_probe.functions.unwritten())
        self.limited(1000, count)
        name, = os.listdir(self.folder)
        with open(os.path.join(self.folder, name)) as file:
            lines = file.read().split("\n")
        self.assertEqual(list(range(1, len(lines))), [json.loads(line)["step"] for line in lines[:-1]])
        self.assertGreater(len(lines), 10)

    def test_a_folder_that_is_a_file_or_vanishes(self):
        os.rmdir(self.folder)
        self.assertIsNone(self.dump())
        leakline_probe.step()
        leakline_probe.counters.end(leakline_probe.functions.unwritten())
        with open(self.folder, "w"):
            pass
        self.assertIsNone(self.dump())
        leakline_probe.counters.restart(None)
        leakline_probe.step()
        leakline_probe.counters.end(leakline_probe.functions.unwritten())
        self.assertIn("NotADirectoryError", leakline_probe.last_error)
        os.unlink(self.folder)
        os.mkdir(self.folder)

    def test_a_folder_that_may_not_be_written_to(self):
        os.chmod(self.folder, 0o500)
        self.addCleanup(os.chmod, self.folder, 0o700)
        child = os.fork()
        if child == 0:
            try:
                if os.getuid() == 0:
                    os.setuid(65534)
                os.chdir("/")
                leakline_probe.step()
                leakline_probe.counters.end(leakline_probe.functions.unwritten())
                os._exit(0 if self.dump() is None else 2)
            except BaseException:
                os._exit(1)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        self.assertEqual([], os.listdir(self.folder))


class Alarm(Exception):
    """What the job's handler raises."""


@unittest.skipUnless(hasattr(signal, "setitimer"), "no timers")
class Signals(Armed):
    """Signals in the middle of the probe's work are the job's: their handlers run, and what they raise arrives."""

    def setUp(self):
        super().setUp()
        self.addCleanup(signal.signal, signal.SIGPROF, signal.getsignal(signal.SIGPROF))
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.kept = [[Straw(n), [Straw(n)]] for n in range(20_000)]
        self.addCleanup(self.kept.clear)
        self.path = os.path.join(self.folder, "a.holders")
        self.before = gc.isenabled(), sys.getswitchinterval(), sys.getrefcount(self.kept[0][0])

    def assert_as_before(self):
        self.assertEqual(self.before, (gc.isenabled(), sys.getswitchinterval(), sys.getrefcount(self.kept[0][0])))
        self.assertFalse(leakline_probe.process.is_dumping)

    def in_the_middle(self, handler):
        """Has the handler called when this process has worked for 0.05 s more; the dump works for 0.3 s and longer."""
        signal.signal(signal.SIGPROF, handler)
        signal.setitimer(signal.ITIMER_PROF, 0.05)

    def test_a_handler_that_only_notes_leaves_the_dump_whole(self):
        seen = []
        self.in_the_middle(lambda number, _: seen.append(number))
        self.assertTrue(leakline_probe.dump(self.path, target="cpu"))
        self.assertEqual([signal.SIGPROF], seen)
        self.assertEqual(40_000, len(Reader(self.path).tensors))
        self.assert_as_before()

    def test_what_a_handler_raises_reaches_the_job(self):
        def raise_alarm(*_):
            raise Alarm
        for error, handler in ((Alarm, raise_alarm), (KeyboardInterrupt, signal.default_int_handler), (SystemExit, lambda *_: sys.exit(9))):
            with self.subTest(error), self.assertRaises(error):
                self.in_the_middle(handler)
                leakline_probe.dump(self.path, target="cpu")
                self.fail("the dump took less than the timer")
            self.assert_as_before()
            self.assertEqual([], os.listdir(self.folder))
        self.assertTrue(leakline_probe.dump(self.path, target="cpu"))

    def test_whoever_keeps_the_error_does_not_keep_the_heap(self):
        try:
            self.in_the_middle(signal.default_int_handler)
            leakline_probe.dump(self.path, target="cpu")
            self.fail("the dump took less than the timer")
        except KeyboardInterrupt as caught:
            error = caught  # noqa: F841
            self.assert_as_before()

    @unittest.skipIf(sys.version_info < (3, 10), "Python 3.9 looks for signals at all instructions")
    def test_ctrl_c_shows_nothing_of_ours(self):
        with self.assertRaises(KeyboardInterrupt) as seen:
            self.in_the_middle(signal.default_int_handler)
            leakline_probe.dump(self.path, target="cpu")
            self.fail("the dump took less than the timer")
        trace, files = seen.exception.__traceback__, set()
        while trace is not None:
            files.add(trace.tb_frame.f_code.co_filename)
            trace = trace.tb_next
        self.assertNotIn(leakline_probe.__file__, files)
        self.assertIsNone(seen.exception.__context__)

    def test_what_is_raised_inside_the_collectors_callback_arrives_later(self):
        def late(*_):
            signal.raise_signal(signal.SIGPROF)
            for _ in range(1000):
                pass
        listening = leakline_probe.listen()
        gc.callbacks.append(listening)
        self.addCleanup(gc.callbacks.remove, listening)
        for error, handler in ((KeyboardInterrupt, signal.default_int_handler), (SystemExit, lambda *_: sys.exit(9))):
            signal.signal(signal.SIGPROF, handler)
            for name in ("begins", "ends"):
                with self.subTest(error, name=name), mock.patch.object(leakline_probe.meter, name, late), self.assertRaises(error) as seen:
                    gc.collect()
                    for _ in range(100_000):
                        pass
                    self.fail("the error was lost")
        self.assertEqual((9,), seen.exception.args)
        self.assertEqual([], leakline_probe.Later.waiting)

    def test_what_is_raised_where_the_collectors_callback_begins_or_ends_is_not_lost(self):
        told = []

        def handler(*_):
            told.append(True)
            raise KeyboardInterrupt
        listening = leakline_probe.listen()
        gc.callbacks.append(listening)
        self.addCleanup(gc.callbacks.remove, listening)
        signal.signal(signal.SIGPROF, handler)
        for number in range(300):
            told.clear()
            with self.assertRaises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_PROF, 1e-5 * (1 + number % 10))
                while not told:
                    gc.collect(0)
                for _ in range(1000):
                    pass
                self.fail("the error was lost")

    def test_errors_of_our_own_do_not_arrive(self):
        with mock.patch.object(leakline_probe, "Dump", None), mock.patch.object(leakline_probe.meter, "begins", None):
            self.assertIsNone(leakline_probe.dump(self.path))
            listening = leakline_probe.listen()
            listening("start", {"generation": 0})
            listening("stop", {"generation": 0, "collected": 0})
            for _ in range(1000):
                pass
        self.assertIn("TypeError", leakline_probe.last_error)

    def test_an_output_that_is_asked_for_inside_the_collector_waits_for_its_end(self):
        class Final:
            def __del__(self):
                leakline_probe._on_signal()
                for _ in range(1000):
                    pass
                early.extend(asked)
        asked, early = [], []
        listening = leakline_probe.listen()
        gc.callbacks.append(listening)
        self.addCleanup(gc.callbacks.remove, listening)
        final = Final()
        final.me = final
        del final
        with mock.patch.object(leakline_probe, "write", asked.append):
            gc.collect()
            for _ in range(1000):
                pass
        self.assertEqual((["request"], []), (asked, early))


class Heaps(Armed):
    def setUp(self):
        super().setUp()
        gc.collect()  # what other tests left
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.path = os.path.join(self.folder, "a.holders")

    def dump(self):
        self.assertTrue(leakline_probe.dump(self.path, target="cpu"), leakline_probe.last_error)
        return Reader(self.path)

    def test_three_hundred_tensors_nested_hundreds_deep(self):
        kept = []
        for number in range(300):
            deep = Straw(number)
            for level in range(200):
                deep = [deep] if level % 2 else {"in": deep}
            kept.append(deep)
        del deep
        dump = self.dump()
        for row in dump.tensors[::50]:
            way = dump.path(row[0])
            self.assertEqual(["kept", 100], [way[1], way.count("in")])
        self.assertEqual(300, len(dump.tensors))

    def test_one_tensor_twenty_thousand_deep(self):
        deep = Straw(1)
        for _ in range(20_000):
            deep = (deep,)
        dump = self.dump()
        self.assertEqual(20_000, dump.path(dump.tensors[0][0]).count("tuple"))
        while type(deep) is tuple:  # one by one: freed at once, it would end in recursion
            deep = deep[0]

    def test_frozen_objects_are_found_and_stay_frozen(self):
        kept = [Straw(77)]  # noqa: F841
        gc.freeze()
        self.addCleanup(gc.unfreeze)
        frozen = gc.get_freeze_count()
        with mock.patch.object(leakline_probe, "FROZEN", 0):
            dump = self.dump()
        self.assertIn("kept", dump.path(dump.nodes_of_shape("[77]")[0]))
        self.assertGreater(gc.get_freeze_count(), frozen / 2)

    def test_too_many_tensors_are_sampled_and_the_dump_says_so(self):
        few, many = [Straw(1)], [[Straw(2)] for _ in range(4000)]  # noqa: F841
        with mock.patch.object(leakline_probe, "CLOSURE_NODES", 5000), mock.patch.object(leakline_probe, "SAMPLES", ((None, FOR_EVER), (300, FOR_EVER), (64, FOR_EVER))):
            dump = self.dump()
        self.assertEqual({"tensors": 300, "of": 4001, "bytes": 1500, "of_bytes": 20005}, dump.header["sample"])
        self.assertEqual(300, len(dump.tensors))
        self.assertTrue(all("many" in dump.path(row[0]) or "few" in dump.path(row[0]) for row in dump.tensors))
        self.assertIn("holders were searched for 300 of 4001 tensors", " ".join(dump.header["notes"]))

    def test_a_search_that_takes_too_long_is_tried_with_fewer(self):
        many = [[Straw(2)] for _ in range(200)]  # noqa: F841
        with mock.patch.object(leakline_probe, "SAMPLES", ((None, -1.0), (64, FOR_EVER))):
            dump = self.dump()
        self.assertEqual(64, len(dump.tensors))
        self.assertTrue(all("many" in dump.path(row[0]) for row in dump.tensors))
        with mock.patch.object(leakline_probe, "SAMPLES", ((None, -1.0), (64, -1.0))):
            self.assertIn("the search for holders was stopped: it became too large", self.dump().header["notes"])

    def test_the_largest_kinds_are_sampled_first(self):
        places = {number: (0, number, number, size) for number, size in enumerate([5] * 10 + [1000] + [7] * 3)}
        leakline_probe.keep_sample(places, 5)
        self.assertEqual([5, 5, 7, 7, 1000], sorted(row[3] for row in places.values()))

    def test_other_threads_do_not_run_during_a_dump_and_do_not_hold_it_up(self):
        counter, seen, stop = [0], [], []

        def count():
            while not stop:
                counter[0] += 1
        threads = [threading.Thread(target=count) for _ in range(3)]
        for thread in threads:
            thread.start()
        look = leakline_probe.Dump._look

        def watched(self, state, roots):
            before = counter[0], time.thread_time(), time.process_time()
            found = look(self, state, roots)
            seen.append([now - then for now, then in zip((counter[0], time.thread_time(), time.process_time()), before)])
            return found
        with mock.patch.object(leakline_probe.Dump, "_look", watched), mock.patch.object(leakline_probe, "HOLD_LOCK_SECONDS", 1):
            while len(seen) < 50 and not (seen and seen[-1][0] == 0):
                self.dump()
        stop.append(True)
        for thread in threads:
            thread.join()
        counted, own, of_all = seen[-1]
        self.assertEqual(0, counted, "a busy machine wakes threads late, and they disturb some dumps; but not fifty")
        self.assertGreater(own, 0.7 * of_all, "three threads that run would take three quarters of the time, threads that wait take nearly none")


@NEEDS_TORCH
class TorchInPieces(Armed):
    """Attributes of torch that are missing, or refuse."""
    STRAW = {}

    def test_whatever_is_missing_the_job_goes_on(self):
        kept = [tensor(301, requires_grad=True).exp()]  # noqa: F841
        places = [(torch._C, name) for name in ("DisableTorchFunction", "TensorBase", "_TensorBase", "_cuda_memoryStats", "_cuda_resetPeakMemoryStats")]
        places += [(torch, name) for name in ("_C", "cuda", "Tensor", "nn", "optim", "UntypedStorage", "empty", "__version__")]
        places += [(torch.cuda, name) for name in ("is_initialized", "_is_in_bad_fork", "memory", "_lazy_call")]
        for place, name in places:
            if not hasattr(place, name):
                continue
            for broken in (None, mock.Mock(side_effect=RuntimeError("in pieces"))):
                with self.subTest(name, broken=broken):
                    self.use_without(place, name, broken)

    def use_without(self, place, name, broken):
        facts, whole = leakline_probe._facts, getattr(place, name)
        leakline_probe._facts = None
        try:
            if broken is None:
                delattr(place, name)
            else:
                setattr(place, name, broken)
            with leakline_probe.profile("inside"):
                leakline_probe.step()
            leakline_probe._on_torch()
            collector = leakline_probe.listen()
            collector("start", {"generation": 2})
            collector("stop", {"generation": 2, "collected": 1})
            path = leakline_probe.dump(os.path.join(self.folder, "a.holders"), target=DEVICE)
            leakline_probe.snapshot(os.path.join(self.folder, "a.pickle"))
        finally:
            setattr(place, name, whole)
            leakline_probe._facts = facts
        if path:
            Reader(path)

    def test_descriptors_that_refuse(self):
        kept = tensor(302, requires_grad=True)  # noqa: F841
        facts = leakline_probe.torch_ready()

        def refuse(*_):
            raise RuntimeError("in pieces")
        for name in ("grad_fn", "grad", "dtype", "shape", "device", "requires_grad", "place", "storage_place", "is_wrapper"):
            with self.subTest(name), mock.patch.object(facts, name, refuse):
                path = leakline_probe.dump(os.path.join(self.folder, "a.holders"), target=DEVICE)
                if path:
                    self.assertTrue(name in ("storage_place", "dtype", "shape") or Reader(path).header["notes"])
        self.assertFalse(leakline_probe.process.is_dumping)

    def test_sampled_graphs(self):
        def chain(leaf, length):
            for _ in range(length):
                leaf = leaf * 2
            return leaf
        small = [chain(tensor(303, requires_grad=True), 3) for _ in range(20)]  # noqa: F841
        huge = chain(tensor(304, requires_grad=True).exp(), 3000)  # noqa: F841
        with mock.patch.object(leakline_probe, "GRAPH_NODES", 1500), mock.patch.object(leakline_probe, "GRAPH_TURN", 400):
            dump = dumped()
        self.assertEqual("cut", dump.header["graph"])
        self.assertRegex(dump.header["graph_reason"], r"the graphs of 2\d of 2\d tensors were read completely, the first of each kind first")
        saved = {label for _, _, label, kind in dump.edges if kind == 8}
        self.assertTrue(saved)
        self.assertEqual("walked", dumped().header["graph"])

    def test_a_tensor_in_a_hostile_object(self):
        class Hostile:
            def refuse(self, *_):
                raise RuntimeError("the job's own code was run")
            __repr__ = __getattr__ = __eq__ = __hash__ = __len__ = __bool__ = __iter__ = __dir__ = __del__ = refuse
        hostile = Hostile()
        hostile.__dict__["mine"] = tensor(305)
        dump = dumped()
        self.assertIn("mine", dump.path(at(dump, 305)))
        with mock.patch.object(Hostile, "__del__", lambda self: None):
            del hostile


class Processes(Job):
    def whole(self):
        """Reads all outputs that are there; counters to the last whole line."""
        for path in self.outputs(".holders"):
            Reader(path)
        rows = []
        for path in self.outputs(".counters.jsonl"):
            with open(path) as file:
                rows += [json.loads(line) for line in file.read().split("\n")[:-1]]
        return rows

    @NEEDS_TORCH
    def test_kill_9_in_the_middle_leaves_whole_files(self):
        text = TRAIN + "import leakline_probe\nmain(3); print('ready', flush=True)\nwhile True: main(1); leakline_probe.write()"
        for _ in range(3):
            running = self.start(text, LEAKLINE_AT="none")
            running.stdout.readline()
            time.sleep(0.1 + random.random())
            running.kill()
            running.communicate()
            self.assertTrue([row for row in self.whole() if "step" in row])

    def test_sigterm_and_sigint_end_the_job_as_without_a_probe(self):
        for text, number, code in (("", signal.SIGTERM, -signal.SIGTERM), ("signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))", signal.SIGTERM, 7),
                                   ("signal.signal(signal.SIGINT, signal.default_int_handler)", signal.SIGINT, -signal.SIGINT)):
            text = f"import leakline_probe, signal, sys\n{text}\nprint('ready', flush=True)\nwhile True: leakline_probe.dump('{self.place}/x')"
            running = self.start(text, LEAKLINE_AT="exit")
            running.stdout.readline()
            time.sleep(0.1)
            running.send_signal(number)
            running.communicate()
            self.assertEqual(code, running.returncode)

    def test_exec_begins_anew_in_the_same_files(self):
        ran = self.run_job("""
import os, sys, leakline_probe
leakline_probe.step()
leakline_probe.counters.flush()
if len(sys.argv) < 2: os.execv(sys.executable, [sys.executable, __file__, "again"])
print("end")""", LEAKLINE_AT="exit,signal")
        self.assertEqual((0, "end\n", ""), (ran.returncode, ran.stdout, ran.stderr))
        self.assertEqual([1, 1], [row["step"] for row in self.whole()])

    def test_forks_count_for_themselves(self):
        ran = self.run_job("""
import os, leakline_probe
leakline_probe.step()
with leakline_probe.profile("both"):
    child = os.fork()
    leakline_probe.step()
if child: os.waitpid(child, 0)
else: leakline_probe.counters.end(leakline_probe.functions.unwritten()); os._exit(0)""")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        self.assertEqual(2, len(self.outputs(".counters.jsonl")))
        self.assertEqual([1, 2, 2], sorted(row["step"] for row in self.whole() if "step" in row))

    def test_a_dump_cut_anywhere_is_told_from_a_whole_one(self):
        with tempfile.TemporaryDirectory() as folder:
            facts, leakline_probe._facts = leakline_probe._facts, StrawTorch()
            try:
                kept = Straw(5)  # noqa: F841
                path = leakline_probe.dump(os.path.join(folder, "a.holders"), target="cpu")
            finally:
                leakline_probe._facts = facts
            with open(path, "rb") as file:
                content = file.read()
            for length in range(0, len(content), max(len(content) // 50, 1)):
                with open(path, "wb") as file:
                    file.write(content[:length])
                with self.assertRaises((Broken, Exception)):
                    Reader(path)


if __name__ == "__main__":
    unittest.main()
