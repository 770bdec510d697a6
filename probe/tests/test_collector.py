"""The collector watched: what it frees, and the loops for whose sake memory had to wait for it. Tensors of straw, on any interpreter; and torch's."""
import gc
import sys
import threading
import time
import unittest
import weakref
from unittest import mock

from armed import Armed, leakline_probe
from built import FOR_EVER
from test_interpreters import Straw, StrawTorch
try:
    import torch
except ImportError:
    torch = None

CUDA = torch is not None and torch.cuda.is_available()
INCREMENTAL = leakline_probe.Meter.is_incremental


class Trainer:
    def __init__(self, make):
        self.hooks, self.page = [], make()

    def register(self):
        def on_end():
            return self
        self.hooks.append(on_end)


class Node:
    pass


def closure_loop(make):
    Trainer(make).register()


def error_loop(make):
    big = make()  # noqa: F841
    try:
        raise ValueError
    except ValueError as error:
        kept = error  # noqa: F841


def parent_loop(make):
    parent, child = Node(), Node()
    parent.child, child.parent, child.cache = child, parent, {"rows": [make()]}


class Hostile:
    armed = False

    def _refuse(self, *_):
        if Hostile.armed:
            raise RuntimeError("the job's own code was run")
        return 7
    __repr__ = __eq__ = __hash__ = __bool__ = __len__ = __getattr__ = _refuse


class Watched(Armed):
    """The collector runs only where a test says so, and among the test's own objects: torch has 300,000, which are looked through level by level."""
    IS_ALONE = True

    def setUp(self):
        super().setUp()
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)
        if self.IS_ALONE:
            gc.freeze()
            self.addCleanup(gc.unfreeze)
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = self.facts()
        listening = leakline_probe.listen()
        gc.callbacks.append(listening)
        self.addCleanup(gc.callbacks.remove, listening)
        leakline_probe.wanted_device, target = lambda: "cpu", leakline_probe.wanted_device
        self.addCleanup(setattr, leakline_probe, "wanted_device", target)

    def facts(self):
        return StrawTorch()

    def make(self, size=1000):
        """A tensor whose bytes the allocator of straw takes back when it dies."""
        made = Straw(3)
        self.allocator.take(size)
        weakref.finalize(made, self.allocator.give, size)
        return made

    def collect(self, generation=2):
        gc.collect(generation)
        return self.rows("gc")

    def look(self, generation=None):
        objects = gc.get_objects() if generation is None else gc.get_objects(generation=generation)
        return leakline_probe.Garbage(leakline_probe._facts, generation is None, FOR_EVER).look(objects)


