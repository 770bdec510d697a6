"""What torch counts of accelerators that are not CUDA's; they are made of straw."""
import types
import unittest
from unittest import mock

from built import leakline_probe

STATS = {"allocated_bytes": {"all": {"current": 5, "peak": 9}}, "reserved_bytes": {"all": {"current": 20, "peak": 30}},
         "allocation": {"all": {"current": 2, "allocated": 4, "freed": 2}}}


def namespace(**names):
    return types.SimpleNamespace(**names)


class Others(unittest.TestCase):
    """Accelerators that are not CUDA's."""

    def setUp(self):
        self.reset = []
        self.torch = namespace(
            cuda=namespace(is_initialized=lambda: False, _is_in_bad_fork=lambda: False), accelerator=namespace(device_count=lambda: 2), xpu=namespace(_is_in_bad_fork=lambda: False),
            _C=namespace(_accelerator_isAllocatorInitialized=lambda: True, _accelerator_getDeviceStats=lambda device: STATS, _accelerator_resetPeakStats=self.reset.append))
        loaded = mock.patch.dict(leakline_probe.sys.modules, torch=self.torch)
        loaded.start()
        self.addCleanup(loaded.stop)

    def test_allocators_that_count_as_cudas_does(self):
        self.assertEqual([[0, 5, 20, 9, 30], [1, 5, 20, 9, 30]], leakline_probe.allocator_rows())
        self.assertEqual((10, 4), leakline_probe.held_by_job())
        leakline_probe.reset_peak(1)
        self.assertEqual([1], self.reset)

    def test_a_forked_child_asks_nothing(self):
        for kind in self.torch.xpu, self.torch.cuda:
            with mock.patch.object(kind, "_is_in_bad_fork", lambda: True):
                self.assertEqual([], leakline_probe.raw_counters())

    def test_one_that_has_not_been_used(self):
        self.torch._C._accelerator_isAllocatorInitialized = lambda: False
        self.assertEqual([], leakline_probe.raw_counters())

    def test_apples(self):
        self.torch._C = namespace()
        self.torch.backends = namespace(mps=namespace(is_available=lambda: True))
        self.torch.mps = namespace(current_allocated_memory=lambda: 7, driver_allocated_memory=lambda: 40)
        self.assertEqual([], leakline_probe.raw_counters())
        with mock.patch.object(leakline_probe.sys, "platform", "darwin"):
            self.assertEqual([[0, 7, 40, 7, 40]], leakline_probe.allocator_rows())
            self.assertEqual((7, 0), leakline_probe.held_by_job())
            leakline_probe.reset_peak(0)

    def test_nobody_knows_when_it_is_full(self):
        self.torch.accelerator.device_count = lambda: 1
        self.assertIsNone(leakline_probe.room_left())


if __name__ == "__main__":
    unittest.main()
