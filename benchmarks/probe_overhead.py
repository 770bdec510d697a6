"""What the probe costs a job: training steps without it, with its counters, and with memory history too; and one dump of a large heap.

    python benchmarks/probe_overhead.py [--runs 5] [--steps 300] [--device cuda|cpu]

Needs torch (2.0 or later) and the built probe (`mvn -q compile -pl probe`, or LEAKLINE_PROBE names its folder). Each run is a process of its own, and
the three kinds take turns, so that a machine whose speed changes treats them alike. Where it changes by more than the probe takes, only the second
table tells: there, what the probe does at each step is switched on and off by turns within one process.
Without the probe, a step is what torch does for a small decoder (4 layers, 256 wide, 8 sequences of 128 tokens) on one core. On a device that
computes nothing (a stand-in for the driver), a step is all overhead of Python and torch, which makes the probe's share look larger than it is.
Times are of the process's own CPU, since that is what the probe takes."""
import argparse
import datetime
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from measure import cpu, spread

HERE = os.path.dirname(os.path.abspath(__file__))
PROBE = os.environ.get("LEAKLINE_PROBE") or os.path.join(os.path.dirname(HERE), "attach", "target", "classes", "dev", "leakline", "probe")
KINDS = {"bare": None, "counters and steps": {"LEAKLINE_HISTORY": "0"}, "and memory history": {"LEAKLINE_HISTORY": "200000"}}
ROUND = 20  # steps that are timed together; the collector runs in most of them
OBJECTS, LEAKED = 1_000_000, 2000


def main():
    arguments = parse()
    if arguments.inside:
            return print(json.dumps({"steps": train, "switched": switched, "dump": dump}[arguments.inside](arguments)))
    import torch
    arguments.device = arguments.device or ("cuda" if torch.cuda.is_available() else "cpu")
    print(f"{cpu()}, {os.cpu_count()} cores; Python {platform.python_version()}, torch {torch.__version__}, {arguments.device}; "
          f"{datetime.date.today()}; {arguments.runs} runs of each by turns.\n")
    runs = {kind: [] for kind in KINDS}
    for number in range(arguments.runs):
        for kind, settings in KINDS.items():
            runs[kind].append(run("steps", arguments, settings))
    steps_table(runs)
    switched_table([run("switched", arguments, KINDS["counters and steps"]) for _ in range(arguments.runs)])
    dump_table([run("dump", arguments, None) for _ in range(arguments.runs)])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--device", choices=("cuda", "cpu"))
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def run(what, arguments, settings):
    """Runs a part of this file as a process of its own; what it prints."""
    with tempfile.TemporaryDirectory() as out:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LEAKLINE_") or key == "LEAKLINE_PROBE"}
        if settings is not None:
            path = os.pathsep.join(filter(None, [os.path.join(PROBE, "inject"), environment.get("PYTHONPATH")]))
            environment.update(settings, PYTHONPATH=path, LEAKLINE_OUT=out, LEAKLINE_AT="oom", LEAKLINE_TARGET=arguments.device)
        command = [sys.executable, os.path.abspath(__file__), "--inside", what, "--steps", str(arguments.steps), "--device", arguments.device]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.strip().split("\n")[-1])


# -- training steps