class Collections(Watched):
    def test_one_that_frees_device_memory_is_a_row(self):
        parent_loop(self.make)
        row, = self.collect()
        self.assertEqual((2, 1000, 1), (row["gc"], row["freed"], row["blocks"]))
        self.assertNotIn("cycles", row)
        self.assertEqual((1000, 1, 1), tuple(leakline_probe.tally.header()[name] for name in ("gpu_bytes_freed", "gpu_blocks_freed", "runs_that_freed")))

    def test_the_line_that_called_for_one_is_in_the_header(self):
        parent_loop(self.make)
        self.collect()
        (file, line, function), = leakline_probe.tally.header()["called"]
        self.assertEqual((__file__, "collect"), (file, function))
        with open(file) as source:
            self.assertEqual("gc.collect(generation)", source.read().splitlines()[line - 1].strip())

    def test_a_young_one_was_called_for_by_nobody(self):
        parent_loop(self.make)
        self.collect(0)
        self.assertEqual([], leakline_probe.tally.header()["called"])

    def test_one_that_frees_nothing_of_the_device_is_none(self):
        kept = self.make()  # noqa: F841
        loop = []
        loop.append(loop)
        del loop
        self.assertEqual([], self.collect())
        self.assertEqual([0, 0], leakline_probe.meter.looks)

    def test_a_dump_waits_for_one_in_another_thread(self):
        began, ended = threading.Event(), []

        def take_long(stage, _):
            if stage == "start" and threading.current_thread() is thread:
                began.set()
                time.sleep(0.2)
                ended.append(True)
        thread = threading.Thread(target=gc.collect)
        gc.callbacks.append(take_long)
        self.addCleanup(gc.callbacks.remove, take_long)
        thread.start()
        began.wait()
        with mock.patch.object(leakline_probe, "torch_ready", lambda: None):
            leakline_probe.Dump("request", "cpu", None).run()
        self.assertEqual([True], ended)
        thread.join()

    def test_the_next_one_is_explained_and_each_kind_once(self):
        for _ in range(4):
            closure_loop(self.make)
            error_loop(self.make)
            rows = self.collect()
        explained = [row.get("explained", []) for row in rows]
        self.assertEqual([0, 2, 0, 0], list(map(len, explained)))
        here = f"{__name__}.Trainer" if __name__ != "__main__" else "Trainer"
        told = {spelled["cycle"].partition(" (")[0]: spelled for spelled in explained[1]}
        closure = told[f"{here}.hooks[*] -> function Trainer.register.<locals>.on_end" if sys.version_info >= (3, 11) else f"{here}.hooks[*] -> function on_end"]
        self.assertRegex(closure["cycle"], r" \(test_collector.py:\d+\) closure self -> .*Trainer$")
        self.assertRegex(closure["leads_to"], r"Trainer.page -> Straw \[3\] straw$")
        error = told["ValueError.__traceback__ -> traceback of error_loop"]
        self.assertRegex(error["cycle"], r"tb_frame -> error_loop \(test_collector.py:\d+\) local kept -> ValueError$")
        self.assertRegex(error["leads_to"], r"^error_loop \(.*\) local big -> Straw")
        self.assertEqual({spelled["signature"]: [1, 5] for spelled in explained[1]}, {cycle[0]: cycle[1:] for cycle in rows[3]["cycles"]})
        self.assertEqual({3}, {known["runs"] for known in leakline_probe.tally.header()["cycles"]})

    @unittest.skipIf(INCREMENTAL, "this Python's young collections are parts of full ones")
    def test_young_collections_are_explained_too(self):
        for _ in range(2):
            parent_loop(self.make)
            rows = self.collect(0)
        self.assertEqual([0, 0], [row["gc"] for row in rows])
        self.assertRegex(rows[1]["explained"][0]["cycle"], "Node.child -> .*Node.parent -> .*Node$")
        self.assertRegex(rows[1]["explained"][0]["leads_to"], r"Node.cache\['rows'\]\[\*\] -> Straw")

    def test_what_lives_is_never_called_garbage(self):
        held = Trainer(self.make)
        held.register()
        older = Node()
        gc.collect()
        young = Node()
        young.older, older.young, young.tensor = older, young, self.make()
        del older
        self.assertEqual([], self.look())
        self.assertEqual([], self.look(0))
        del young
        self.assertEqual(1, len(self.look()))
        self.assertEqual([], self.look(0), "an older object is in the loop: a young collection does not free it")

    def test_many_copies_of_one_bug_have_one_signature(self):
        for _ in range(10):
            parent_loop(self.make)
        row, = self.look()
        self.assertEqual((10, 50), row[3:])

    def test_a_chain_has_one_signature_however_long(self):
        signatures = set()
        for length in (3, 9, 150):
            nodes = [Node() for _ in range(length)]
            for before, after in zip(nodes, nodes[1:] + nodes[:1]):
                before.following = after
            nodes[0].tensor = self.make()
            del nodes, before, after
            row, = self.look()
            signatures.add(row[0])
            self.assertLess(len(row[1]), 1200)
            gc.collect()
        self.assertLessEqual(len(signatures), 2)

    def test_nothing_comes_back_to_life_and_nothing_of_the_job_runs(self):
        parent_loop(self.make)
        self.collect()
        hostile, dead = Hostile(), []
        hostile.__dict__.update(me=hostile, tensor=self.make())
        weakref.finalize(hostile, dead.append, "hostile")
        del hostile
        Hostile.armed = True
        try:
            rows = self.collect()
        finally:
            Hostile.armed = False
        self.assertEqual(["hostile"], dead)
        self.assertEqual(0, self.allocator.allocated[0])
        self.assertRegex(rows[1]["explained"][0]["cycle"], "Hostile.me -> .*Hostile$")
        self.assertIsNone(leakline_probe.last_error)

    def test_finalizers_run_as_without_a_probe(self):
        class Final:
            def __del__(self):
                self.tensor, kept[:] = None, [self]
        kept = []
        parent_loop(self.make)
        self.collect()
        final = Final()
        final.me, final.tensor = final, self.make()
        del final
        self.collect()
        self.assertEqual(1, len(kept))
        kept[0].me = None

    def test_a_look_that_takes_too_long_is_given_up_and_tried_again_later(self):
        parent_loop(self.make)
        self.collect()
        meter = leakline_probe.meter
        meter.left = lambda: 1e-9
        parent_loop(self.make)
        self.assertNotIn("cycles", self.collect()[1])
        self.assertGreater(meter.needs[1], 0)
        needs, looks = meter.needs[1], meter.looks[1]
        parent_loop(self.make)
        self.collect()
        self.assertEqual((needs, 20), (meter.needs[1], meter.looks[1]), "there was not enough time to begin")
        self.assertLess(looks, 20 + 1)
        meter.left = lambda: FOR_EVER
        parent_loop(self.make)
        self.assertIn("explained", self.collect()[3])

    @unittest.skipIf(INCREMENTAL, "this Python's young collections are parts of full ones")
    def test_without_time_left_young_collections_are_only_counted(self):
        leakline_probe.meter.left = lambda: 0
        parent_loop(self.make)
        self.assertEqual([], self.collect(0))
        self.assertEqual(1, leakline_probe.tally.header()["runs_unseen"])

    def test_the_time_that_looking_takes_is_kept_small(self):
        meter, begin = leakline_probe.meter, time.thread_time()
        with mock.patch.object(leakline_probe, "METER_CREDIT", 0.5):
            for _ in range(3000):
                meter("start", {"generation": 0})
                meter("stop", {"generation": 0, "collected": 0})
        self.assertLess(meter.spent, 0.5 + 0.1)
        self.assertLess((time.thread_time() - begin) / 3000, 300e-6, "a collection of the youngest takes 50 us and more, a look at its counters 5")

    def test_signatures_are_bounded(self):
        for number in range(leakline_probe.CYCLES + 9):
            leakline_probe.tally.count(str(number), "a cycle", "a tensor", 1, 2)
        self.assertEqual(leakline_probe.CYCLES, len(leakline_probe.tally.header()["cycles"]))

    def test_an_error_in_the_look_is_noted_and_nothing_else(self):
        parent_loop(self.make)
        self.collect()
        leakline_probe._facts.device = None
        leakline_probe._facts.quiet = None
        parent_loop(self.make)
        self.assertEqual(0, self.allocator.allocated[0] if self.collect() else 0)
        self.assertIn("TypeError", leakline_probe.last_error)


