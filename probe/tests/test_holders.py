"""What each kind of holder looks like in a dump. Runs with any torch: on a GPU where there is one, else with CPU tensors as the target."""
import collections
import contextvars
import functools
import gc
import os
import sys
import tempfile
import threading
import unittest

try:
    import torch
except ImportError:
    torch = None
from built import leakline_probe
from dump_reader import Reader

DEVICE = "cuda" if torch is not None and torch.cuda.is_available() else "cpu"
os.environ["LEAKLINE_PROBE_TARGET"] = DEVICE
held_by_module = []
variable = contextvars.ContextVar("pages")
local_state = threading.local()


def tensor(width, **options):
    return torch.zeros(width, 3, device=DEVICE, **options)


def dumped():
    with tempfile.TemporaryDirectory() as folder:
        path = leakline_probe.dump(os.path.join(folder, "a.holders"))
        assert path, leakline_probe.last_error
        assert os.stat(path).st_mode & 0o777 == 0o600
        assert os.listdir(folder) == ["a.holders"]
        return Reader(path)


def multiplied_by(scale):
    return lambda gradient: gradient * scale


def at(dump, width):
    nodes = dump.nodes_of_shape(f"[{width}, 3]")
    assert len(nodes) == 1, f"{len(nodes)} tensors of {width}"
    return nodes[0]


class Holder:
    instances = []
    __slots__ = ("slot", "__dict__")


