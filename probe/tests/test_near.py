"""Dumps while memory grows: what running calls and the job's own modules lead to, in a pause that is bounded."""
import gc
import os
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_startup import torch

OURS = []  # a list of the job's own module


@unittest.skipIf(torch is None, "no torch")
class Near(Armed):
    def setUp(self):
        super().setUp()
        self.addCleanup(OURS.clear)
        patch = mock.patch.object(leakline_probe, "wanted_device", lambda: "cpu")
        patch.start()
        self.addCleanup(patch.stop)

    def dump(self, grown=20, pause=0.5):
        path = os.path.join(self.folder, "growth.holders")
        self.covers = leakline_probe.dump_within(path, "growth", pause, grown, True)
        self.assertIsNone(leakline_probe.last_error)
        return Reader(path)

    @staticmethod
    def tensors():
        return [torch.ones(1000 + number) for number in range(20)]

    def paths(self, dump):
        return [dump.path(row[0]) or () for row in dump.tensors]

    def held(self, name, dump=None):
        """The tensors whose path has the name."""
        return sum(name in path for path in self.paths(dump or self.dump()))

    def test_variables_of_running_calls(self):
        kept = self.tensors()
        self.assertEqual(len(kept), self.held("kept"))

    def test_lists_of_the_jobs_modules_and_classes(self):
        OURS.extend(self.tensors())
        self.assertEqual(20, self.held("OURS"))

    def test_attributes_of_a_thread_that_runs(self):
        class Worker(threading.Thread):
            def run(self):
                self.results = Near.tensors()
                done.set()
                over.wait()
        done, over, worker = threading.Event(), threading.Event(), Worker(name="worker")
        worker.start()
        self.addCleanup(worker.join)
        self.addCleanup(over.set)
        done.wait()
        self.assertEqual(20, self.held("results"))

    def test_objects_with_attributes_closures_and_suspended_calls(self):
        def closure():
            return inside
        def generator():
            suspended = self.tensors()
            yield suspended
        inside, holder, running = self.tensors(), types.SimpleNamespace(deep={"er": self.tensors()}), generator()
        next(running)
        dump = self.dump()
        self.assertEqual([20, 20, 20], [self.held(name, dump) for name in ("inside", "deep", "suspended")])
        self.assertIsNotNone(closure and holder)

    def test_the_graph_of_what_is_kept(self):
        weight = torch.ones(50, requires_grad=True)
        kept = [(weight * weight).exp().sum() for _ in range(20)]
        self.assertGreaterEqual(sum("kept" in path for path in self.paths(self.dump())), 2 * len(kept))

    def test_a_large_heap_is_not_looked_through(self):
        kept, words = self.tensors(), [{"word": [number]} for number in range(200_000)]
        with mock.patch.object(gc, "get_objects", side_effect=AssertionError), mock.patch.object(gc, "get_referrers", side_effect=AssertionError):
            self.assertEqual(len(kept), self.held("kept"))
        self.assertEqual(200_000, len(words))

    def test_what_is_among_very_many_is_found(self):
        kept = [{"word": [number]} for number in range(30_000)] + self.tensors()
        self.assertEqual(20, self.held("kept"))
        self.assertEqual(30_020, len(kept))

    def test_a_library_is_not_gone_into_and_that_is_told(self):
        library = types.ModuleType("library")
        library.__file__ = os.path.join(sys.prefix, "lib", "site-packages", "library.py")
        library.registry = self.tensors()
        self.addCleanup(sys.modules.pop, "library")
        sys.modules["library"] = library
        del library
        for _ in range(20):
            self.allocator.take(4096)
        with mock.patch.object(leakline_probe.Dump, "_look", lambda *_: {}):
            dump = self.dump()
        self.assertFalse(self.covers)
        self.assertIn("do not lead to 20 of 20 blocks", dump.header["notes"][0])
        self.assertEqual(0, self.held("registry"))

    def test_nothing_is_said_of_references_that_were_not_looked_for(self):
        kept = self.tensors()
        dump = self.dump()
        self.assertEqual({-1}, {row[4] for row in dump.nodes})
        self.assertEqual(20, len(kept))


