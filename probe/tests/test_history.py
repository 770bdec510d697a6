"""Snapshots of torch's allocator leave torch and the job as they were."""
import os
import pickle
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

from armed import Armed, leakline_probe
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


class Torch:
    """Reads so many events of history and as many blocks, in so many seconds of the processor, and without the events in none."""

    def __init__(self, events, seconds, leaves_out=True):
        self.content = {"device_traces": [[{"addr": number} for number in range(events)]], "segments": [{"blocks": [{}] * 10}]}
        self.seconds = seconds
        self.cuda = self.memory = self._C = self
        if leaves_out:
            self.memory_snapshot = lambda mempool_id=None, include_traces=True: None
        else:
            self.memory_snapshot = lambda mempool_id=None: None

    def is_initialized(self):
        return True

    def _is_in_bad_fork(self):
        return False

    def _snapshot(self):
        begin = time.thread_time()
        while time.thread_time() - begin < self.seconds:
            pass
        return self.content

    def _cuda_memorySnapshot(self, how):
        assert how == (0, 0, False)
        return dict(self.content, device_traces=[[]])


class Pauses(Armed):
    """A snapshot takes no longer than it may: the oldest events are left out, or all."""

    def snapshot(self, torch, pause, rows=50_000):
        path = os.path.join(self.folder, "a.pickle")
        with mock.patch.dict(sys.modules, torch=torch), mock.patch.object(leakline_probe.History, "rows", lambda _: rows):
            if leakline_probe.snapshot(path, pause) is None:
                return None
        with open(path, "rb") as file:
            return [event["addr"] for event in pickle.load(file)["device_traces"][0]]

    def test_all_events_where_there_is_time(self):
        self.assertEqual(list(range(50_000)), self.snapshot(Torch(50_000, 0.001), 100.0))
        self.assertEqual(list(range(50_000)), self.snapshot(Torch(50_000, 0.001), 0.0))

    def test_the_last_events_as_many_as_there_is_time_for_after_reading(self):
        leakline_probe.history.pickle_each = 1e-5
        events = self.snapshot(Torch(50_000, 0.1), 0.3)
        self.assertTrue(15_000 < len(events) < 20_000, len(events))
        self.assertEqual(49_999, events[-1])

    def test_a_few_events_where_reading_took_all_of_it(self):
        self.assertEqual(leakline_probe.LEAST_EVENTS, len(self.snapshot(Torch(50_000, 0.2), 0.1)))

    def test_no_events_where_reading_them_takes_longer(self):
        self.assertEqual([], self.snapshot(Torch(50_000, 0.0), 0.1, rows=1_000_000))

    def test_no_snapshot_where_torch_cannot_leave_events_out(self):
        self.assertIsNone(self.snapshot(Torch(50_000, 0.0, leaves_out=False), 0.1, rows=1_000_000))

    def test_what_was_timed_counts_for_the_next(self):
        self.snapshot(Torch(50_000, 0.2), 0.3)
        self.assertGreater(leakline_probe.history.read_each, 3.9e-6)
        self.assertEqual([], self.snapshot(Torch(50_000, 0.2), 0.15))


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

    def test_a_snapshot_without_events_has_the_blocks_with_their_stacks(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        path = os.path.join(place.name, "a.pickle")
        ran = self.run_job(f"""
import torch, leakline_probe
kept = [torch.ones(64, device="cuda") for _ in range(3)]
leakline_probe.history.read_each = 1.0
written = leakline_probe.snapshot({path!r}, 0.5)
import pickle
content = pickle.load(open({path!r}, "rb")) if written else None
blocks = [block for segment in content["segments"] for block in segment["blocks"] if block["frames"]] if written else []
print(written is None or (sum(map(len, content["device_traces"])), len(blocks) >= 3))""")
        self.assertIn((ran.returncode, ran.stdout, ran.stderr), [(0, "True\n", ""), (0, "(0, True)\n", "")])


if __name__ == "__main__":
    unittest.main()
