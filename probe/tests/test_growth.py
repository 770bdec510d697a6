"""Growth noticed while a job runs, and dumps of it."""
import collections
import os
import random
import tempfile
import time
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_startup import DEVICE, Job, torch

CUDA = torch is not None and torch.cuda.is_available()


def region_ends():
    leakline_probe._region_ends("no_grad")


class Shows(unittest.TestCase):
    """What counts as growth; samples are in bytes."""

    def first(self, samples):
        """The number of samples after which growth shows for the first time; None where it never does."""
        growth = leakline_probe.Growth()
        return next((number for number, held in enumerate(samples, 1) if growth.shows(held)), None)

    def test_a_leak_in_every_step(self):
        self.assertEqual(32, self.first(1000 + step for step in range(1000)))

    def test_a_leak_under_what_batches_of_random_sizes_need(self):
        for seed in range(20):
            batches = random.Random(seed)
            self.assertLess(self.first(100 * step + batches.randrange(2000) for step in range(1000)), 400, seed)

    def test_a_leak_that_begins_late(self):
        self.assertLess(self.first(max(step, 500) for step in range(1000)), 800)

    def test_a_leak_once_in_a_hundred_steps(self):
        self.assertLess(self.first(step // 100 for step in range(4000)), 2000)

    def test_nothing_that_stays_level_or_saturates(self):
        batches = random.Random(1)
        self.assertIsNone(self.first([5] * 5000))
        self.assertIsNone(self.first([min(step, 12) for step in range(5000)]), "a cache that fills up")
        self.assertIsNone(self.first([step % 20 for step in range(5000)]), "a buffer that is emptied")
        self.assertIsNone(self.first([5 if step % 3 else batches.randrange(5, 5000) for step in range(5000)]))

    def test_what_grew_and_rests_is_recorded_once_more(self):
        loops, kind, made = leakline_probe.Loops(), leakline_probe.REGIONS, []
        for step in range(400):
            if loops.grows(kind, min(step, 60)) or loops.rests(kind):
                if not made or step >= 1.5 * made[-1] or loops.rests(kind):
                    loops.records(kind)
                    made.append(step)
        self.assertLess(made[-2], 80)
        self.assertTrue(80 <= made[-1] <= 100, made)

    def test_the_one_that_shows_the_end_need_not_wait_for_twice_as_much(self):
        loops, kind = leakline_probe.Loops(), leakline_probe.REGIONS
        loops.snapshots.took(kind, 40, 0.01)
        loops.snapshots.took(kind, 60, 0.01)
        loops.growths[kind].seen, loops.shown[kind], loops.recorded[kind] = 80, 62, 60
        self.assertFalse(loops.may(loops.snapshots, kind))
        loops.growths[kind].seen = 90
        self.assertTrue(loops.may(loops.snapshots, kind))

    def dumps(self, needs, seconds):
        """When dumps are made that each take so long, by a job that leaks in each tenth of a second."""
        now, made, kind = [0.0], [], leakline_probe.STEPS
        with mock.patch.object(leakline_probe, "time", mock.Mock(monotonic=lambda: now[0], process_time=lambda: now[0])):
            loops = leakline_probe.Loops()
            loops.dumps.needs = needs
            for step in range(seconds * 10):
                now[0] = step / 10
                if loops.growths[kind].shows(step) and loops.may(loops.dumps, kind):
                    made.append(now[0])
                    loops.dumps.took(kind, loops.growths[kind].seen, needs)
        return made

    def test_a_short_dump_is_made_soon_and_ever_more_seldom(self):
        self.assertEqual([3.1, 4.7, 9.5, 19.1, 29.5, 39.9], self.dumps(0.1, 1000)[:6])
        self.assertTrue(20 < len(self.dumps(0.3, 1000)) < 60)

    def test_dumps_that_take_next_to_nothing_are_a_second_apart(self):
        made = self.dumps(0.001, 1000)
        self.assertGreaterEqual(min(b - a for a, b in zip(made, made[1:])), leakline_probe.LEAST_SECONDS)

    def test_where_others_have_the_processor_a_job_spends_no_more_of_its_own_time(self):
        with mock.patch.object(leakline_probe, "time", mock.Mock(monotonic=lambda: self.now, process_time=lambda: self.now / 50)):
            self.now, made = 0.0, []
            pace = leakline_probe.Pace(0.0, 0.1)
            for second in range(1000):
                self.now = float(second)
                if pace.allows(leakline_probe.STEPS, second):
                    made.append(second)
                    pace.took(leakline_probe.STEPS, second, 0.1)
        self.assertEqual(list(range(50, 1000, 50)), made)

    def test_a_long_dump_takes_a_hundredth_of_the_time(self):
        self.assertEqual([3.1, 54.3], self.dumps(0.5, 60))
        self.assertEqual([150.3], self.dumps(1.5, 200))
        self.assertGreater(self.dumps(5.0, 1000)[0], 100)


class Foretold(Armed):
    """What `leakline run` is told while a job runs, which leaks 1 KiB in each second at first; there is room for a MiB."""

    def setUp(self):
        super().setUp()
        self.now, self.held, self.growth, self.forecast = 100.0, 0, leakline_probe.Growth(), leakline_probe.Forecast()
        leakline_probe.outputs.run = tempfile.mkdtemp(dir=self.folder)
        for name, stand_in in {"time": mock.Mock(monotonic=lambda: self.now, process_time=lambda: self.now), "room_left": lambda: (1 << 20) - self.held}.items():
            patch = mock.patch.object(leakline_probe, name, stand_in)
            patch.start()
            self.addCleanup(patch.stop)

    def grow(self, seconds, size, jump=0):
        for second in range(seconds):
            self.now, self.held = self.now + 1, self.held + size + (jump if second == 5 else 0)
            self.sample(leakline_probe.STEPS)

    def sample(self, kind):
        if self.growth.shows(self.held, int(self.now)):
            self.forecast.look(kind, self.growth)
        else:
            self.forecast.rest(kind, self.growth)

    def told(self, word="grows"):
        path = os.path.join(leakline_probe.outputs.run, str(os.getpid()))
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return [tuple(map(float, line.split(" ")[2:6])) for line in file if line.startswith(word)]

    def take(self, samples, kind=leakline_probe.STEPS):
        """Takes samples a second apart."""
        for held in samples:
            self.now, self.held = self.now + 1, held
            self.sample(kind)

    def test_a_cache_that_is_full_is_told_of_once_and_that_is_taken_back(self):
        self.take(1000 * min(second, 90) for second in range(600))
        self.assertEqual(1, len(self.told()), leakline_probe.last_error)
        self.assertEqual([(32, 6000, 32, -1)], self.told("rests"))

    def test_what_a_full_window_of_batches_of_many_lengths_takes_is_not_told_of_again(self):
        for seed in range(10):
            self.growth, self.forecast = leakline_probe.Growth(), leakline_probe.Forecast()
            lengths, window, before = random.Random(seed), collections.deque(maxlen=90), len(self.told("rests"))
            for steps in 300, 1500:
                told = len(self.told())
                self.take(sum(window) for _ in range(steps) if not window.append(lengths.randrange(64, 512)))
            self.assertEqual((told, before + 1), (len(self.told()), len(self.told("rests"))), seed)

    def test_noise_is_not_told_of(self):
        lengths, window = random.Random(2), collections.deque(maxlen=10)
        self.take(sum(window) for _ in range(3000) if not window.append(lengths.randrange(64, 512)))
        self.assertEqual([], self.told(), leakline_probe.last_error)

    def test_a_leak_beside_a_cache_that_is_full_is_told_of(self):
        self.take(1000 * min(second, 90) + 200 * second for second in range(600))
        self.assertEqual([1200 * 28, 200 * 56], [size for _, size, *_ in self.told()][::len(self.told()) - 1], leakline_probe.last_error)

    def test_a_leak_that_goes_on_is_not_taken_back(self):
        for rate in (250, 50):
            batches = random.Random(rate)
            self.growth, self.forecast = leakline_probe.Growth(), leakline_probe.Forecast()
            self.take(rate * second + batches.randrange(450) for second in range(1500))
            self.assertEqual([], self.told("rests"), rate)
        self.assertTrue(self.told())

    def test_once_while_it_goes_on_so(self):
        self.grow(400, 1024)
        self.assertEqual([(28, 28 * 1024, 28, (1 << 20) - 48 * 1024)], self.told(), leakline_probe.last_error)

    def test_at_once_where_there_is_no_room_for_as_much_again(self):
        self.grow(32, 1 << 15)
        self.assertEqual(1, len(self.told()), leakline_probe.last_error)

    def test_of_a_cache_that_fills_nothing_is_told(self):
        for seed in range(20):
            lengths, seen = random.Random(seed), set()
            self.growth, self.forecast = leakline_probe.Growth(), leakline_probe.Forecast()
            self.take(4096 * len(seen) for _ in range(300) if not seen.add(lengths.randrange(16)))
            self.assertEqual([], self.told(), seed)

    def test_of_a_model_that_is_loaded_for_some_seconds_nothing_is_told(self):
        self.take((min(second, 36) * 1024 for second in range(100)), leakline_probe.TIME)
        self.assertEqual([], self.told(), leakline_probe.last_error)

    def test_of_time_growth_is_told_when_it_has_shown_for_ten_seconds(self):
        self.take((second * 1024 for second in range(45)), leakline_probe.TIME)
        self.assertEqual([28.0], [seconds for _, _, seconds, _ in self.told()], leakline_probe.last_error)

    def test_again_when_the_forecast_changes_by_a_factor_of_two(self):
        self.grow(200, 1024)
        self.grow(200, 1500)
        self.assertEqual(1, len(self.told()))
        self.grow(50, 6000)
        self.assertEqual(2, len(self.told()))

    def test_what_comes_once_does_not_go_on(self):
        self.grow(60, 1024, jump=100_000)
        self.assertEqual(28 * 1024, self.told()[0][1])

    def test_a_pause_of_the_probe_is_no_time_of_the_job(self):
        loops = leakline_probe.Loops()
        self.growth = loops.growths[leakline_probe.STEPS]
        self.grow(30, 1024)
        self.now += 50
        loops.pauses(50)
        self.grow(18, 1024)
        self.assertEqual(28, self.told()[0][2])

    def test_nothing_where_nobody_listens(self):
        leakline_probe.outputs.run = None
        self.grow(60, 1024)
        self.assertIsNone(leakline_probe.last_error)
        self.assertEqual([[]], [files for _, folders, files in os.walk(self.folder) if not folders])


class Sampled(Armed):
    """Which moments are looked at."""

    def setUp(self):
        super().setUp()
        leakline_probe.plan.whens.add("growth")
        leakline_probe.plan.loops.dumps.needs = 0.0
        written = mock.patch.object(leakline_probe, "write")
        self.write = written.start()
        self.addCleanup(written.stop)

    def grow(self, look, samples=40):
        for _ in range(samples):
            self.allocator.take(100)
            look()

    def assert_seen(self):
        self.assertEqual([mock.call("growth")] * 3, self.write.call_args_list, leakline_probe.last_error)

    def test_the_ends_of_steps(self):
        self.grow(leakline_probe.step)
        self.assert_seen()

    def test_batches_where_nothing_steps(self):
        self.grow(lambda: leakline_probe._batch(None))
        self.assert_seen()

    def test_regions_without_gradients_where_there_is_neither(self):
        self.grow(region_ends)
        self.assert_seen()

    def test_no_regions_of_torchs_layers(self):
        region, ends = type("region", (), {"__exit__": lambda *_: None}), []
        with mock.patch.object(leakline_probe, "_region_ends", ends.append):
            leakline_probe._watch_region(region, "no_grad", bool)
            for name in ("torch.nn.modules.module", "torch.optim.adam", "torch.utils._contextlib", "__main__"):
                exec("region().__exit__()", {"region": region, "__name__": name})
        self.assertEqual(["no_grad"] * 2, ends, leakline_probe.last_error)

    def test_no_growth_while_a_model_is_loaded(self):
        self.grow(self.call("_apply", "torch.nn.modules.module", region_ends))
        self.write.assert_not_called()

    def test_growth_of_what_is_trained_below_a_function_that_loads(self):
        self.grow(self.call("from_pretrained", "transformers.modeling_utils", leakline_probe.step))
        self.assert_seen()

    def test_growth_that_goes_on_for_longer_than_any_model_is_loaded(self):
        call = self.call("from_pretrained", "transformers.modeling_utils", region_ends)
        self.grow(call)
        leakline_probe.plan.loading_since -= leakline_probe.LONGEST_LOADING
        self.grow(call, 4)
        self.write.assert_called_once_with("growth")

    def test_growth_in_a_function_of_the_job_that_has_the_name_of_one_that_loads(self):
        self.grow(self.call("_apply", "__main__", region_ends))
        self.assert_seen()

    def test_which_regions_end_is_told(self):
        leakline_probe._region_ends("inference_mode")
        self.assertEqual("inference_mode", leakline_probe.plan.loops.growths[leakline_probe.REGIONS].turns, leakline_probe.last_error)

    @staticmethod
    def call(name, module, turn):
        """A turn within a call of a function of a module."""
        names = {"turn": turn, "__name__": module}
        exec(f"def {name}():\n turn()", names)
        return names[name]

    def test_time_where_nothing_shows_a_step(self):
        leakline_probe.plan.loops.dumps.last -= leakline_probe.LEAST_SECONDS
        youth = leakline_probe.Youth()
        self.grow(lambda: leakline_probe._look(youth))
        self.assert_seen()

    def test_a_better_loop_that_is_alive_speaks_alone(self):
        def all_of_them():
            leakline_probe.step()
            leakline_probe._batch(None)
            region_ends()
            leakline_probe._look()
        self.grow(all_of_them)
        self.assertEqual([40, 0, 0, 0], [growth.seen for growth in leakline_probe.plan.loops.growths])

    def test_when_training_is_over_an_evaluation_is_looked_at(self):
        with mock.patch.object(leakline_probe, "time", mock.Mock(wraps=leakline_probe.time)) as time:
            for now in range(100):
                time.monotonic.return_value = now / 10
                leakline_probe.plan.loops.turns(leakline_probe.STEPS if now < 40 else leakline_probe.REGIONS)
            self.assertTrue(leakline_probe.plan.loops.turns(leakline_probe.REGIONS))
            time.monotonic.return_value = 5.5
            self.assertFalse(leakline_probe.plan.loops.turns(leakline_probe.REGIONS))

    def test_where_steps_are_slow_the_time_in_between_is_theirs(self):
        with mock.patch.object(leakline_probe, "time", mock.Mock(wraps=leakline_probe.time)) as time:
            for now in range(0, 600, 60):
                time.monotonic.return_value = float(now)
                leakline_probe.plan.loops.turns(leakline_probe.STEPS)
            self.assertTrue(leakline_probe.plan.loops.is_alive(leakline_probe.TIME, 590.0))
            self.assertFalse(leakline_probe.plan.loops.is_alive(leakline_probe.TIME, 1000.0))

    def test_of_time_the_first_dump_may_come_early_and_no_second(self):
        dumps = leakline_probe.Pace(leakline_probe.DUMP_CREDIT, leakline_probe.DUMP_SECONDS)
        self.assertTrue(dumps.allows(leakline_probe.TIME, 32))
        dumps.took(leakline_probe.TIME, 32, leakline_probe.DUMP_SECONDS)
        self.assertFalse(dumps.allows(leakline_probe.TIME, 1000))
        self.assertTrue(dumps.allows(leakline_probe.STEPS, 1000))

    def test_the_usual_gap_is_that_of_the_loop_that_turned_last(self):
        loops = leakline_probe.plan.loops
        self.assertEqual(0.0, loops.usual_gap())
        with mock.patch.object(leakline_probe, "time", mock.Mock(wraps=leakline_probe.time)) as time:
            for now in range(100):
                time.monotonic.return_value = now * 3.0
                loops.turns(leakline_probe.BATCHES)
            time.monotonic.return_value = 10.0
            loops.turns(leakline_probe.STEPS)
        self.assertAlmostEqual(3.0, loops.usual_gap(), delta=0.1)

    def test_another_thread_asks_the_main_thread_and_does_it_itself_where_that_does_not_come(self):
        plan = leakline_probe.plan
        with mock.patch.object(leakline_probe, "is_main_thread", lambda: False), mock.patch.object(leakline_probe, "Later") as later:
            self.grow(region_ends)
            later.assert_called_once()
            self.write.assert_not_called()
            self.assertTrue(plan.forecast.first, "growth has shown, though nobody has dumped it")
            plan.asked_at -= 2 * leakline_probe.PATIENCE
            self.grow(region_ends, 4)
        self.write.assert_called_with("growth")
        plan._write_asked()
        self.assertEqual("", plan.asked)

    def write_growth(self):
        def write(path, *_):
            return leakline_probe.write_file(path, b"%d" % len(os.listdir(self.folder)))
        with mock.patch.object(leakline_probe, "dump", write), mock.patch.object(leakline_probe, "snapshot", write):
            leakline_probe.plan.write_growth()
        return [name.partition(".")[2] for name in sorted(os.listdir(self.folder))]

    def test_the_dump_before_is_kept_and_the_snapshot_is_beside_it(self):
        self.write_growth()
        leakline_probe.plan.loops.dumps.next = [0.0] * 4
        self.assertEqual(["growth-before.holders", "growth.holders", "growth.pickle"], self.write_growth())
        self.assertGreater(leakline_probe.plan.loops.dumps.spent, leakline_probe.plan.loops.dumps.needs)

    def test_where_a_dump_would_take_too_long_there_is_a_snapshot(self):
        leakline_probe.plan.loops.dumps.needs = 100.0
        self.assertEqual(["growth.pickle"], self.write_growth())

    def test_where_a_snapshot_would_take_too_long_there_is_a_dump(self):
        self.allocator.take(100)
        leakline_probe.history.read_each = 1.0
        with mock.patch.dict(os.environ, {"LEAKLINE_MAX_PAUSE": "0"}):
            self.assertEqual(["growth.holders"], self.write_growth())

    def test_a_snapshot_is_foreseen_to_take_no_longer_than_a_pause_may(self):
        leakline_probe.history.entries = 1_000_000
        for _ in range(200_000):
            self.allocator.take(1)
            self.allocator.give(1)
        self.assertGreater(leakline_probe.history.seconds(0.0), 1.0)
        self.assertEqual(0.2, leakline_probe.history.seconds(0.2))

    def test_the_last_snapshot_takes_the_place_of_that_of_growth(self):
        self.write_growth()
        with mock.patch.object(leakline_probe, "dump"), mock.patch.object(leakline_probe, "snapshot", lambda path, **_: leakline_probe.write_file(path, b"")):
            leakline_probe.plan.write_all("exit")
        self.assertEqual(["growth.holders", "pickle"], [name.partition(".")[2] for name in sorted(os.listdir(self.folder))])

    def test_nobody_asked(self):
        leakline_probe.plan.whens.clear()
        self.grow(leakline_probe.step)
        self.grow(region_ends)
        self.write.assert_not_called()


@unittest.skipUnless(CUDA, "no GPU")
class Jobs(Job):
    def test_what_a_function_keeps_is_dumped_while_it_runs(self):
        ran = self.run_job(f"""
import torch
def main():
    losses, weight = [], torch.nn.Parameter(torch.ones(64, device={DEVICE!r}))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    for _ in range(90):
        losses.append(weight.exp())
        losses[-1].sum().backward()
        optimizer.step()
main()""")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        dumps = {os.path.basename(path).partition(".")[2]: Reader(path) for path in self.outputs(".holders")}
        growth = dumps["growth.holders"]
        self.assertEqual("growth", growth.header["reason"])
        self.assertGreaterEqual(growth.header["step"], 32)
        self.assertTrue(self.names_losses(growth))
        self.assertFalse(self.names_losses(dumps["holders"]))

    def test_what_an_evaluation_keeps_is_dumped_while_it_runs(self):
        ran = self.run_job(f"""
import torch
def evaluate():
    losses, weight = [], torch.ones(64, device={DEVICE!r})
    for batch in torch.utils.data.DataLoader(range(200), batch_size=2):
        losses.append(weight * batch[0].item())
evaluate()""")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        self.assertTrue(self.names_losses(Reader(self.outputs(".growth.holders")[0])))

    @staticmethod
    def names_losses(dump):
        return any("losses" in (dump.path(row[0]) or ()) for row in dump.tensors)


class Shortages(Armed):
    """What a job is looked at after memory ran out and the error was caught."""

    def ran_out(self, before=10):
        for _ in range(before):
            self.allocator.take(1000)
        leakline_probe.plan.shortage.wrote(time.monotonic() - 0.001)

    def test_memory_that_ran_out_is_the_end_until_the_job_goes_on(self):
        self.assertFalse(leakline_probe.plan.shortage.is_end())
        self.ran_out()
        self.assertTrue(leakline_probe.plan.shortage.is_end())
        for _ in range(50):
            self.allocator.take(1000)
        self.assertTrue(leakline_probe.plan.shortage.is_end(), "as of a handler that frees what it can")
        for _ in range(51):
            self.allocator.take(1000)
        self.assertFalse(leakline_probe.plan.shortage.is_end())

    def test_a_later_one_is_written_where_that_takes_little_of_the_time(self):
        self.assertTrue(leakline_probe.plan.shortage.may_write())
        self.ran_out()
        self.assertFalse(leakline_probe.plan.shortage.may_write())
        for _ in range(200):
            self.allocator.take(1000)
        self.assertFalse(leakline_probe.plan.shortage.may_write(), "it took a thousandth of a second, a moment ago")
        leakline_probe.plan.shortage.ended -= 60
        self.assertTrue(leakline_probe.plan.shortage.may_write())


if __name__ == "__main__":
    unittest.main()
