"""Ends a training job under `leakline run` at random moments, in every way a job is ended, and counts what went wrong.

    python benchmarks/endings.py --leakline ./leakline [--python PYTHON] [--nullgpu NULLGPU] [--runs 500] [--seed 1] [--at-once 2] [--results FILE]

--results keeps a line of JSON for each run, and goes on after those that are there already.
The job leaks a little in each step, writes how many steps it has made and how many signals it has had, and ends by itself after 160 steps. What ends it
before is drawn by chance, and so is the moment: SIGTERM, SIGINT and SIGHUP with and without a handler, SIGKILL, SIGABRT, os._exit, an exception, and a
full disk (a file system of 64 KiB for what Leakline writes, where mounting is allowed), full disks (one for its temporary files as well, which has room
for the probe at most), a limit on the size of files (RLIMIT_FSIZE of 64 KiB). Counted are

    exit codes that are not the job's own,
    outputs that are not the job's own (its stdout, byte for byte),
    files of Leakline that are cut or cannot be read again,
    and runs of 50 steps and more without an answer (verdict leak, with a line and a holder).

Exits 0 only where there is none of them."""
import argparse
import concurrent.futures
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

STEPS, ENOUGH = 160, 50
JOB = '''
import os, signal, sys, time
import torch
how, steps, moment = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.backends.cudnn.enabled = False
told = []
if how.startswith("handled"):
    signal.signal(getattr(signal, how.split()[1]), lambda number, _: told.append(number))

def end():
    if how == "exit":
        os._exit(9)
    if how == "raise":
        raise ValueError("the end")
    if how == "abort":
        os.abort()

def train():
    net, kept = torch.nn.Linear(64, 64).cuda(), []
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for step in range(steps):
        y = net(torch.randn(32, 64, device="cuda"))
        optimizer.zero_grad()
        y.square().mean().backward()
        optimizer.step()
        kept.append(net(torch.randn(32, 64, device="cuda")))
        with open(os.environ["JOB_STEPS"], "w") as file:
            file.write(str(step + 1))
        if step == moment:
            end()
        if told:
            print("told", len(told), flush=True)
            sys.exit(5)
        time.sleep(0.003)

train()
print("done", flush=True)
'''
SIGNALS = "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"
HOWS = [*SIGNALS, "handled SIGTERM", "handled SIGINT", "handled SIGHUP", "abort", "exit", "raise", "full disk", "full disks", "small files", "itself"]
FULL = "full disk", "full disks", "small files"
DISKS = "full disk", "full disks"
SIZES = "64k", "400k"  # too small for the probe, and not much larger