def train(arguments):
    step = training(arguments)
    return {"ms": statistics.median([timed(step) for _ in range(max(arguments.steps // ROUND, 1))]) * 1e3}


def training(arguments):
    """A step of training, which has been taken often enough to be like all others."""
    import torch
    torch.set_num_threads(1)
    model, optimizer = decoder(torch, arguments.device)
    tokens = torch.zeros(8, 128, dtype=torch.long, device=arguments.device)

    def step():
        optimizer.zero_grad()
        model(tokens).float().mean().backward()
        optimizer.step()
    for _ in range(ROUND):
        step()
    return step


def timed(step):
    begin = time.process_time()
    for _ in range(ROUND):
        step()
    return (time.process_time() - begin) / ROUND


def switched(arguments):
    """Steps with the probe's hooks and without, by turns."""
    step = training(arguments)
    from torch.optim import optimizer
    hooks = [(known, dict(known)) for known in (optimizer._global_optimizer_pre_hooks, optimizer._global_optimizer_post_hooks)]
    callbacks = list(gc.callbacks)
    times = {True: [], False: []}
    for number in range(2 * max(arguments.steps // ROUND, 1)):
        is_on = number % 2 == 0
        gc.callbacks[:] = callbacks if is_on else []
        for known, own in hooks:
            known.clear()
            known.update(own if is_on else {})
        times[is_on].append(timed(step))
    return {"on": times[True], "off": times[False]}


def decoder(torch, device):
    block = torch.nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True)
    try:
        blocks = torch.nn.TransformerEncoder(block, 4, enable_nested_tensor=False)
    except TypeError:  # older than 1.12
        blocks = torch.nn.TransformerEncoder(block, 4)
    model = torch.nn.Sequential(torch.nn.Embedding(2000, 256), blocks, torch.nn.Linear(256, 2000)).to(device)
    return model, torch.optim.AdamW(model.parameters())


def steps_table(runs):
    print("| a training step | ms of CPU, min / median / max | against bare, of medians | of the fastest |\n|---|--:|--:|--:|")
    bare = [found["ms"] for found in runs["bare"]]
    for kind, found in runs.items():
        times = [one["ms"] for one in found]
        shares = [f"{(least(times) / least(bare) - 1) * 100:+.1f} %" if kind != "bare" else "" for least in (statistics.median, min)]
        print(f"| {kind} | {spread(times, '.3f')} | {shares[0]} | {shares[1]} |")
    print()


def switched_table(found):
    shares = sorted([(on - off) / off * 100 for one in found for on, off in zip(one["on"], one["off"])])
    middle = [shares[int(len(shares) * part)] for part in (0.25, 0.5, 0.75)]
    off = statistics.median([time for one in found for time in one["off"]]) * 1e3
    print("| switched on and off by turns | ms of CPU without | what it adds, quartiles of pairs |\n|---|--:|--:|")
    print(f"| counters and steps | {off:.3f} | {' / '.join(f'{share:+.1f} %' for share in middle)} |\n")


# -- one dump of a large heap

def dump(arguments):
    import torch
    sys.path.insert(0, PROBE)
    import leakline_probe
    leaked, heap = leak(torch, arguments.device), fill()
    objects = len(gc.get_objects())
    with tempfile.TemporaryDirectory() as folder:
        wall, begin = time.perf_counter(), time.process_time()
        path = leakline_probe.dump(os.path.join(folder, "a.holders"), target=arguments.device)
        times = time.perf_counter() - wall, time.process_time() - begin
        if path is None:
            sys.exit(f"no dump: {leakline_probe.last_error}")
        size = os.stat(path).st_size
    return {"objects": objects, "tensors": len(leaked), "filled": len(heap), "wall": times[0], "cpu": times[1], "bytes": size}


def leak(torch, device):
    """Losses whose graphs they keep alive, and as many plain tensors in a dict of lists."""
    weights = [torch.ones(16, 16, device=device, requires_grad=True) for _ in range(6)]
    history, pages = [], {"pages": []}
    for _ in range(LEAKED // 2):
        value = torch.ones(4, 16, device=device)
        for weight in weights:
            value = torch.tanh(value @ weight)
        history.append(value.sum())
        pages["pages"].append(torch.ones(4, device=device))
    return history + pages["pages"]


class Record:
    def __init__(self, number):
        self.number, self.tags, self.place = number, [number, str(number)], (number, {"line": number, "of": [number]})


def fill():
    """Records of a job until the collector knows a million objects."""
    gc.disable()
    records = []
    while len(gc.get_objects()) < OBJECTS:
        records += [Record(number) for number in range(20_000)]
    gc.enable()
    return records


def dump_table(found):
    print("| a dump of | wall s, min / median / max | CPU s | bytes |\n|---|--:|--:|--:|")
    objects, tensors = found[0]["objects"], found[0]["tensors"]
    print(f"| {objects:,} objects, {tensors:,} leaked tensors | {spread([one['wall'] for one in found])} | {spread([one['cpu'] for one in found])} "
          f"| {max(one['bytes'] for one in found):,} |")


if __name__ == "__main__":
    main()