@unittest.skipIf(torch is None, "no torch")
class WithTorch(Watched):
    def facts(self):
        leakline_probe._facts = None
        return leakline_probe.torch_ready()

    def make(self, size=1000):
        made = torch.zeros(size, dtype=torch.uint8)
        self.allocator.take(size)
        weakref.finalize(made, self.allocator.give, size)
        return made

    def test_tensors_of_torch(self):
        for _ in range(2):
            closure_loop(self.make)
            error_loop(self.make)
            parent_loop(self.make)
            rows = self.collect()
        self.assertEqual(3, len(rows[1]["explained"]))
        self.assertEqual([[1, 1000]] * 3, [cycle[1:] for cycle in rows[1]["cycles"]])
        self.assertTrue(all("-> Tensor [1000] uint8" in spelled["leads_to"] for spelled in rows[1]["explained"]))

    def test_a_module_in_a_loop_with_its_hook(self):
        for _ in range(2):
            module = torch.nn.Linear(11, 13)
            module.register_forward_hook(module.forward)
            self.allocator.take(5)
            weakref.finalize(module, self.allocator.give, 5)
            del module
            rows = self.collect()
        spelled, = rows[1]["explained"]
        self.assertIn("torch.nn.modules.linear.Linear._forward_hooks[*] -> method", spelled["cycle"])
        self.assertEqual([2, (11 * 13 + 13) * 4], rows[1]["cycles"][0][1:])

    def test_what_a_graph_holds_lives(self):
        leaf = torch.ones(5, requires_grad=True)
        node = Node()
        node.me, node.page = node, leaf.exp()
        loss = node.page.sin()
        del node
        self.assertEqual([], self.look(), "the graph of loss has saved page")
        self.assertTrue(loss.requires_grad)


@unittest.skipUnless(CUDA, "no GPU")
class OnTheDevice(Watched):
    STRAW = {}
    IS_ALONE = False

    def setUp(self):
        super().setUp()
        leakline_probe.wanted_device = lambda: "cuda"

    def facts(self):
        leakline_probe._facts = None
        return leakline_probe.torch_ready()

    def test_bytes_and_blocks_of_the_allocator(self):
        def make():
            return torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
        for _ in range(2):
            parent_loop(make)
            error_loop(make)
            rows = self.collect()
        self.assertEqual([(6 << 20, 2)] * 2, [(row["freed"], row["blocks"]) for row in rows])
        self.assertEqual([[1, 3 << 20]] * 2, [cycle[1:] for cycle in rows[1]["cycles"]])


if __name__ == "__main__":
    unittest.main()