class Grown(Armed):
    """Which dump is made of what grows, and of what is there when memory has run out."""

    def dumps(self, near, objects=1000, pause="500", reason="growth"):
        made = []
        def dump_within(_, reason, pause, blocks, is_near):
            made.append("near" if is_near else "whole")
            return near
        with mock.patch.object(leakline_probe, "dump_within", dump_within), mock.patch.object(leakline_probe, "dump", lambda *_: made.append("whole")), \
                mock.patch.dict(os.environ, LEAKLINE_MAX_PAUSE=pause), mock.patch.object(gc, "get_objects", lambda: [None] * objects):
            for _ in range(2):
                leakline_probe.plan._dump_soon(os.path.join(self.folder, "x"), reason, 5)
        return made

    def test_what_is_near_suffices(self):
        self.assertEqual(["near", "near"], self.dumps(True))

    def test_else_all_of_the_heap_from_then_on(self):
        self.assertEqual(["near", "whole", "whole"], self.dumps(False))

    def test_a_heap_that_takes_longer_than_a_pause_may(self):
        self.assertEqual(["near", "near"], self.dumps(False, objects=1_000_000))
        self.assertEqual(["whole", "whole"], self.dumps(False, objects=1_000_000, pause="5000"))

    def test_what_is_near_suffices_when_memory_has_run_out(self):
        self.assertEqual(["near", "near"], self.dumps(True, reason="oom"))

    def test_else_all_of_the_heap_then_however_long_that_takes(self):
        self.assertEqual(["near", "whole", "whole"], self.dumps(False, objects=1_000_000, reason="oom"))

    def test_no_limit(self):
        self.assertEqual(["whole", "whole"], self.dumps(True, pause="0"))


class Last(Armed):
    """Whether the dump of the exit is one of what is near."""

    def made(self, found, blocks=100, device="cuda", graph="walked", pause="500"):
        """The dumps that were made where what is near has so many of the blocks."""
        made = []
        for _ in range(blocks):
            self.allocator.take(1000)
        def run_alone(dump):
            dump.found, dump.remarks.graph = (found * 1000, found), graph
            return True
        stand_ins = {"run_alone": run_alone, "wanted_device": lambda: device, "write_file": lambda *_: made.append("near"), "dump": lambda *_: made.append("whole")}
        with mock.patch.multiple(leakline_probe, **stand_ins), mock.patch.dict(os.environ, LEAKLINE_MAX_PAUSE=pause):
            leakline_probe.plan._dump_last()
        return made

    def test_it_is_where_that_is_all_but_workspaces(self):
        self.assertEqual(["near"], self.made(95))

    def test_it_is_where_libraries_have_a_small_share(self):
        self.assertEqual(["near"], self.made(960, blocks=1000))

    def test_else_it_is_one_of_all_the_heap(self):
        self.assertEqual(["whole"], self.made(90))

    def test_a_graph_that_was_read_in_part_is_read_again(self):
        self.assertEqual(["whole"], self.made(100, graph="cut"))

    def test_of_tensors_that_the_allocator_does_not_count_there_is_one_of_all(self):
        self.assertEqual(["whole"], self.made(100, device="cpu"))

    def test_where_nothing_is_left_or_no_pause_is_bounded_there_is_one_of_all(self):
        self.assertEqual(["whole"], self.made(0, blocks=0))
        self.assertEqual(["whole"], self.made(100, pause="0"))