@unittest.skipIf(torch is None, "no torch")
class Holders(unittest.TestCase):
    def way(self, width, *words, root=None):
        dump = dumped()
        way = dump.path(at(dump, width), root)
        self.assertIsNotNone(way, "no root leads to the tensor")
        for word in words:
            self.assertIn(word, way)
        return dump, way

    def test_a_module_global_list_is_named(self):
        held_by_module.append(tensor(101))
        try:
            dump, way = self.way(101, "held_by_module", "list", "0", root="test_holders" if __name__ != "__main__" else "__main__")
            self.assertEqual(0, dump.surplus(at(dump, 101)))
        finally:
            held_by_module.clear()

    def test_a_local_of_a_running_frame_is_named(self):
        mine = tensor(102)  # noqa: F841
        dump, way = self.way(102, "mine")
        self.assertIn("test_a_local_of_a_running_frame_is_named", way[0])
        self.assertEqual(0, dump.surplus(at(dump, 102)))

    def test_attribute_slot_and_class_attribute(self):
        holder = Holder()
        holder.slot, holder.history = tensor(103), {"loss": [tensor(104)]}
        Holder.instances.append(tensor(105))
        self.way(103, "holder", "slot")
        self.way(104, "holder", "history", "loss", "0")
        dump, way = self.way(105, "instances", root="Holder")
        self.assertTrue(way[0].startswith("class "))
        Holder.instances.clear()

    def test_closure_and_default_arguments(self):
        def make():
            kept = tensor(106)
            return lambda default=tensor(107), *, named=tensor(108): kept
        function = make()  # noqa: F841
        self.way(106, "function", "kept")
        self.way(107, "default")
        self.way(108, "named")

    def test_an_attribute_of_a_function_and_a_bound_method(self):
        def function():
            pass
        function.cache = tensor(109)
        bound = [tensor(110).numel]  # noqa: F841  (a builtin method)
        self.way(109, "function", "cache")
        self.way(110, "__self__")

    def test_a_forward_hook(self):
        module = torch.nn.Linear(3, 2, device=DEVICE) if DEVICE == "cuda" else torch.nn.Linear(3, 2)
        seen = {}

        def keep(_, inputs, output):
            seen[(1, "x")] = tensor(111)
        module.register_forward_hook(keep)
        module(tensor(5))
        self.way(111, "seen", "(1, x)")

    def test_a_hook_of_a_parameter(self):
        weight = torch.nn.Parameter(tensor(113))
        weight.register_hook(multiplied_by(tensor(114)))
        self.way(114, "_backward_hooks", "scale")
        if hasattr(weight, "register_post_accumulate_grad_hook"):  # since torch 2.1
            weight.register_post_accumulate_grad_hook(multiplied_by(tensor(115)))
            self.way(115, "_post_accumulate_grad_hooks", "scale")

    def test_how_many_items_a_deque_and_a_cache_keep_at_most(self):
        @functools.lru_cache(maxsize=40)
        def remembered(width):
            return tensor(width)
        recent, endless = collections.deque([tensor(131)], maxlen=90), collections.deque([tensor(132)])
        remembered(133)
        bounds = dumped().header["bounds"]
        self.assertEqual([40, 90], sorted(most for _, most in bounds))
        self.assertEqual((1, 1), (len(recent), len(endless)))

    def test_an_lru_cache(self):
        @functools.lru_cache(None)
        def table(width):
            return tensor(width)
        table(112)
        dump, way = self.way(112, "table")
        self.assertIn("functools._lru_cache_wrapper", way)

    def test_a_suspended_generator(self):
        def stream():
            state = tensor(113)
            yield 1
            return state
        running = stream()
        next(running)
        self.way(113, "running", "generator" if sys.version_info >= (3, 11) else "frame", "state")

    def test_a_suspended_coroutine(self):
        class Pause:
            def __await__(self):
                yield

        async def serve():
            request = tensor(114)
            await Pause()
            return request
        task = serve()
        task.send(None)
        self.way(114, "task", "request")
        task.close()

    def test_the_frame_of_a_finished_call_kept_by_a_traceback(self):
        def fails():
            hidden = tensor(115)  # noqa: F841
            raise ValueError("no")
        try:
            fails()
        except ValueError as error:
            failures = [error]
        dump, way = self.way(115, "failures", "__traceback__", "tb_frame", "hidden")
        frame = [number for number in range(len(dump.nodes)) if dump.kind(number) == "finished" and "fails" in dump.text(number)]
        self.assertEqual(1, len(frame))
        failures.clear()

    def test_an_exception_that_is_being_handled(self):
        try:
            raise ValueError(tensor(116))
        except ValueError:
            dump = dumped()
        way = dump.path(at(dump, 116))
        if hasattr(sys, "_current_exceptions"):
            self.assertIn("the exception being handled", way)
        self.assertIn("args", [label for parents in dump.parents.values() for _, label, _ in parents])

    def test_thread_local_and_context_variable(self):
        local_state.page = tensor(117)
        token = variable.set(tensor(118))
        dump, way = self.way(117, "page")
        labels = [label for _, label, _ in dump.parents[at(dump, 118)]]
        self.assertIn("pages", labels)
        variable.reset(token)
        del local_state.page

    def test_a_reference_cycle_has_no_root_and_counts_that_balance(self):
        gc.collect()
        gc.disable()
        try:
            cycle = {"t": tensor(119)}
            cycle["me"] = [cycle]
            del cycle
            dump = dumped()
        finally:
            gc.enable()
        node = at(dump, 119)
        self.assertIsNone(dump.path(node))
        reached, stack = {node}, [node]
        while stack:
            for parent, _, _ in dump.parents.get(stack.pop(), ()):
                if parent not in reached:
                    reached.add(parent)
                    stack.append(parent)
        self.assertEqual(3, len(reached))
        self.assertEqual([0, 0, 0], [dump.surplus(number) for number in sorted(reached)])
        gc.collect()

    def test_a_graph_that_is_kept_alive_shows_its_saved_tensors(self):
        weight = tensor(120, requires_grad=True)
        losses = [(weight * 2).tanh().sum()]  # noqa: F841
        dump = dumped()
        ways = [dump.path(node) for node in dump.nodes_of_shape("[120, 3]")]
        self.assertTrue(any("losses" in way and "SumBackward0" in way and "saved_result" in way for way in ways), ways)
        self.assertEqual("walked", dump.header["graph"])

    def test_a_gradient_with_a_graph_leads_back_to_its_leaf(self):
        leaf = tensor(121, requires_grad=True)
        (leaf.tanh() * 3).sum().backward(create_graph=True)
        dump = dumped()
        labels = {label for parents in dump.parents.values() for _, label, kind in parents if kind == 8}
        self.assertTrue({"grad", "grad_fn", "variable"} <= labels, labels)
        leaf.grad = None

    def test_a_holder_that_python_cannot_see_is_a_surplus(self):
        import ctypes
        thing = tensor(122)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
        dump = dumped()
        self.assertEqual(1, dump.surplus(at(dump, 122)))
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(thing))

    def test_a_storage_without_a_tensor_is_found(self):
        kept = tensor(1234)
        kept = kept.untyped_storage() if hasattr(kept, "untyped_storage") else kept.storage().untyped()
        dump = dumped()
        nodes = [row[0] for row in dump.storages if row[4] == 1234 * 12]
        self.assertEqual(1, len(nodes))
        self.assertIn("kept", dump.path(nodes[0]))

    def test_views_share_one_storage(self):
        base = tensor(123)
        view = base[7:]
        dump = dumped()
        rows = {row[0]: row[1] for row in dump.tensors}
        self.assertEqual(rows[at(dump, 123)], rows[at(dump, 116)])
        self.assertEqual(123 * 12, dump.storages[rows[at(dump, 123)]][4])
        del view

    def test_parameters_and_buffers_are_marked(self):
        module = torch.nn.BatchNorm1d(77).to(DEVICE)  # noqa: F841
        dump = dumped()
        flags = [dump.nodes[node][5] for node in dump.nodes_of_shape("[77]")]
        self.assertEqual([1, 1, 2, 2], sorted(flag & 3 for flag in flags))

    def test_objects_hidden_by_gc_freeze_are_found(self):
        held_by_module.append([tensor(124)])
        gc.freeze()
        try:
            dump, way = self.way(124, "held_by_module")
            self.assertGreater(dump.header["frozen"], 1000)
        finally:
            gc.unfreeze()
            held_by_module.clear()

    def test_deep_nesting(self):
        deep = tensor(125)
        for _ in range(300):
            deep = [deep]
        dump, way = self.way(125, "deep")
        self.assertEqual(300, way.count("list"))


