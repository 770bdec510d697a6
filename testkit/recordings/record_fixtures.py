#!/usr/bin/env python3
"""Records the small snapshots in core/src/test/resources/snapshots, by the PyTorch that runs this, on the GPUs that it sees.

    record_fixtures.py OUT_DIR [NAME ...]     (default: all; needs two GPUs of 4 GB or stand-ins for them, and g++ for cpp_writer)

Each fixture is a function below, called in a process of its own because the allocator remembers; its file is gzip of what PyTorch wrote.
File names in frames are made neutral: this file is /app/record_fixtures.py, packages are under /venv/site-packages."""
import ctypes
import gzip
import json
import os
import pathlib
import pickle
import pickletools
import re
import subprocess
import sys
import sysconfig
import tempfile
import time

import torch
from torch import nn
from torch.profiler import record_function
from torch.utils.checkpoint import checkpoint

MIB = 2**20
FOLDERS = {str(pathlib.Path(__file__).resolve().parent): "/app", sysconfig.get_paths()["purelib"]: "/venv/site-packages",
           sysconfig.get_paths()["stdlib"]: "/usr/lib/python3"}
FIXTURES = {}  # name: (function, suffix of its file, microseconds that an event takes)
# The environment variable through which a stand-in for a GPU, which runs no kernels, is told how slow to be; a real one is slow by itself.
SLOW_EVENTS = os.environ.get("SLOW_EVENTS_VARIABLE")


def fixture(suffix="pickle", name=None, slow_events_us=0):
    """The decorated function returns a snapshot, or the bytes of the file, and is the fixture of its name."""
    def register(function):
        FIXTURES[name or function.__name__] = function, suffix, slow_events_us
        return function
    return register


def record(**options):
    torch.cuda.memory._record_memory_history(**{"max_entries": 100_000, "stacks": "python", **options})


def snapshot():
    """What torch.cuda.memory._dump_snapshot() would pickle, with neutral paths. Frames are shared objects, and stay so."""
    taken = torch.cuda.memory._snapshot()
    segments = taken["segments"] + taken["host_segments"]
    holders = segments + [block for segment in segments for block in segment["blocks"]]
    holders += [event for trace in taken["device_traces"] + [taken["host_traces"]] for event in trace]
    frames = {id(frame): frame for holder in holders for frame in holder.get("frames", ())}
    for frame in frames.values():
        frame["filename"] = neutral(frame["filename"])
    return taken


def neutral(path):
    for folder, name in FOLDERS.items():
        if path.startswith(folder):
            return name + path[len(folder):]
    return re.sub(r"^/.*/Python-3[.0-9]+/", "/usr/src/python3/", path)  # the interpreter's own C frames


# ---- what the recorded programs do ----