class Young(Armed):
    """Which moments of a job's beginning are dumped."""

    def setUp(self):
        super().setUp()
        leakline_probe.plan.whens.add("growth")
        self.dumps, self.later = [], []
        stand_ins = {"Later": self.later.append, "dump_near": lambda path, reason, pause: self.dumps.append(leakline_probe.held_by_job()[1])}
        patch = mock.patch.multiple(leakline_probe, **stand_ins)
        patch.start()
        self.addCleanup(patch.stop)
        self.youth = leakline_probe.Youth()

    def grow(self, blocks, size=1 << 20):
        """The job takes blocks one by one, is looked at after each, and comes to what was put off."""
        for _ in range(blocks):
            self.allocator.take(size)
            self.youth.look(*leakline_probe.held_by_job())
            while self.later:
                self.later.pop()()
        self.assertIsNone(leakline_probe.last_error)

    def test_each_time_that_it_has_twice_as_much(self):
        self.grow(130)
        self.assertEqual([32, 64, 128], self.dumps)

    def test_no_few_blocks(self):
        self.grow(31)
        self.assertEqual([], self.dumps)

    def test_no_small_ones(self):
        self.grow(130, 1000)
        self.assertEqual([], self.dumps)

    def test_the_exit_deletes_it_where_it_finds_as_much(self):
        self.addCleanup(setattr, leakline_probe.Youth, "dumped", 0)
        path = leakline_probe.outputs.path("growth.holders")
        with mock.patch.object(leakline_probe, "dump_near", lambda path, *_: open(path, "w").close() or True):
            self.grow(40)
        for _ in range(20):
            self.allocator.give(1 << 20)
        leakline_probe.end_youth()
        self.assertTrue(os.path.exists(path), "12 of 32 blocks are gone")
        self.grow(10)
        leakline_probe.end_youth()
        self.assertFalse(os.path.exists(path))
        self.assertIsNone(leakline_probe.last_error)

    def test_not_once_it_is_older(self):
        with mock.patch.object(leakline_probe, "YOUNG", 0.0):
            self.grow(130)
        self.assertEqual([], self.dumps)

    def test_nothing_that_was_freed_meanwhile(self):
        for _ in range(40):
            self.allocator.take(1 << 20)
        self.youth.look(*leakline_probe.held_by_job())
        for _ in range(30):
            self.allocator.give(1 << 20)
        self.later.pop()()
        self.assertEqual([], self.dumps)


class Visitor(Armed):
    """Which dump somebody gets who attaches."""

    def made(self, objects, pause, found=95):
        """The dump that was made in a heap of so many objects where what is near has so many of 100 blocks, and what it says is not in it."""
        made = []
        for _ in range(100):
            self.allocator.take(1000)
        def run_alone(dump):
            dump.found, dump.remarks.graph = (found * 1000, found), "walked"
            made.append(dump)
            return True
        stand_ins = {"run_alone": run_alone, "wanted_device": lambda: "cuda", "write_file": lambda *_: "near", "dump": lambda *_: "whole"}
        with mock.patch.multiple(leakline_probe, **stand_ins), mock.patch.object(gc, "get_objects", lambda: [None] * objects):
            which = leakline_probe.dump_for_visitor(os.path.join(self.folder, "x"), pause, None, True)
        return which, [note for dump in made for note in dump.remarks.notes]

    def test_it_is_of_all_the_heap_where_that_takes_no_longer_than_a_pause_may(self):
        self.assertEqual(("whole", []), self.made(1000, 0.5))
        self.assertEqual(("whole", []), self.made(1_000_000, 0))

    def test_else_it_is_of_what_is_near(self):
        self.assertEqual(("near", []), self.made(1_000_000, 0.5))

    def test_one_of_what_is_near_says_what_that_does_not_have(self):
        which, (note,) = self.made(1_000_000, 0.5, found=40)
        self.assertEqual("near", which)
        self.assertIn("do not lead to 60 of 100 blocks", note)


@unittest.skipIf(torch is None, "no torch")
class Large(Armed):
    """Two million objects of the job, and what grows among them or elsewhere, by the time of the processor that the job stands still for."""
    OBJECTS = 2_000_000

    def setUp(self):
        super().setUp()
        gc.disable()
        self.heap = [[number] for number in range(self.OBJECTS)]
        gc.enable()
        for _ in range(200):
            self.allocator.take(4096)
        leakline_probe.plan.begin("growth")

    def paused(self):
        begin = time.thread_time()
        leakline_probe.write("growth")
        return time.thread_time() - begin

    def check(self):
        with mock.patch.object(leakline_probe, "wanted_device", lambda: "cpu"), mock.patch.object(leakline_probe, "snapshot"):
            self.assertLess(self.paused(), leakline_probe.MAX_PAUSE / 1e3)
        self.assertIn("growth.holders", {name.partition(".")[2] for name in os.listdir(self.folder)})

    def test_among_them(self):
        for place in range(0, self.OBJECTS, self.OBJECTS // 200):
            self.heap[place].append(torch.ones(1024))
        self.check()

    def test_beside_them(self):
        kept = [torch.ones(1024) for _ in range(200)]
        self.check()
        self.assertEqual(200, len(kept))


if __name__ == "__main__":
    unittest.main()
