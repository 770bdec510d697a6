"""The probe never takes the job down, and runs none of its code."""
import os
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings

from built import leakline_probe
from dump_reader import Reader
from test_holders import DEVICE, at, dumped, tensor, torch


class Hostile:
    """Whatever is asked of it is an error, and is noted."""
    asked = []

    def _refuse(self, *arguments, **_):
        Hostile.asked.append(arguments)
        raise RuntimeError("the job's own code was run")
    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = __format__ = __dir__ = _refuse

    def __hash__(self):
        return Hostile._refuse(self) if Hostile.armed else 7

    def __getattribute__(self, name):
        return Hostile._refuse(self, name) if Hostile.armed else object.__getattribute__(self, name)

    @property
    def __class__(self):
        return Hostile._refuse(self, "__class__") if Hostile.armed else Hostile
    armed = False


class HostileType(type):
    def __hash__(cls):
        return Hostile._refuse(cls) if Hostile.armed else 3

    def __getattribute__(cls, name):
        return Hostile._refuse(cls, name) if Hostile.armed else type.__getattribute__(cls, name)

    def __instancecheck__(cls, other):
        return Hostile._refuse(cls)


class HostileDict(dict, metaclass=HostileType):
    __iter__ = __getitem__ = __len__ = items = keys = values = get = lambda self, *_: Hostile._refuse(self)


