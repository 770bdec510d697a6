"""The start-up mode: whole processes with inject/ on PYTHONPATH."""
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import unittest

import warm
from built import INJECT
from dump_reader import Reader
try:
    import torch
except ImportError:
    torch = None
CUDA = torch is not None and torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"

TRAIN = """
import sys, torch
DEVICE = %r
kept = []
def main(steps=20):
    model = torch.nn.Linear(64, 32).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(steps):
        loss = model(torch.zeros(8, 64, device=DEVICE)).mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        kept.append(loss)
""" % DEVICE


class Job(unittest.TestCase):
    """Jobs of one test, with outputs in self.out. Those that import torch are forked from a process that has done so, unless they are cold."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place, self.out = place.name, os.path.join(place.name, "out")

    def environment(self, **settings):
        path = os.pathsep.join([INJECT] + [settings.pop("path", "")] + [os.environ.get("PYTHONPATH", "")])
        own = {"PYTHONPATH": path.rstrip(os.pathsep), "LEAKLINE_OUT": self.out, "LEAKLINE_NAME": "job", "LEAKLINE_TARGET": DEVICE}
        return {**os.environ, **own, **settings}

    def start(self, text, is_cold=False, **settings):
        job = os.path.join(self.place, "job.py")
        with open(job, "w") as file:
            file.write(text)
        environment = self.environment(**settings)
        if is_cold or torch is None or "import torch" not in text and "import sys, torch" not in text:
            return subprocess.Popen([sys.executable, job], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return warm.Job(job, environment)

    def run_job(self, text, **settings):
        running = self.start(text, **settings)
        out, errors = running.communicate()
        return subprocess.CompletedProcess([], running.returncode, out, errors)

    def outputs(self, suffix):
        return sorted(os.path.join(self.out, name) for name in os.listdir(self.out) if name.endswith(suffix)) if os.path.isdir(self.out) else []


class Startup(Job):
    @unittest.skipIf(torch is None, "no torch")
    def test_outputs_at_the_exit(self):
        ran = self.run_job(TRAIN + "main()", is_cold=True)
        self.assertEqual((0, "", ""), (ran.returncode, ran.stdout, ran.stderr))
        dump = Reader(self.outputs(".holders")[0])
        self.assertEqual("exit", dump.header["reason"])
        self.assertTrue(any("kept" in (dump.path(row[0]) or ()) for row in dump.tensors))
        if CUDA:
            with open(self.outputs(".pickle")[0], "rb") as file:
                taken = pickle.load(file)
            self.assertTrue(any(event["frames"] for event in taken["device_traces"][0]))
            with open(self.outputs(".counters.jsonl")[0]) as file:
                rows = [json.loads(line) for line in file]
            self.assertEqual(list(range(1, 21)), [row["step"] for row in rows if "step" in row])
            self.assertGreater(rows[-1]["allocated_bytes.all.current"], 64 * 32 * 4)
            self.assertEqual(20, dump.header["step"])

    @unittest.skipIf(torch is None, "no torch")
    def test_a_process_that_has_no_device_leaves_nothing(self):
        ran = self.run_job("import torch\nx = torch.ones(5)", is_cold=True, LEAKLINE_TARGET="cuda", LEAKLINE_PROBE_TARGET="cuda",
                           LEAKLINE_WITHOUT="host")  # whose first look comes after two seconds, which a busy machine takes for the import alone
        self.assertEqual((0, "", ""), (ran.returncode, ran.stdout, ran.stderr))
        self.assertEqual([], self.outputs(""))

    @unittest.skipIf(torch is None, "no torch")
    def test_a_step_that_was_named(self):
        self.run_job(TRAIN + "main()", LEAKLINE_AT="step:7")
        dump = Reader(self.outputs(".holders")[0])
        self.assertEqual(7, dump.header["step"])
        self.assertTrue(any("main" in dump.text(number) for number in range(len(dump.nodes)) if dump.kind(number) == "running"))

    @unittest.skipUnless(CUDA, "no GPU")
    def test_the_first_out_of_memory_error_before_it_unwinds(self):
        ran = self.run_job(TRAIN + """
def greedy():
    hoard = []
    while True:
        hoard.append(torch.empty(1 << 30, dtype=torch.uint8, device="cuda"))
