"""Snapshots of torch's allocator leave torch and the job as they were."""
import os
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

from built import leakline_probe
from test_startup import Job, torch

CUDA = torch is not None and torch.cuda.is_available()


class StandsIn(unittest.TestCase):
    def setUp(self):
        self.torch = types.ModuleType("torch")
        self.absent = leakline_probe._Absent(self.torch)

    def test_nothing_stays_of_it(self):
        self.absent.stands_in()
        self.assertFalse(hasattr(self.torch._inductor, "codecache"))
        self.absent.goes()
        self.assertFalse(hasattr(self.torch, "_inductor"))

    def test_the_compiler_itself_is_left_alone(self):
        self.torch._inductor = own = types.ModuleType("torch._inductor")
        self.absent.stands_in()
        self.assertIs(own, self.torch._inductor)
        self.absent.goes()
        self.assertIs(own, self.torch._inductor)

    def test_other_threads_get_the_compiler(self):
        compiler, got = types.ModuleType("torch._inductor"), []
        compiler.codecache = object()
        self.absent.stands_in()
        with mock.patch.dict(sys.modules, {"torch._inductor": compiler}):
            thread = threading.Thread(target=lambda: got.append(self.torch._inductor.codecache))
            thread.start()
            thread.join()
        self.assertEqual([compiler.codecache], got)


@unittest.skipUnless(CUDA, "no GPU")
class Jobs(Job):
    def test_a_snapshot_with_stacks_imports_no_compiler(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        path = os.path.join(place.name, "a.pickle")
        ran = self.run_job(f"""
import sys, torch, leakline_probe
kept = [torch.ones(64, device="cuda") for _ in range(3)]
leakline_probe.snapshot({path!r})
import pickle
trace = pickle.load(open({path!r}, "rb"))["device_traces"][0]
print(len(trace) >= 3, bool(trace[-1]["frames"]), "torch._inductor" in sys.modules, "_inductor" in vars(torch))""", is_cold=True)
        self.assertEqual((0, "True True False False\n", ""), (ran.returncode, ran.stdout, ran.stderr))


if __name__ == "__main__":
    unittest.main()
