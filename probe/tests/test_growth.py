"""Growth noticed while a job runs, and dumps of it."""
import os
import random
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from dump_reader import Reader
from test_startup import DEVICE, Job, torch

CUDA = torch is not None and torch.cuda.is_available()


class Shows(unittest.TestCase):
    """What counts as growth; samples are in bytes."""

    def first(self, samples):
        """The number of samples after which growth shows for the first time; None where it never does."""
        growth = leakline_probe.Growth()
        growth.needs = 0.0
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

    def dumps(self, needs, seconds):
        """When dumps are made that each take so long, by a job that leaks in each tenth of a second."""
        growth, now, made = leakline_probe.Growth(), [0.0], []
        growth.last, growth.needs = 0.0, needs
        with mock.patch.object(leakline_probe.outputs, "path", str), mock.patch.object(leakline_probe, "dump", lambda *_: made.append(now[0])), \
                mock.patch.object(leakline_probe, "time", mock.Mock(monotonic=lambda: now[0], perf_counter=lambda: needs * len(made))):
            for step in range(seconds * 10):
                now[0] = step / 10
                if growth.shows(step):
                    growth.write()
        return made

    def test_a_short_dump_is_made_soon_and_ever_more_seldom(self):
        self.assertEqual([3.1, 4.7, 7.1, 10.7, 16.3], self.dumps(0.3, 1000)[:5])
        self.assertTrue(50 < len(self.dumps(0.3, 1000)) < 170)

    def test_a_long_dump_takes_a_twentieth_of_the_time(self):
        self.assertEqual([3.1], self.dumps(1.5, 30))
        self.assertEqual(28, len(self.dumps(1.5, 1000)))
        self.assertGreater(self.dumps(5.0, 1000)[0], 100)


class Sampled(Armed):
    """Which moments are looked at."""

    def setUp(self):
        super().setUp()
        leakline_probe.plan.whens.add("growth")
        leakline_probe.plan.growth.needs = 0.0
        written = mock.patch.object(leakline_probe, "write")
        self.write = written.start()
        self.addCleanup(written.stop)

    def test_the_ends_of_steps(self):
        for _ in range(40):
            self.allocator.take(100)
            leakline_probe.step()
        self.assertEqual([mock.call("growth")] * 3, self.write.call_args_list, leakline_probe.last_error)

    def test_batches_where_nothing_steps(self):
        for _ in range(40):
            self.allocator.take(100)
            leakline_probe._batch(None)
        self.assertEqual([mock.call("growth")] * 3, self.write.call_args_list, leakline_probe.last_error)

    def test_batches_of_steps_are_no_samples(self):
        with mock.patch.object(leakline_probe.plan, "sampled") as sampled:
            for _ in range(10):
                self.allocator.take(100)
                leakline_probe._batch(None)
                leakline_probe.step()
        self.assertEqual([mock.call(100 * step) for step in [1] + list(range(1, 11))], sampled.call_args_list)

    def test_collections_where_there_are_no_steps(self):
        for generation in [0] * 40:
            self.allocator.take(100)
            for stage in ("start", "stop"):
                leakline_probe.meter(stage, {"generation": generation, "collected": 0})
        self.write.assert_called_with("growth")

    def test_the_dump_before_is_kept_and_what_dumps_take_is_noted(self):
        growth = leakline_probe.plan.growth
        with mock.patch.object(leakline_probe, "dump", lambda path, reason: leakline_probe.write_file(path, b"%d" % len(os.listdir(self.folder)))):
            growth.write()
            growth.write()
        before, last = sorted(os.listdir(self.folder))
        self.assertTrue(before.endswith(".growth-before.holders") and last.endswith(".growth.holders"), (before, last))
        self.assertGreater(growth.spent, growth.needs)

    def test_nobody_asked(self):
        leakline_probe.plan.whens.clear()
        for _ in range(40):
            self.allocator.take(100)
            leakline_probe.step()
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


if __name__ == "__main__":
    unittest.main()
