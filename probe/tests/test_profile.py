"""What profile() measures, by an allocator of straw on any interpreter, and by torch's where there is a GPU."""
import asyncio
import threading
import unittest
from unittest import mock

from armed import Armed, leakline_probe
try:
    import torch
except ImportError:
    torch = None

CUDA = torch is not None and torch.cuda.is_available()
MB = 1 << 20


class Profiled(Armed):
    def calls(self):
        """{name: [[device, before, after, peak], ...]} of all calls that were written."""
        found = {}
        for row in self.rows("function_name"):
            if "memory_before" in row:
                levels = [row["memory_" + moment]["allocated_memory"] for moment in ("before", "after", "peak")]
                found.setdefault(row["function_name"], []).append([row["memory_peak"]["device_id"]] + levels)
        return found

    def test_before_after_and_the_peak_inside(self):
        self.allocator.take(7 * MB)
        with leakline_probe.profile("load"):
            self.allocator.take(31 * MB)
            self.allocator.give(31 * MB)
            self.allocator.take(2 * MB)
        self.assertEqual({"load": [[0, 7 * MB, 9 * MB, 38 * MB]]}, self.calls())
        row = self.rows("function_name")[0]
        self.assertEqual([[0, 38 * MB, 31 * MB, 2 * MB]], row["most"])
        self.assertEqual((1, 0, 2 * MB, 0), (row["calls"], row["raised"], row["memory_allocated"], row["memory_freed"]))
        self.assertEqual((38 * MB, 1 << 30), (row["memory_peak"]["max_memory_allocated"], row["memory_peak"]["reserved_memory"]))
        self.assertEqual(row["longest"], row["execution_time"])
        self.assertAlmostEqual(row["seconds"], row["memory_after"]["timestamp"] - row["memory_before"]["timestamp"], 3)

    def test_the_peak_of_the_outer_scope_survives_the_reset_of_the_inner(self):
        self.allocator.take(1 * MB)
        with leakline_probe.profile("outer"):
            self.allocator.take(100 * MB)
            self.allocator.give(100 * MB)
            with leakline_probe.profile("inner"):
                self.allocator.take(30 * MB)
                self.allocator.give(30 * MB)
        self.assertEqual({"inner": [[0, MB, MB, 31 * MB]], "outer": [[0, MB, MB, 101 * MB]]}, self.calls())

    def test_the_outer_scope_has_the_peak_of_the_inner_and_of_what_comes_after(self):
        self.allocator.take(1 * MB)
        for later, most in ((20, 51), (70, 71)):
            with leakline_probe.profile(f"outer {later}"):
                with leakline_probe.profile("inner"):
                    with leakline_probe.profile("innermost"):
                        self.allocator.take(50 * MB)
                    self.allocator.give(50 * MB)
                with leakline_probe.profile("small"):
                    pass
                self.allocator.take(later * MB)
                self.allocator.give(later * MB)
            self.assertEqual([0, MB, MB, most * MB], self.calls()[f"outer {later}"][0])
        self.assertEqual([0, MB, MB, MB], self.calls()["small"][0])

    def test_scopes_that_end_in_another_order(self):
        self.allocator.take(MB)
        first, second = leakline_probe.profile("first"), leakline_probe.profile("second")
        first.__enter__()
        self.allocator.take(10 * MB)
        self.allocator.give(10 * MB)
        second.__enter__()
        first.__exit__(None, None, None)
        self.allocator.take(5 * MB)
        second.__exit__(None, None, None)
        self.assertEqual({"first": [[0, MB, MB, 11 * MB]], "second": [[0, MB, 6 * MB, 6 * MB]]}, self.calls())

    def test_what_is_raised_goes_on_and_has_its_true_peak(self):
        error = ValueError("mine")

        @leakline_probe.profile
        def fails():
            self.allocator.take(40 * MB)
            self.allocator.give(40 * MB)
            raise error
        with self.assertRaises(ValueError) as seen:
            fails()
        self.assertIs(error, seen.exception)
        row, = self.rows("function_name")
        self.assertEqual(("ValueError", 1, [[0, 40 * MB, 40 * MB, 0]]), (row["error"], row["raised"], row["most"]))

    def test_a_decorated_function_keeps_its_name_its_arguments_and_its_result(self):
        @leakline_probe.profile("named")
        def add(left, *, right):
            """Adds."""
            return left + right
        self.assertEqual(("add", "Adds.", 7), (add.__name__, add.__doc__, add(3, right=4)))
        plain = leakline_probe.profile(len)
        self.assertEqual(2, plain("ab"))
        self.assertEqual({"named", "len"}, set(self.calls_by_name()))

    def calls_by_name(self):
        return {row["function_name"]: row["calls"] for row in self.rows("function_name")}

    def test_recursion_counts_each_call_and_the_outermost_has_the_highest_peak(self):
        @leakline_probe.profile("down")
        def down(depth):
            self.allocator.take(MB)
            if depth:
                down(depth - 1)
            self.allocator.give(MB)
        down(4)
        self.assertEqual([[0, before * MB, before * MB, 5 * MB] for before in (4, 3, 2, 1)] + [[0, 0, 0, 5 * MB]], self.calls()["down"])

    def test_generators_are_measured_to_their_end(self):
        @leakline_probe.profile
        def pieces():
            self.allocator.take(6 * MB)
            yield 1
            self.allocator.give(6 * MB)
            return "end"
        running = pieces()
        self.assertEqual({}, self.calls_by_name())
        next(running)
        with self.assertRaises(StopIteration) as end:
            next(running)
        self.assertEqual("end", end.exception.value)
        pieces_closed = pieces()
        next(pieces_closed)
        pieces_closed.close()
        row = self.rows("function_name")[-1]
        self.assertEqual((2, 0, 6 * MB), (row["calls"], row["raised"], row["most"][0][1]))

    def test_coroutines_that_take_turns(self):
        @leakline_probe.profile("serve")
        async def serve(size):
            self.allocator.take(size)
            await asyncio.sleep(0)
            self.allocator.give(size)
            return size

        async def both():
            return await asyncio.gather(serve(3 * MB), serve(4 * MB))
        self.assertEqual([3 * MB, 4 * MB], asyncio.run(both()))
        self.assertEqual([7 * MB, 7 * MB], [call[3] for call in self.calls()["serve"]])

    def test_threads_share_the_counters_and_have_scopes_of_their_own(self):
        scope, inside, go_on = leakline_probe.profile("shared"), threading.Event(), threading.Event()

        def work():
            with scope:
                inside.set()
                go_on.wait()
        self.allocator.take(MB)
        thread = threading.Thread(target=work)
        with scope:
            thread.start()
            inside.wait()
            self.allocator.take(9 * MB)
        go_on.set()
        thread.join()
        self.assertEqual([[0, MB, 10 * MB, 10 * MB]] * 2, self.calls()["shared"])

    def test_of_each_device_on_its_own(self):
        self.allocator.take(MB)
        with leakline_probe.profile("both"):
            self.allocator.take(2 * MB, device=1)
            self.allocator.take(3 * MB)
        self.assertEqual([[0, 4 * MB, 3 * MB, 3 * MB], [1, 2 * MB, 2 * MB, 2 * MB]], self.rows("function_name")[0]["most"])

    def test_a_million_names_or_calls_are_a_bounded_file(self):
        with mock.patch.object(leakline_probe, "FUNCTIONS", 5):
            for number in range(9):
                with leakline_probe.profile(f"name {number}"):
                    pass
        self.assertEqual(6, len(self.calls_by_name()))
        self.assertEqual(4, self.calls_by_name()["(others)"])
        for _ in range(20_000):
            with leakline_probe.profile("name 0"):
                pass
        rows = [row for row in self.rows("function_name") if row["function_name"] == "name 0"]
        self.assertEqual(20_001, rows[-1]["calls"])
        self.assertLess(len(rows), 700)

    def test_a_call_that_takes_more_than_all_before_is_always_written(self):
        for _ in range(1000):
            with leakline_probe.profile("often"):
                pass
        with leakline_probe.profile("often"):
            self.allocator.take(MB)
            self.allocator.give(MB)
        leakline_probe.counters.flush()
        self.assertEqual([0, 0, 0, MB], self.calls()["often"][-1])

    def test_rows_of_steps_keep_the_peak_of_the_job(self):
        self.allocator.take(50 * MB)
        self.allocator.give(50 * MB)
        with leakline_probe.profile("small"):
            pass
        leakline_probe.step()
        row, = self.rows("step")
        self.assertEqual((1, 0, 0, 50 * MB), (row["step"], row["device"], row["allocated_bytes.all.current"], row["allocated_bytes.all.peak"]))
        self.assertEqual([1 << 30] * 2, [row["reserved_bytes.all.current"], row["reserved_bytes.all.peak"]])

    def test_too_many_open_scopes_are_not_measured(self):
        with mock.patch.object(leakline_probe, "OPEN_SCOPES", 2):
            with leakline_probe.profile("a"), leakline_probe.profile("b"), leakline_probe.profile("c"):
                pass
        self.assertEqual({"a", "b"}, set(self.calls_by_name()))

    def test_a_probe_that_is_not_armed_does_nothing(self):
        with mock.patch.object(leakline_probe.outputs, "folder", None), mock.patch.object(self.allocator, "reset") as reset:
            with leakline_probe.profile("nothing"):
                self.allocator.take(MB)
        self.assertFalse(reset.called)
        self.assertEqual([], self.rows())

    def test_broken_counters_do_not_reach_the_job(self):
        def broken():
            raise RuntimeError("of the probe")
        with mock.patch.object(leakline_probe, "raw_counters", broken):
            with leakline_probe.profile("x"):
                done = True
        self.assertTrue(done)
        self.assertIn("of the probe", leakline_probe.last_error)


@unittest.skipUnless(CUDA, "no GPU")
class OnTheDevice(Armed):
    STRAW = {}

    def test_torchs_own_counters(self):
        torch.empty(1, device="cuda")
        with leakline_probe.profile("outer"):
            torch.empty(64 * MB, dtype=torch.uint8, device="cuda")
            with leakline_probe.profile("inner"):
                kept = torch.empty(24 * MB, dtype=torch.uint8, device="cuda")  # noqa: F841
        most = {row["function_name"]: row["most"][0] for row in self.rows("function_name")}
        self.assertEqual([64 * MB, 24 * MB], most["outer"][2:])
        self.assertEqual([24 * MB, 24 * MB], most["inner"][2:])


if __name__ == "__main__":
    unittest.main()