class Network(nn.Module):
    def __init__(self, width=1024, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


def mebibytes(count, device="cuda"):
    return torch.empty(count * MIB, dtype=torch.uint8, device=device)


def batch(size=512):
    return torch.randn(size, 1024, device="cuda")


def train(steps=2):
    model = Network().cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        loss = model(batch()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, optimizer, loss


def few_blocks():
    """Small and large blocks, one freed and cached; one segment is given back; sizes that no other code asks for."""
    kept = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in (7, 513, 100_003, 1_048_577, 5 * MIB + 1, 21 * MIB + 3)]
    del kept[2]
    gone = mebibytes(40)
    del gone
    torch.cuda.empty_cache()
    return kept


# ---- writers and containers ----

def training(**options):
    record(**options)
    kept = train()  # noqa: F841  alive while the snapshot is taken
    return snapshot()


for protocol in range(6):
    fixture(name=f"protocol_{protocol}")(lambda protocol=protocol: pickle.dumps(training(), protocol))


@fixture()
def bare_list():
    """torch.cuda.memory_snapshot(): segments alone, the shape of a snapshot of torch 1.13."""
    record()
    kept = few_blocks()  # noqa: F841
    return snapshot()["segments"]


@fixture("json")
def json_dump():
    return json.dumps(training()).encode()


@fixture("html")
def memory_viz():
    return torch.cuda._memory_viz.trace_plot(training()).encode()


CPP_WRITER = r"""
#include <cstring>
#include <string>
namespace torch::cuda { std::string _memory_snapshot_pickled(); }
extern "C" size_t snapshot_pickled(char *to, size_t room) {
    static std::string bytes;
    if (!to) bytes = torch::cuda::_memory_snapshot_pickled();
    else memcpy(to, bytes.data(), room);
    return bytes.size();
}
"""


@fixture()
def cpp_writer():
    """The writer for C++ programs has no Python name; a shim calls it."""
    record()
    kept = train(), few_blocks()  # noqa: F841
    libraries = pathlib.Path(torch.__file__).parent / "lib"
    with tempfile.TemporaryDirectory() as folder:
        source, shim = pathlib.Path(folder, "shim.cpp"), pathlib.Path(folder, "shim.so")
        source.write_text(CPP_WRITER)
        subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", source, "-o", shim, f"-L{libraries}", "-l:libtorch_cuda.so",
                        f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"], check=True)
        call = ctypes.CDLL(str(shim)).snapshot_pickled
    call.argtypes, call.restype = (ctypes.c_char_p, ctypes.c_size_t), ctypes.c_size_t
    room = ctypes.create_string_buffer(call(None, 0))
    call(room, len(room))
    return neutral_strings(room.raw)


def neutral_strings(stream):
    """Rewrites file names in a protocol 2 stream: no offsets in it, so a string may change its length."""
    pieces, done = [], 0
    for opcode, value, position in pickletools.genops(stream):
        if opcode.name == "BINUNICODE" and neutral(value) != value:
            text = neutral(value).encode()
            pieces += [stream[done:position], b"X", len(text).to_bytes(4, "little"), text]
            done = position + 5 + len(value.encode())
    return b"".join(pieces) + stream[done:]


# ---- what is recorded of each event ----

for context in (None, "state", "alloc", "all"):
    fixture(name=f"context_{str(context).lower()}")(lambda context=context: training(context=context))


@fixture()
def stacks_all():
    """C++ frames; the first backward() is given its gradient, so that no event of it has a Python frame."""
    record(stacks="all")
    model = Network(depth=1).cuda()
    scores = model(batch())
    scores.backward(gradient=torch.ones_like(scores))
    model(batch()).square().mean().backward()
    return snapshot()


@fixture()
def skipped_actions():
    record(skip_actions=["free_completed"])
    kept = train()  # noqa: F841
    return snapshot()


@fixture()
def notes():
    """User metadata, an annotated tensor, snapshot events."""
    record()
    torch.cuda.memory._set_memory_metadata("loading")
    weights = mebibytes(12)
    torch.cuda.memory._set_memory_metadata("")
    torch.cuda.memory._annotate_tensor(weights, "weights of the encoder")
    torch.cuda.memory._snapshot()
    kept = mebibytes(3)  # noqa: F841
    return snapshot()


# ---- the recording's window ----

@fixture()
def late_start():
    """Blocks older than the recording, some of them freed in it."""
    old = [mebibytes(count) for count in (3, 5, 7, 11)]
    record()
    del old[1]
    new = [mebibytes(count) for count in (2, 13)]
    del old[0], new[0]
    return snapshot()


@fixture()
def ring_wrapped():
    record(max_entries=200)
    kept = train(4)  # noqa: F841
    return snapshot()


@fixture()
def ring_grown():
    """The ring was made larger after it had wrapped: events are out of order in the file."""
    record(max_entries=40)
    kept = [mebibytes(1 + i % 7) for i in range(60)]
    record(max_entries=90)
    del kept[::3]
    kept += [mebibytes(2) for _ in range(9)]
    return snapshot()


# ---- annotations and backward calls ----

@fixture()
def annotations():
    """record_function ranges as a profiler's user writes them. The gradient is given to backward(), so that only they explain its memory."""
    record()
    model = Network().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(3):
        with record_function(f"ProfilerStep#{step}"):
            with record_function("forward"):
                scores = model(batch())
                gradient = torch.ones_like(scores)
            with record_function("backward"):
                scores.backward(gradient)
            optimizer.step()
            optimizer.zero_grad()
    return snapshot()


def checkpointed(use_reentrant):
    """Activations recomputed in autograd's thread: Python frames in the middle of a backward call."""
    record()
    model = Network(depth=4).cuda()
    for _ in range(2):
        x = batch().requires_grad_()
        for layer in model.layers:
            x = checkpoint(lambda y, layer=layer: torch.relu(layer(y)), x, use_reentrant=use_reentrant)
        model.head(x).square().mean().backward()
    return snapshot()


fixture(name="checkpointed")(lambda: checkpointed(use_reentrant=False))
fixture(name="checkpointed_reentrant")(lambda: checkpointed(use_reentrant=True))


# ---- the allocator's features ----

@fixture(PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True")
def expandable():
    record()
    kept = train(), few_blocks()  # noqa: F841
    return snapshot()


@fixture(PYTORCH_CUDA_ALLOC_CONF="roundup_power2_divisions:[1:4,256:8,>:2]")
def roundup():
    record()
    kept = [torch.empty(size, dtype=torch.uint8, device="cuda") for size in (900, 1_228_800, 1_331_200, 5_242_881, 314_572_801)]
    del kept[1], kept[3]
    return snapshot()


@fixture()
def oom():
    """A limit of 256 MiB, pieces that cannot be given back, and a request that would have fitted into what lies between them."""
    torch.cuda.set_per_process_memory_fraction(256 * MIB / torch.cuda.mem_get_info()[1])
    record()
    pieces = [mebibytes(5) for _ in range(48)]
    del pieces[1::2]
    try:
        mebibytes(64)
    except torch.cuda.OutOfMemoryError:
        return snapshot()


@fixture(slow_events_us=200_000)
def record_stream():
    """Frees that wait for another stream: some complete late, the last one not before the snapshot."""
    record()
    side = torch.cuda.Stream()
    blocks = [mebibytes(count) for count in (3, 5, 9)]
    with torch.cuda.stream(side):
        torch.cuda._sleep(10**8)
        blocks += [mebibytes(6), mebibytes(17)]
    blocks[0].record_stream(side)
    blocks[1].record_stream(side)
    del blocks[:2]
    blocks.append(mebibytes(4))
    time.sleep(0.3)
    blocks.append(mebibytes(8))
    with torch.cuda.stream(side):
        torch.cuda._sleep(10**10)
    blocks[0].record_stream(side)
    del blocks[0]
    return snapshot()


@fixture(slow_events_us=60_000_000)
def all_frees_pending():
    """No free_completed in the whole trace, though nothing was skipped: the freed block is still held."""
    record()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        torch.cuda._sleep(10**10)
    block, kept = mebibytes(9), mebibytes(2)  # noqa: F841
    block.record_stream(side)
    del block
    return snapshot()


@fixture()
def mem_pool():
    record()
    pool, outside = torch.cuda.MemPool(), mebibytes(3)  # noqa: F841
    with torch.cuda.use_mem_pool(pool):
        inside = [mebibytes(count) for count in (4, 25)]
        del inside[0]
    return snapshot()


@fixture()
def two_devices():
    record()
    first = [mebibytes(count, "cuda:0") for count in (2, 7)]
    second = [mebibytes(count, "cuda:1") for count in (3, 12, 30)]
    with torch.cuda.device(1), record_function("on the second"):
        second.append(mebibytes(6))
    del first[0], second[2]
    return snapshot()


@fixture()
def pinned_host():
    record(record_pinned_host_memory=True)
    kept = [torch.empty(5 * MIB, dtype=torch.uint8, pin_memory=True), mebibytes(2)]  # noqa: F841
    torch.empty(3 * MIB, dtype=torch.uint8, pin_memory=True)
    return snapshot()


def write(out, name):
    function, suffix, _ = FIXTURES[name]
    torch.backends.cudnn.enabled = False
    torch.cuda.init()
    result = function()
    data = result if isinstance(result, bytes) else pickle.dumps(result, protocol=4)
    with open(out / f"{name}.{suffix}.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(data)


def main():
    out, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if names[:1] == ["--here"]:
        return write(out, names[1])
    out.mkdir(parents=True, exist_ok=True)
    for name in names or FIXTURES:
        slow = FIXTURES[name][2]
        environment = dict(os.environ, **({SLOW_EVENTS: str(slow)} if slow and SLOW_EVENTS else {}))
        subprocess.run([sys.executable, __file__, out, "--here", name], env=environment, check=True)
        print(name, (out / f"{name}.{FIXTURES[name][1]}.gz").stat().st_size)


if __name__ == "__main__":
    main()