class Run:
    """One job, in a folder of its own."""

    def __init__(self, options, number):
        self.options, self.chance = options, random.Random(options.seed * 100_003 + number)
        self.number, self.how = number, HOWS[number % len(HOWS)]
        self.moment = self.chance.randrange(5, STEPS - 5)
        self.faults, self.made, self.is_skipped = [], 0, False

    def row(self):
        return {"number": self.number, "how": self.how + (" (cannot be mounted)" if self.is_skipped else ""), "steps": self.made, "faults": self.faults}

    def run(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="endings-"))
        self.disk, self.report, self.steps_file = (self.folder / name for name in ("disk", "report.json", "steps"))
        self.keep, self.temporary = self.disk / "keep", (self.disk if self.how == "full disks" else self.folder) / "temporary"
        try:
            self.disk.mkdir()
            self.is_skipped = self.how in DISKS and not self.mount()
            if self.is_skipped:
                return self
            self.start()
            self.end()
            self.out, self.err = self.process.communicate(timeout=600)
            self.check()
        except subprocess.TimeoutExpired:
            self.faults.append("hangs")
            self.process.kill()
        finally:
            if self.how in DISKS:
                subprocess.run(["umount", self.disk], stderr=subprocess.DEVNULL)
            shutil.rmtree(self.folder, ignore_errors=True)
        return self

    def mount(self):
        size = self.chance.choice(SIZES) if self.how == "full disks" else SIZES[0]
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "endings", self.disk], stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def start(self):
        (self.folder / "job.py").write_text(JOB)
        self.temporary.mkdir()
        own = self.how in ("exit", "raise", "abort")
        job = [self.options.python, "job.py", self.how, str(STEPS), str(self.moment if own else -1)]
        if self.how == "small files":  # limits the job alone; Python ignores the signal of the limit
            job = ["bash", "-c", 'ulimit -f 64 && exec "$@"', "bash", *job]
        words = [*self.options.leakline.split(), "run", "--keep", str(self.keep), "--report", str(self.report), "--", *job]
        environment = dict(os.environ, LEAKLINE_JAVA_OPTS=f"-Djava.io.tmpdir={self.temporary}", JOB_STEPS=str(self.steps_file), OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
        if self.options.nullgpu:
            environment.update(NULLGPU_PYTHON=self.options.python, NULLGPU_STATE=str(self.folder / "gpu"))
            words = [self.options.nullgpu, "--gpus", "1", "--memory", "24G", "--", *words]
        self.process = subprocess.Popen(words, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def end(self):
        """Sends the signal when so many steps have been made, and somewhere within the next."""
        name = self.how.split()[-1]
        if name not in SIGNALS:
            return
        while self.process.poll() is None and self.steps() < self.moment:
            time.sleep(0.005)
        time.sleep(self.chance.random() * 0.01)
        for pid in self.jobs():
            os.kill(pid, getattr(signal, name))

    def jobs(self):
        """The job's own process: the one that has this folder's steps file in its environment, and is Python."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and b"job.py" in (entry / "cmdline").read_bytes().split(b"\0")[1:2] \
                        and str(self.steps_file).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:  # it has ended
                pass
        return found

    def steps(self):
        try:
            return int(self.steps_file.read_text() or 0)
        except (OSError, ValueError):
            return 0

    def check(self):
        made = self.made = self.steps()
        is_over = made >= STEPS
        codes = {"SIGTERM": 143, "SIGINT": 130, "SIGHUP": 129, "SIGKILL": 137, "abort": 134, "exit": 9, "raise": 1, "full disk": 0, "full disks": 0, "small files": 0, "itself": 0}
        wanted = {codes.get(self.how, 5)} | ({0} if is_over else set())
        if self.process.returncode not in wanted:
            self.faults.append(f"exit code {self.process.returncode}, wanted {sorted(wanted)}: {self.err[-300:]!r}")
        if self.out not in ("", "done\n", "told 1\n"):
            self.faults.append(f"stdout {self.out!r}")
        left = [path.name for path in self.temporary.glob("leakline-*")]
        if left:
            self.faults.append(f"left {left}")
        self.check_files()
        if made >= ENOUGH:
            self.check_answer(made)

    def check_files(self):
        for path in sorted(self.keep.glob("*")) if self.keep.exists() else []:
            content = path.read_bytes()
            content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content  # where there was no room for more
            is_whole = content.endswith(b".") if path.suffix == ".pickle" else b"DONE" in content[-20:] if path.suffix == ".holders" \
                else content.endswith(b"\n") if path.suffix == ".jsonl" and self.how not in FULL else path.suffix != ".tmp"
            if not is_whole:
                self.faults.append(f"{path.name} is cut, {len(content)} bytes")

    def check_answer(self, made):
        try:
            report = json.loads(self.report.read_text())
        except (OSError, ValueError) as error:
            self.faults.append(f"no answer after {made} steps: {error}: {self.err[-300:]!r}")
            return
        finding = (report.get("findings") or [{}])[0]
        if report["verdict"] != "leak" or not finding.get("site") or not finding.get("holders"):
            self.faults.append(f"after {made} steps: {report['verdict']}, line {bool(finding.get('site'))}, holder {bool(finding.get('holders'))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--leakline", default="leakline")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--nullgpu", help="runs the job on a stand-in for the GPU")
    parser.add_argument("--results", type=pathlib.Path, help="a file that keeps what was found, and is gone on with")
    for name, value in (("runs", 500), ("seed", 1), ("at-once", 2)):
        parser.add_argument("--" + name, type=int, default=value)
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGHUP):  # jobs inherit what is ignored, as it is below nohup or in the background of a shell
        signal.signal(number, signal.SIG_DFL)
    rows = [json.loads(line) for line in options.results.read_text().splitlines()] if options.results and options.results.exists() else []
    known = {row["number"] for row in rows}
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        started = [pool.submit(Run(options, number).run) for number in range(options.runs) if number not in known]
        for run in concurrent.futures.as_completed(started):
            rows.append(run.result().row())
            if options.results:
                with options.results.open("a") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
            for fault in rows[-1]["faults"]:
                print("{how}, run {number}, after {steps} steps: ".format(**rows[-1]) + fault, flush=True)
    print("\n| ended by | runs | of 50 steps and more | faults |\n|---|--:|--:|--:|")
    for how in [*HOWS, "all"]:
        own = [row for row in rows if how in ("all", row["how"])]
        print(f"| {how} | {len(own)} | {sum(row['steps'] >= ENOUGH for row in own)} | {sum(len(row['faults']) for row in own)} |")
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
