#!/usr/bin/env python3
"""What a step of training costs under `leakline run --history 0`, in instructions, which do not depend on what else a machine does.

    python benchmarks/probe_instructions.py --leakline ./leakline [--steps 300] [--through "nullgpu --gpus 1 --memory 24G --"] [--python PYTHON]

Needs valgrind, and a Python with torch and a GPU, or what stands in for one (--through). Each kind of job runs twice under valgrind: for as many steps as
warm it up, and for --steps more; the difference is those steps alone, without the start and the exit. All threads count. What the kernel does, and what
the probe's thread does by the clock, is not in it: valgrind makes all of it some 50 times slower, and the clock goes on."""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

from measure import cpu

WARM = 60  # steps: so many are all looked at, and torch and Python have made what they keep
JOB = """
import sys
import torch
torch.set_num_threads(1)
torch.backends.cudnn.enabled = False
layer = torch.nn.TransformerEncoderLayer(256, 4, 512, dropout=0.0, batch_first=True)
net = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda()
optimizer = torch.optim.AdamW(net.parameters(), foreach=True)
kept = []
for _ in range(int(sys.argv[1])):
    optimizer.zero_grad()
    result = net(torch.randn(8, 64, 256, device="cuda"))
    result.square().mean().backward()
    optimizer.step()
    if sys.argv[2] == "leaking":
        kept.append(result.detach())
"""


def main():
    arguments = parse()
    print(f"{cpu()}; Python {sys.version.split()[0]}; {arguments.steps} steps after {WARM}\n")
    print("| steps that are | instructions a step, plain | under run | more |\n|---|--:|--:|--:|")
    for kind in ("healthy", "leaking"):
        plain, watched = [per_step(arguments, kind, is_watched) for is_watched in (False, True)]
        print(f"| {kind} | {plain:,.0f} | {watched:,.0f} | {(watched / plain - 1) * 100:+.2f} % |", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--leakline", default="leakline")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--through", default="", help="what the command begins with")
    parser.add_argument("--python", default=sys.executable)
    return parser.parse_args()


def per_step(arguments, kind, is_watched):
    return (instructions(arguments, kind, WARM + arguments.steps, is_watched) - instructions(arguments, kind, WARM, is_watched)) / arguments.steps


def instructions(arguments, kind, steps, is_watched):
    with tempfile.TemporaryDirectory() as folder:
        count = os.path.join(folder, "count")
        run = [arguments.leakline, "run", "--history", "0", "--quiet", "--keep", os.path.join(folder, "kept"), "--"] if is_watched else []
        valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--log-file={count}", f"--cachegrind-out-file={os.devnull}"]
        command = [*shlex.split(arguments.through), *run, *valgrind, arguments.python, "-c", JOB, str(steps), kind]
        alike = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "ATEN_CPU_CAPABILITY": "default"}
        subprocess.run(command, env=dict(os.environ, **alike), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(count) as text:
            return int(re.search(r"I\s+refs:\s+([\d,]+)", text.read())[1].replace(",", ""))


if __name__ == "__main__":
    main()
