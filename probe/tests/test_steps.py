"""Steps found from optimizers, epochs from DataLoaders."""
import copy
import json
import pickle
import sys
import time
import unittest
from unittest import mock

from armed import Armed, leakline_probe
from test_startup import DEVICE, Job, torch


def setUpModule():
    if torch is not None:
        leakline_probe.watch_optimizers(torch)
        leakline_probe.watch_loaders(torch)


def parameters():
    return [torch.nn.Parameter(torch.ones(3, device=DEVICE))]


@unittest.skipIf(torch is None, "no torch")
class Steps(Armed):
    def steps(self):
        return [row["step"] for row in self.rows("step")]

    def test_every_optimizer_that_steps_again_ends_a_step(self):
        for name in ("SGD", "AdamW", "Adagrad"):
            weights = parameters()
            optimizer = getattr(torch.optim, name)(weights, lr=0.1)
            for _ in range(3):
                weights[0].sum().backward()
                optimizer.step()
            self.assertEqual([1, 2, 3], self.steps()[-3:], name)
            leakline_probe.counters.restart(None)

    def test_two_optimizers_that_take_turns_make_one_step(self):
        both = [torch.optim.SGD(parameters(), lr=0.1), torch.optim.Adam(parameters())]
        for _ in range(3):
            for optimizer in both:
                optimizer.step()
        self.assertEqual([1, 2, 3], self.steps())

    def test_an_optimizer_that_is_made_again_steps_as_the_one_before(self):
        weights = parameters()
        kept = []
        for trial in range(4):
            optimizer = torch.optim.SGD(weights if trial > 1 else parameters(), lr=0.1)
            kept.append(optimizer if trial > 1 else None)  # two of which the next takes the place, and two of the same parameters
            for _ in range(5):
                optimizer.step()
        self.assertEqual(list(range(1, 21)), self.steps())

    def test_a_step_that_calls_the_step_of_its_base_is_one(self):
        class Own(torch.optim.SGD):
            def step(self, closure=None):
                return super().step(closure)
        torch.optim.SGD(parameters(), lr=0.1)
        own = Own(parameters(), lr=0.1)
        own.step()
        own.step()
        self.assertEqual([1, 2], self.steps())

    def test_steps_that_are_shorter_than_a_look_is_worth_are_looked_at_now_and_then(self):
        wall, cpu = [0.0], [0.0]

        def figures():
            cpu[0] += 49.75e-6
            return [[0, 5, 5, 5, 5]]
        clock = mock.Mock(perf_counter=lambda: wall[0], thread_time=lambda: cpu[0], monotonic=lambda: wall[0], time=time.time)
        with mock.patch.object(leakline_probe, "time", clock), mock.patch.object(leakline_probe.peaks, "of_the_job", figures):
            for _ in range(leakline_probe.FREE_LOOKS + 3000):
                wall[0] += 100e-6
                leakline_probe.step()
        free = leakline_probe.FREE_LOOKS
        self.assertEqual(list(range(1, free + 1)), self.steps()[:free])
        self.assertEqual(list(range(free + 100, free + 3001, 100)), self.steps()[free:], "49.75 us are a two-hundredth of 99.5 steps")

    def test_closures_and_schedulers(self):
        weights = parameters()

        def closure():
            loss = (weights[0] ** 2).sum()
            loss.backward()
            return loss
        optimizer = torch.optim.LBFGS(weights, max_iter=3)
        self.assertEqual((), tuple(optimizer.step(closure).shape))
        optimizer.step(closure)
        self.assertEqual([1, 2], self.steps())
        scheduled = torch.optim.SGD(parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.StepLR(scheduled, 1)
        for _ in range(2):
            scheduled.step()
            scheduler.step()
        self.assertEqual([1, 2, 3], self.steps(), "its first step belongs to the step that the other began")

    def test_what_a_step_raises_goes_on_and_is_no_step(self):
        class Fails(torch.optim.SGD):
            broken = True

            def step(self, closure=None):
                if self.broken:
                    raise KeyError("mine")
                return super().step(closure)
        optimizer = Fails(parameters(), lr=0.1)
        with self.assertRaises(KeyError) as seen:
            optimizer.step()
        self.assertEqual(("mine",), seen.exception.args)
        optimizer.broken = False
        optimizer.step()
        self.assertEqual([1], self.steps())

    def test_an_optimizer_is_pickled_and_copied_as_without_a_probe(self):
        optimizer = torch.optim.SGD(parameters(), lr=0.1)
        for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
            other.step()
            self.assertEqual(optimizer.state_dict()["param_groups"], other.state_dict()["param_groups"])

    def test_steps_of_the_job_itself_count_instead(self):
        optimizer = torch.optim.SGD(parameters(), lr=0.1)
        for _ in range(2):
            leakline_probe.step()
            optimizer.step()
        self.assertEqual([1, 2], self.steps())

    def test_a_million_steps_are_a_bounded_file(self):
        with mock.patch.object(leakline_probe, "STEP_ROWS", 8):
            leakline_probe.counters.restart(None)
            for _ in range(8 * (1 + 2 + 4)):
                leakline_probe.step()
        self.assertEqual(list(range(1, 9)) + list(range(10, 25, 2)) + list(range(28, 57, 4)), self.steps())

    def test_an_epoch_is_an_iteration_of_a_loader(self):
        train, valid = [torch.utils.data.DataLoader(list(range(6)), batch_size=2) for _ in range(2)]
        for _ in range(2):
            with leakline_probe.phase("train"):
                self.assertEqual([2, 2, 2], [len(batch) for batch in train])
            next(iter(valid))
        rows = self.rows("epoch")
        self.assertEqual([(1, 0), (1, 1), (2, 0), (2, 1)], [(row["epoch"], row["loader"]) for row in rows])
        self.assertEqual(["train", None] * 2, [row.get("phase") for row in rows])

    def test_an_error_of_ours_reaches_neither_loader_nor_optimizer(self):
        with mock.patch.object(leakline_probe, "counters", None):
            self.assertEqual(2, len(list(torch.utils.data.DataLoader([1, 2]))))
            torch.optim.SGD(parameters(), lr=0.1).step()
        self.assertIn("NoneType", leakline_probe.last_error)


@unittest.skipIf(torch is None, "no torch")
class Jobs(Job):
    def test_workers_are_as_without_a_probe(self):
        ran = self.run_job("""
import torch
class Data(torch.utils.data.Dataset):
    def __len__(self): return 4
    def __getitem__(self, index): return torch.ones(2) * index
if __name__ == "__main__":
    for context in ("fork", "spawn"):
        loader = torch.utils.data.DataLoader(Data(), num_workers=1, multiprocessing_context=context, persistent_workers=True)
        for _ in range(2): assert [batch[0, 0].item() for batch in loader] == [0, 1, 2, 3]
""", LEAKLINE_AT="none")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        with open(self.outputs(".counters.jsonl")[0]) as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual([(1, 0), (2, 0), (1, 1), (2, 1)], [(row["epoch"], row["loader"]) for row in rows])

    @unittest.skipIf(sys.version_info < (3, 11) or torch is None or not hasattr(torch, "compile"), "torch.compile is not for this version")
    def test_compiled_and_fused_optimizers_without_a_warning(self):
        ran = self.run_job(f"""
import torch, warnings, leakline_probe
warnings.simplefilter("error", UserWarning)
weights = [torch.nn.Parameter(torch.ones(3, device={DEVICE!r}))]
for fused in (False, True):
    optimizer = torch.optim.AdamW(weights, fused=fused)
    for step in (torch.compile(optimizer.step, backend="eager"), torch.compile(lambda: optimizer.step(), backend="eager")):
        for _ in range(12):
            weights[0].sum().backward(); step(); optimizer.zero_grad()
@torch.compile(backend="eager")
def region(x):
    with leakline_probe.profile("inside"):
        y = x.sin()
    return y + 1
for _ in range(9): assert region(weights[0]).shape == (3,)
print(leakline_probe.counters.steps, leakline_probe.functions.known["inside"].calls, leakline_probe.last_error)
""", LEAKLINE_AT="none", USER="tester")
        self.assertEqual((0, "48 9 None"), (ran.returncode, ran.stdout.strip()), ran.stderr)


if __name__ == "__main__":
    unittest.main()