main(); greedy()""")
        self.assertIn("out of memory", ran.stderr)
        self.assertEqual(1, len(self.outputs(".holders")))
        dump = Reader(self.outputs(".holders")[0])
        self.assertEqual("oom", dump.header["reason"])
        biggest = max(dump.tensors, key=lambda row: dump.storages[row[1]][4])
        self.assertIn("hoard", dump.path(biggest[0]))

    @unittest.skipIf(torch is None, "no torch")
    def test_a_signal_asks_for_an_output(self):
        running = self.start(TRAIN + "main()\nimport time\nprint('ready', flush=True)\nwhile True: time.sleep(60)", LEAKLINE_AT="signal")
        try:
            running.stdout.readline()
            with open([path for path in self.outputs(".ready") if f"-{running.pid}." in path][0]) as file:
                ready = json.load(file)
            os.kill(running.pid, ready["number"])
            while not os.path.exists(ready["holders"]) and running.poll() is None:
                time.sleep(0.05)
            self.assertEqual("request", Reader(ready["holders"]).header["reason"])
            self.assertIsNone(running.poll())
        finally:
            running.kill()
            running.communicate()

    def test_a_signal_while_the_job_ends_does_not_kill_it(self):
        ran = self.run_job("""
import os, signal
class Late:
    def __del__(self): self.kill(self.pid, self.number)
late = Late()
late.kill, late.pid, late.number = os.kill, os.getpid(), signal.SIGUSR2""", LEAKLINE_AT="signal")
        self.assertEqual((0, ""), (ran.returncode, ran.stderr))
        self.assertEqual([], self.outputs(".ready"))

    def test_the_jobs_own_signal_handler_is_left_alone(self):
        late = "import signal, sys, leakline_probe as p\nsignal.signal(signal.SIGUSR2, signal.SIG_IGN)\n" \
               "p.answer_signal()\nprint(signal.getsignal(signal.SIGUSR2) is signal.SIG_IGN)"
        self.assertEqual("True", self.run_job(late, LEAKLINE_AT="signal").stdout.strip())

    @unittest.skipIf(torch is None, "no torch")
    def test_intervals_are_written_without_steps_and_threads(self):
        ran = self.run_job(TRAIN + """main()
import threading, os
while not any(n.endswith(".holders") for n in os.listdir(os.environ["LEAKLINE_OUT"])):
    [[] for _ in range(10000)]
print(threading.active_count())""", LEAKLINE_AT="interval:1")
        self.assertEqual("1", ran.stdout.strip())
        self.assertEqual("interval", Reader(self.outputs(".holders")[0]).header["reason"])

    def test_another_sitecustomize_still_runs(self):
        own = os.path.join(self.place, "site")
        os.mkdir(own)
        with open(os.path.join(own, "sitecustomize.py"), "w") as file:
            file.write("import builtins\nbuiltins.chained = 'yes'")
        ran = self.run_job("import sys\nprint(chained, sys.modules['sitecustomize'].__file__)", path=own)
        self.assertEqual(["yes", os.path.join(own, "sitecustomize.py")], ran.stdout.split(), ran.stderr)

    def test_arming_imports_no_torch_and_is_quick(self):
        ran = self.run_job("import sys\nprint('torch' in sys.modules, 'leakline_probe' in sys.modules)")
        self.assertEqual("False True", ran.stdout.strip(), ran.stderr)
        self.assertEqual([], self.outputs(".holders"))

    def test_without_a_folder_to_write_to_the_job_runs(self):
        self.out = "/proc/nowhere"
        ran = self.run_job((TRAIN if torch else "main = print\n") + "main()\nprint('done')")
        self.assertEqual((0, "done"), (ran.returncode, ran.stdout.strip()[-4:]))

    @unittest.skipIf(torch is None, "no torch")
    def test_workers_write_nothing_of_what_they_inherited(self):
        ran = self.run_job(TRAIN + """
class Data(torch.utils.data.Dataset):
    def __len__(self): return 8
    def __getitem__(self, index): return torch.zeros(3)
main()
for batch in torch.utils.data.DataLoader(Data(), num_workers=2, multiprocessing_context="fork"): pass""")
        self.assertEqual(0, ran.returncode, ran.stderr)
        dumps = [Reader(path) for path in self.outputs(".holders")]
        self.assertEqual([False], [dump.header["inherited"] for dump in dumps])

    @unittest.skipUnless(CUDA, "no GPU")
    def test_the_collectors_gifts_are_counted(self):
        self.run_job(TRAIN + """
import gc
gc.disable(); main(1)
for _ in range(3):
    cycle = [torch.empty(1 << 20, device="cuda")]; cycle.append(cycle); del cycle
gc.collect()""")
        meter = Reader(self.outputs(".holders")[0]).header["gc"]
        self.assertEqual((3 << 22, 1), (meter["gpu_bytes_freed"], meter["runs_that_freed"]))

    @unittest.skipIf(torch is None, "no torch")
    def test_steps_and_phases_of_the_job(self):
        self.run_job(TRAIN + """
import leakline_probe
for _ in range(3):
    with leakline_probe.phase("validate"): main(1)
    leakline_probe.step()""")
        with open(self.outputs(".counters.jsonl")[0]) as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual(3, sum(row.get("begins") == "validate" for row in rows))
        self.assertEqual(3, sum(row.get("ends") == "validate" for row in rows))


if __name__ == "__main__":
    unittest.main()