@unittest.skipIf(torch is None, "no torch")
class Safety(unittest.TestCase):
    def test_objects_that_refuse_everything_are_never_asked(self):
        holder = Hostile()
        object.__setattr__(holder, "mine", tensor(201))
        keyed = {holder: tensor(202)}  # noqa: F841
        odd = HostileDict()
        dict.__setitem__(odd, "in", tensor(203))
        Hostile.armed = True
        try:
            dump = dumped()
        finally:
            Hostile.armed = False
        self.assertEqual([], Hostile.asked)
        self.assertIn("mine", dump.path(at(dump, 201)))
        self.assertIn("<test_safety.Hostile>" if __name__ != "__main__" else "<__main__.Hostile>", dump.path(at(dump, 202)))
        self.assertIn("in", dump.path(at(dump, 203)))

    def test_a_tensor_class_with_torch_function_is_not_called(self):
        class Logged(torch.Tensor):
            calls = []

            @classmethod
            def __torch_function__(cls, function, kinds, arguments=(), options=None):
                cls.calls.append(function)
                return super().__torch_function__(function, kinds, arguments, options or {})
        kept = tensor(204).as_subclass(Logged)  # noqa: F841
        Logged.calls.clear()
        dump = dumped()
        self.assertEqual([], Logged.calls)
        self.assertTrue(any("kept" in (dump.path(node) or ()) for node in dump.nodes_of_shape("[204, 3]")))

    def test_no_unpack_hook_runs(self):
        ran = []

        def unpack(packed):
            ran.append(packed)
            return packed[0]
        hooks = torch.autograd.graph.saved_tensors_hooks(lambda saved: (saved, "packed"), unpack)
        with hooks:
            loss = tensor(205, requires_grad=True).exp().sin()  # noqa: F841
        del hooks
        with torch.autograd.graph.saved_tensors_hooks(lambda saved: (saved, "packed"), unpack):
            dumped()
        self.assertEqual([], ran)

    def test_no_warning_reaches_the_job(self):
        leaf = tensor(206, requires_grad=True)
        between = leaf * 2  # noqa: F841  (.grad of it would warn)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            dumped()
        self.assertEqual([], [warning for warning in seen if warning.category is not ResourceWarning])

    def test_a_folder_that_is_not_there_or_not_writable_gives_none(self):
        for path in ("/nowhere/at/all.holders", "/proc/all.holders"):
            self.assertIsNone(leakline_probe.dump(path))
            self.assertTrue(leakline_probe.last_error)

    def test_a_full_disk_leaves_no_part(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        opened = os.open

        def full(path, *options):
            os.close(opened(path, *options))
            return opened("/dev/full", os.O_WRONLY)
        with tempfile.TemporaryDirectory() as folder:
            with unittest.mock.patch.object(os, "open", full):
                self.assertIsNone(leakline_probe.dump(os.path.join(folder, "a.holders")))
            self.assertIn("No space left", leakline_probe.last_error)
            self.assertEqual([], os.listdir(folder))

    def test_broken_torch_attributes_end_in_none(self):
        facts, leakline_probe._facts = leakline_probe._facts, None
        kept, sys.modules["torch"] = sys.modules["torch"], type(sys)("torch")
        try:
            with tempfile.TemporaryDirectory() as folder:
                dump = Reader(leakline_probe.dump(os.path.join(folder, "a.holders")))
            self.assertEqual((None, 0), (dump.header["torch"], len(dump.nodes)))
        finally:
            sys.modules["torch"], leakline_probe._facts = kept, facts

    def test_without_the_known_layout_of_tensors_the_slow_way_finds_the_same(self):
        kept = [tensor(207), tensor(208)[3:]]  # noqa: F841
        quick = dumped()
        facts = leakline_probe.torch_ready()
        place, facts.storage_at = facts.storage_at, None
        try:
            slow = dumped()
        finally:
            facts.storage_at = place
        self.assertEqual(sorted(row[1:5] for row in quick.storages), sorted(row[1:5] for row in slow.storages))

    def test_in_a_second_thread_autograd_is_not_read(self):
        kept = tensor(209, requires_grad=True).exp()  # noqa: F841
        found = []
        thread = threading.Thread(target=lambda: found.append(dumped()))
        thread.start()
        thread.join()
        self.assertEqual("skipped", found[0].header["graph"])
        self.assertIn("second thread", found[0].header["graph_reason"])
        self.assertEqual([], [row for row in found[0].edges if row[3] == 8])
        self.assertEqual(2, found[0].header["threads"])
        self.assertTrue(any("kept" in (found[0].path(node) or ()) for node in found[0].nodes_of_shape("[209, 3]")))

    def test_the_graph_is_left_alone_where_that_is_asked(self):
        leaf = torch.zeros(997, 3, device=DEVICE, requires_grad=True)
        loss = (leaf * 2).sum()
        with tempfile.TemporaryDirectory() as folder:
            dump = Reader(leakline_probe.dump(os.path.join(folder, "a.holders"), graph=False))
        self.assertEqual("skipped", dump.header["graph"])
        self.assertIn("waited in C", dump.header["graph_reason"])
        self.assertTrue(dump.nodes_of_shape("[997, 3]"))
        del loss

    def test_a_dump_inside_a_dump_is_refused(self):
        leakline_probe.process.is_dumping = True
        try:
            self.assertIsNone(leakline_probe.dump("/tmp/never.holders"))
        finally:
            leakline_probe.process.is_dumping = False

    def test_other_threads_stand_still_and_go_on_afterwards(self):
        counter, stop = [0], []

        def count():
            while not stop:
                counter[0] += 1
        thread = threading.Thread(target=count)
        thread.start()
        try:
            with unittest.mock.patch.object(leakline_probe, "HOLD_LOCK_SECONDS", 1):  # a thread that gets in runs for as long
                dumped()
            before = counter[0]
            while counter[0] == before:  # for ever where it stands still for ever
                time.sleep(0.01)
        finally:
            stop.append(True)
            thread.join()
        self.assertGreater(counter[0], before)

    def test_keys_can_be_hashed(self):
        kept = {"a patient's name": tensor(210)}  # noqa: F841
        os.environ["LEAKLINE_HASH_KEYS"] = "1"
        try:
            dump = dumped()
        finally:
            del os.environ["LEAKLINE_HASH_KEYS"]
        self.assertNotIn("a patient's name", dump.strings)
        self.assertIn("kept", dump.path(at(dump, 210)))

    def test_a_forked_child_says_that_it_inherited(self):
        kept = tensor(211)  # noqa: F841
        leakline_probe.arm(tempfile.mkdtemp(), "signal_is_off")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "child.holders")
            child = os.fork()
            if child == 0:
                leakline_probe.dump(path)
                os._exit(0)
            os.waitpid(child, 0)
            self.assertTrue(Reader(path).header["inherited"])
        self.assertFalse(dumped().header["inherited"])


if __name__ == "__main__":
    unittest.main()
