"""Callbacks in the real libraries: each batch is a step, phases are marked, no loss changes."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

from armed import Armed
from built import FOLDER, INJECT, OPTIONAL

BEGIN = """
import json, os, sys, tempfile, torch
import leakline_probe
place = os.getcwd()
has_callback = sys.argv[1] == "with"
if has_callback: leakline_probe.start(os.path.join(place, "out"), "none")
torch.manual_seed(0)
data = [{"x": torch.randn(8), "labels": torch.tensor(i % 2)} for i in range(32)]
class Net(torch.nn.Module):
    def __init__(self): super().__init__(); self.inner = torch.nn.Linear(8, 2)
    def forward(self, x, labels=None):
        out = self.inner(x)
        return {"loss": torch.nn.functional.cross_entropy(out, labels), "logits": out}
"""
TRANSFORMERS = BEGIN + """
from transformers import Trainer, TrainingArguments
from leakline_probe.transformers import LeaklineCallback
arguments = TrainingArguments(output_dir="t", num_train_epochs=2, per_device_train_batch_size=4, gradient_accumulation_steps=2, eval_strategy="steps",
                              eval_steps=2, report_to=[], logging_steps=1, save_strategy="no", use_cpu=True, disable_tqdm=True)
trainer = Trainer(model=Net(), args=arguments, train_dataset=data, eval_dataset=data, callbacks=[LeaklineCallback()] if has_callback else [])
trainer.train()
losses = [row.get("loss", row.get("eval_loss")) for row in trainer.state.log_history]
"""
LIGHTNING = BEGIN + """
import lightning.pytorch as L
from leakline_probe.lightning import LeaklineCallback
losses = []
class Model(L.LightningModule):
    def __init__(self): super().__init__(); self.net = Net()
    def training_step(self, batch, index):
        loss = self.net(**batch)["loss"]
        losses.append(loss.item())
        return loss
    def validation_step(self, batch, index): self.net(**batch)
    def configure_optimizers(self): return torch.optim.SGD(self.parameters(), 0.1)
loader = torch.utils.data.DataLoader(data, batch_size=4)
L.Trainer(max_epochs=2, accelerator="cpu", accumulate_grad_batches=2, logger=False, enable_checkpointing=False, enable_progress_bar=False,
          enable_model_summary=False, callbacks=[LeaklineCallback()] if has_callback else []).fit(Model(), loader, loader)
"""
END = 'print("RESULT" + json.dumps([leakline_probe.counters.steps, leakline_probe.last_error, losses]))'
LOOP = BEGIN + """
from leakline_probe.training import Training
training, losses = Training(), []
for epoch in training.epochs(2):
    for batch in training.batches([data[:4], data[4:8], data[8:12]]):
        with training.phase("inner"): losses.append(len(batch))
"""


class Trainers(unittest.TestCase):
    def run_job(self, job, *arguments):
        with tempfile.TemporaryDirectory() as place:
            ran = subprocess.run([sys.executable, "-W", "ignore", "-c", job + END, *arguments], cwd=place, capture_output=True, text=True, timeout=600,
                                 env=dict(os.environ, PYTHONPATH=os.pathsep.join([FOLDER, OPTIONAL]), LEAKLINE_TARGET="cpu"))
            self.assertEqual(0, ran.returncode, ran.stderr)
            rows = []
            for name in os.listdir(os.path.join(place, "out")) if "with" in arguments else []:
                with open(os.path.join(place, "out", name)) as file:
                    rows += [json.loads(line) for line in file]
        return json.loads(ran.stdout.rpartition("RESULT")[2]), rows

    def check(self, job, phases):
        (steps, error, losses), rows = self.run_job(job, "with")
        self.assertEqual((16, None), (steps, error), "8 batches in each of 2 epochs, though the optimizer steps half as often")
        self.assertEqual(list(range(1, 17)), [row["step"] for row in rows if "step" in row])
        self.assertEqual(phases, [row["begins"] for row in rows if "begins" in row])
        self.assertEqual(len(phases), len([row for row in rows if "ends" in row]))
        self.assertEqual(losses, self.run_job(job, "without")[0][2])

    @unittest.skipIf(importlib.util.find_spec("transformers") is None or importlib.util.find_spec("accelerate") is None, "no transformers")
    def test_transformers(self):
        self.check(TRANSFORMERS, ["evaluate"] * 4)

    @unittest.skipIf(importlib.util.find_spec("lightning") is None, "no lightning")
    def test_lightning(self):
        self.check(LIGHTNING, ["sanity check", "validate", "validate", "validate"])

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "no torch")
    def test_a_plain_loop_whose_batches_come_from_no_loader(self):
        (steps, error, losses), rows = self.run_job(LOOP, "with")
        self.assertEqual((6, None, [4] * 6), (steps, error, losses))
        self.assertEqual([(1, 0), (2, 0)], [(row["epoch"], row["loader"]) for row in rows if "epoch" in row])
        self.assertEqual(6, len([row for row in rows if "begins" in row]))


class Injected(unittest.TestCase):
    def test_a_job_under_leakline_run_imports_the_optional_modules_of_the_wheel(self):
        with tempfile.TemporaryDirectory() as place:
            ran = subprocess.run([sys.executable, "-c", "import leakline_probe.training as t, leakline_probe as p; t.Training().step()\n"
                                  "print(p.outputs.is_armed, p.counters.steps, p.__file__, t.__file__)"], cwd=place, capture_output=True, text=True,
                                 env=dict(os.environ, PYTHONPATH=os.pathsep.join([INJECT, OPTIONAL]), LEAKLINE_OUT=os.path.join(place, "out")))
        self.assertEqual(["True", "1", os.path.join(FOLDER, "leakline_probe.py"), os.path.join(OPTIONAL, "leakline_probe", "training.py")],
                         ran.stdout.split(), ran.stderr)


class Unarmed(Armed):
    def test_a_probe_that_is_not_armed_counts_and_looks_at_nothing(self):
        from unittest import mock

        from armed import leakline_probe
        with mock.patch.object(leakline_probe.outputs, "folder", None), mock.patch.object(leakline_probe.peaks, "of_the_job", self.fail):
            for _ in range(3):
                leakline_probe.step()
            with leakline_probe.phase("validate"):
                pass
        self.assertEqual(3, leakline_probe.counters.steps)
        self.assertIsNone(leakline_probe.last_error)


if __name__ == "__main__":
    unittest.main()