@unittest.skipIf(torch is None, "no torch")
class NothingIsLeftBehind(unittest.TestCase):
    def test_no_references_no_switches(self):
        kept = tensor(126)
        count, debug, interval, enabled = sys.getrefcount(kept), gc.get_debug(), sys.getswitchinterval(), gc.isenabled()
        dumped()
        self.assertEqual((count, debug, interval, enabled), (sys.getrefcount(kept), gc.get_debug(), sys.getswitchinterval(), gc.isenabled()))

    def test_a_local_can_be_freed_after_a_dump(self):
        import weakref
        big = tensor(127)
        alive = weakref.ref(big)
        dumped()
        del big
        self.assertIsNone(alive())

    def test_a_second_dump_finds_the_same(self):
        kept = [(tensor(128, requires_grad=True) * 2).exp() for _ in range(5)]  # noqa: F841
        first, second = dumped(), dumped()
        self.assertEqual([len(first.storages), len(first.tensors)], [len(second.storages), len(second.tensors)])

    def test_gradients_are_the_same_with_dumps_between(self):
        def train(between):
            torch.manual_seed(5)
            weight = torch.randn(6, 6, requires_grad=True)
            for _ in range(3):
                loss = (weight @ weight).tanh().exp().sum()
                between()
                loss.backward()
            return weight.grad
        self.assertTrue(torch.equal(train(lambda: None), train(dumped)))

    def test_one_tensor_is_asked_for(self):
        kept, names = [tensor(777), tensor(778)], {"page": tensor(779)}
        held_by_module.append(kept[1])
        lines = leakline_probe.holders(kept[1])
        held_by_module.clear()
        self.assertIsNone(leakline_probe.last_error)
        self.assertEqual(2, len(lines), lines)
        self.assertTrue(any(line.startswith("module ") and line.endswith("test_holders: held_by_module[0]") for line in lines), lines)
        self.assertTrue(any("test_one_tensor_is_asked_for" in line and line.endswith(": kept[1]") for line in lines), lines)
        line, = leakline_probe.holders(names["page"])
        self.assertTrue(line.endswith(": names['page']"), line)
        self.assertEqual([], leakline_probe.holders("no tensor") or [])

    def test_the_collector_does_not_run(self):
        before = [stat["collections"] for stat in gc.get_stats()]
        leakline_probe.Dump("request", DEVICE, None).run()
        self.assertEqual(before[2], gc.get_stats()[2]["collections"])


if __name__ == "__main__":
    unittest.main()
