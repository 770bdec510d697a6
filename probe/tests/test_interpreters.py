"""The walk through Python's own objects on any interpreter: a torch of straw stands in, so that no torch is needed."""
import gc
import os
import sys
import tempfile
import time
import types
import unittest
import weakref

from built import leakline_probe
from dump_reader import Reader


class Straw:
    """A tensor as far as the walk is concerned; its width is its name."""
    __slots__ = ("width", "__dict__", "__weakref__")

    def __init__(self, width):
        self.width = width


class Device:
    type, index = "cpu", None


class Quiet:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


class StrawTorch:
    """What TorchFacts of the probe answers, for tensors of straw."""
    tensor, quiet, version = Straw, Quiet, "straw"
    parameter = storage = module = optimizer = type("Nothing", (), {})
    counts = cpp_reference = False
    storage_at = None

    def place(self, straw, _):
        return id(straw), id(straw), 5

    def device(self, _):
        return Device

    def grad_fn(self, _):
        return None
    grad = grad_fn

    def is_wrapper(self, _):
        return False
    requires_grad = is_wrapper

    def shape(self, straw):
        return (straw.width,)

    def dtype(self, _):
        return "straw"

    def cdata(self, _):
        return 0

    def owners(self, _):
        return -1


class Owner:
    def __init__(self, mine):
        self.mine = mine


def generator():
    state = Straw(2)
    yield state


def failed():
    try:
        hidden = Straw(3)  # noqa: F841
        raise ValueError
    except ValueError as error:
        return error


class Interpreters(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, leakline_probe, "_facts", leakline_probe._facts)
        leakline_probe._facts = StrawTorch()
        self.addCleanup(gc.enable)
        gc.disable()

    def dump(self):
        with tempfile.TemporaryDirectory() as folder:
            path = leakline_probe.dump(os.path.join(folder, "a.holders"), target="cpu")
            self.assertTrue(path, leakline_probe.last_error)
            return Reader(path)

    def check(self, dump, width, *words):
        node = dump.nodes_of_shape(f"[{width}]")[0]
        self.assertEqual(0, dump.surplus(node))
        way = dump.path(node)
        for word in words:
            self.assertIn(word, way)
        return way

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "needs /proc")
    def test_every_probe_that_visits_a_process_says_when_it_began(self):
        other = types.ModuleType("a_later_probe")
        with open(leakline_probe.__file__, encoding="utf-8") as source:
            exec(compile(source.read(), "a_later_probe.py", "exec"), other.__dict__)
        other.loaded_us = leakline_probe.loaded_us = 0
        self.assertEqual(leakline_probe.began_us(), other.began_us())
        self.assertLess(abs(other.began_us() / 1e6 - time.time()), 24 * 3600)
        held = Straw(9)
        self.assertEqual(other.began_us(), self.dump().header["started_us"])
        del held

    def test_attributes_generators_tracebacks_and_closures(self):
        owner, running, failures, shared = Owner(Straw(1)), generator(), [failed()], Straw(4)
        next(running)
        function = lambda: shared  # noqa: E731,F841
        dump = self.dump()
        self.check(dump, 1, "owner", "mine")
        self.check(dump, 2, "running", "state")
        self.check(dump, 3, "failures", "__traceback__", "tb_frame", "hidden")
        self.check(dump, 4, "shared", "cell_contents")
        self.assertEqual([], dump.header["notes"])
        del owner, failures

    def test_a_cycle_has_no_root(self):
        cycle = [Straw(5)]
        cycle.append(cycle)
        del cycle
        dump = self.dump()
        self.assertIsNone(self.dump_path(dump, 5))

    @staticmethod
    def dump_path(dump, width):
        return dump.path(dump.nodes_of_shape(f"[{width}]")[0])

    def test_a_local_can_be_freed_after_a_dump(self):
        big = Straw(6)
        alive = weakref.ref(big)
        count = sys.getrefcount(big)
        self.dump()
        self.assertEqual(count, sys.getrefcount(big))
        del big
        self.assertIsNone(alive())

    def test_three_hundred_levels(self):
        deep = Straw(7)
        for _ in range(300):
            deep = {"a": deep}
        self.assertEqual(300, self.check(self.dump(), 7, "deep").count("a"))


if __name__ == "__main__":
    unittest.main()
