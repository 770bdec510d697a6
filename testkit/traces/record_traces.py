#!/usr/bin/env python3
"""Records the traces in core/src/test/resources/traces, by the PyTorch that runs this, on the GPU that it sees (or a stand-in for one).

    record_traces.py OUT_DIR [NAME ...]     (default: all)

Each recording is a function below, called in a process of its own because the allocator remembers. What it does is seen by two at once: by
torch.profiler, whose trace becomes NAME.json.gz, and by the allocator, whose snapshot becomes NAME.pickle.gz, so that a test can hold
what is said of one against what is said of the other. File names are made neutral: this file is /app/record_traces.py (record_traces.py in
traces, which cut off what is in sys.path), packages are under /venv/site-packages."""
import contextlib
import gzip
import pathlib
import pickle
import re
import subprocess
import sys
import sysconfig
import tempfile
import threading

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

FOLDERS = {str(pathlib.Path(__file__).resolve().parent): "/app", sysconfig.get_paths()["purelib"]: "/venv/site-packages",
           sysconfig.get_paths()["stdlib"]: "/usr/lib/python3"}
BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
MARKED = schedule(wait=0, warmup=0, active=1000)  # with a schedule, the profiler marks its steps
RECORDINGS = {}


def recording(**options):
    """The decorated function is run under a profiler of these options, which it is given."""
    def register(function):
        RECORDINGS[function.__name__] = function, {"activities": BOTH, "profile_memory": True, "with_stack": True, **options}
        return function
    return register


# ---- what the recorded programs do ----

class Network(nn.Module):
    def __init__(self, width=384):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, 10)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def training_step(model, optimizer, images):
    with record_function("forward"):
        loss = model(images).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def train(profiler, steps, after_step):
    model = Network().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(steps):
        loss = training_step(model, optimizer, torch.randn(48, 384).cuda())
        after_step(loss)
        profiler.step()


@recording(schedule=MARKED)
def kept_tensors(profiler):
    """A list keeps 1,228,800 bytes of each step."""
    kept = []

    def remember(_):
        kept.append(torch.zeros(307_200, device="cuda"))

    train(profiler, 12, remember)
    return kept


@recording()
def kept_graphs(profiler):
    """A list keeps each step's loss of a second pass, which nobody frees, and with it what the forward pass computed."""
    losses, model = [], Network().cuda()

    def validate(_):
        losses.append(model(torch.randn(40, 384, device="cuda")).square().mean())

    train(profiler, 12, validate)
    return losses


def batches(count):
    for _ in range(count):
        yield torch.randn(40, 384, device="cuda")


@recording()
def kept_outputs(profiler):
    """A validation keeps each batch's output, graph and all. No product of matrices came before, so cuBLAS gets its workspace there."""
    outputs, model = [], Network().cuda()
    for images in batches(30):
        outputs.append(model(images))
        profiler.step()
    return outputs


@recording()
def healthy(profiler):
    """Every step gives back what it takes."""
    train(profiler, 10, lambda loss: None)


@recording(with_stack=False)
def without_stacks(profiler):
    """The same, seen without Python."""
    train(profiler, 10, lambda loss: None)


@recording(activities=[ProfilerActivity.CPU], schedule=MARKED)
def on_the_host(profiler):
    """A program without a GPU keeps 600,000 bytes of each step."""
    kept = []
    for _ in range(12):
        kept.append(torch.ones(150_000))
        profiler.step()
    return kept


@recording()
def other_thread(profiler):
    """Another thread, which the profiler does not watch, makes what this one lets go of, and more."""
    made = []

    def make():
        made.extend(torch.zeros(102_400 + 512 * len(made), device="cuda") for _ in range(2))

    for _ in range(12):
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        own = torch.zeros(51_200, device="cuda")
        made.pop()
        del own
        profiler.step()
    return made


@recording()
def out_of_memory(profiler):
    """The device has less than what is requested in the end."""
    kept, device = [], torch.cuda.get_device_properties(0).total_memory
    with contextlib.suppress(torch.cuda.OutOfMemoryError):
        while True:
            kept.append(torch.empty(device // 6, dtype=torch.uint8, device="cuda"))
    return kept


@recording(profile_memory=False, with_stack=False)
def no_memory(profiler):
    """A trace for its times alone."""
    train(profiler, 2, lambda loss: None)


# ---- recording ----

def record(name, out):
    torch.backends.cudnn.enabled = False
    function, options = RECORDINGS[name]
    torch.cuda.init()
    torch.cuda.memory._record_memory_history(max_entries=100_000, stacks="python")
    with profile(**options) as profiler:
        kept = function(profiler)  # noqa: F841  alive while the snapshot is taken
        snapshot = torch.cuda.memory._snapshot()
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder, "trace.json")
        profiler.export_chrome_trace(str(trace))
        text = trace.read_text()
    write(out / f"{name}.json.gz", neutral_text(text).encode())
    if name != "no_memory":
        make_neutral(snapshot)
        write(out / f"{name}.pickle.gz", pickle.dumps(snapshot))


def write(path, content):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)


def neutral_text(text):
    """The trace without the names of this machine and of its folders."""
    text = re.sub(r'"(host_name|traceName)": "[^"]*"', r'"\1": ""', text)
    for folder, name in FOLDERS.items():
        text = text.replace(folder, name)
    return text


def make_neutral(snapshot):
    entries = [entry for trace in snapshot["device_traces"] + [snapshot.get("host_traces", [])] for entry in trace]
    segments = snapshot["segments"] + snapshot.get("host_segments", [])
    entries += segments + [block for segment in segments for block in segment["blocks"]]
    frames = {id(frame): frame for entry in entries for frame in entry.get("frames", ())}
    for frame in frames.values():
        for folder, name in FOLDERS.items():
            if frame["filename"].startswith(folder):
                frame["filename"] = name + frame["filename"][len(folder):]


def main():
    if sys.argv[1] == "--inside":
        record(sys.argv[2], pathlib.Path(sys.argv[3]))
        return 0
    out, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(RECORDINGS)
    out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in names:
        ran = subprocess.run([sys.executable, __file__, "--inside", name, str(out.resolve())], capture_output=True, text=True)
        failed += ran.returncode != 0
        print(f"{name}: " + (f"FAILED\n{ran.stderr[-2000:]}" if ran.returncode else f"{(out / f'{name}.json.gz').stat().st_size / 1024:.0f} KiB"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
