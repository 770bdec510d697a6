"""Records one job in three ways at once: what the allocator does, what it says of itself after each step, and what the driver says.

    python record.py OUT      writes OUT/job.pickle.gz (the snapshot), OUT/job.jsonl.gz (memory_stats() after each step), OUT/smi.csv.gz
                              (the device, as nvidia-smi --query-gpu=timestamp,index,memory.used,memory.total writes it) and OUT/apps.csv.gz
                              (the process, as nvidia-smi --query-compute-apps=timestamp,pid,used_memory does)

Needs a GPU, or a stand-in that hands out addresses and reports them through NVML. All three see the same memory, so what is concluded from
each must agree: the same rate, the same peak.
"""

import ctypes
import datetime
import gzip
import json
import multiprocessing
import os
import pickle
import sys
import sysconfig
import time

MIB = 1 << 20
STEPS = 240
# Steps begin by the clock, so that so much a step is so much a second; each is seen by the driver's figures more than once.
STEP_SECONDS = 0.1
SAMPLE_SECONDS = 0.04
# Bytes that each step leaves behind; the allocator rounds them up to 4 MiB, and five of those fill a segment, so that what it reserves
# grows as fast as what it allocates.
KEPT = 4 * MIB - 300
# What a library allocates beside PyTorch, and in which step.
LIBRARY = 96 * MIB
LIBRARY_STEP = 100
FIGURES = ["allocated_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.current", "reserved_bytes.all.peak",
           "active_bytes.all.current", "requested_bytes.all.current", "inactive_split_bytes.all.current", "num_ooms", "num_alloc_retries"]


class Nvml:
    """The few calls of the driver's library that nvidia-smi needs for this."""

    class Memory(ctypes.Structure):
        _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]

    class Process(ctypes.Structure):
        _fields_ = [("pid", ctypes.c_uint), ("used", ctypes.c_ulonglong), ("instance", ctypes.c_uint), ("compute", ctypes.c_uint)]

    def __init__(self):
        self.library = ctypes.CDLL("libnvidia-ml.so.1")
        self.library.nvmlInit_v2()
        self.device = ctypes.c_void_p()
        self.library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device))

    def memory(self):
        memory = self.Memory()
        self.library.nvmlDeviceGetMemoryInfo(self.device, ctypes.byref(memory))
        return memory.used, memory.total

    def processes(self):
        count = ctypes.c_uint(64)
        rows = (self.Process * 64)()
        self.library.nvmlDeviceGetComputeRunningProcesses_v3(self.device, ctypes.byref(count), rows)
        return [(row.pid, row.used) for row in rows[:count.value]]


def sample(out, done):
    """Writes what the driver says until the job is done, in a process of its own, as nvidia-smi would."""
    nvml = Nvml()
    with gzip.open(f"{out}/smi.csv.gz", "wt") as device, gzip.open(f"{out}/apps.csv.gz", "wt") as apps:
        device.write("timestamp, index, memory.used [MiB], memory.total [MiB]\n")
        apps.write("timestamp, pid, used_gpu_memory [MiB]\n")
        while not done.is_set():
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3]
            used, total = nvml.memory()
            device.write(f"{now}, 0, {used // MIB} MiB, {total // MIB} MiB\n")
            for pid, bytes_used in nvml.processes():
                apps.write(f"{now}, {pid}, {bytes_used // MIB} MiB\n")
            done.wait(SAMPLE_SECONDS)


def train(torch, log):
    """A network that trains, and keeps something of every step."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024, device="cuda") for _ in range(6)])
    optimizer = torch.optim.AdamW(model.parameters())
    kept = []
    started = time.time()
    for step in range(STEPS):
        loss = model(torch.empty(512, 1024, device="cuda")).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        kept.append(torch.empty(KEPT, dtype=torch.uint8, device="cuda"))
        del loss
        if step == LIBRARY_STEP:
            ctypes.CDLL(None).cudaMalloc(ctypes.byref(ctypes.c_void_p()), ctypes.c_size_t(LIBRARY))
        stats = torch.cuda.memory_stats()
        row = {"step": step, "time": time.time(), "device": 0}
        row.update({name: stats[name] for name in FIGURES})
        log.write(json.dumps(row) + "\n")
        time.sleep(max(started + (step + 1) * STEP_SECONDS - time.time(), 0))
    return kept


def neutral(snapshot):
    """The snapshot with file names that do not tell where it was recorded."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [(sysconfig.get_path("purelib"), "/venv/site-packages"), (here, "/app"), (sysconfig.get_path("stdlib"), "/usr/lib/python3")]
    frames = [frame for trace in snapshot["device_traces"] for event in trace for frame in event.get("frames", [])]
    frames += [frame for segment in snapshot["segments"] for frame in segment.get("frames", [])]
    frames += [frame for segment in snapshot["segments"] for block in segment["blocks"] for frame in block.get("frames", [])]
    for frame in frames:
        for place, name in places:
            if frame["filename"].startswith(place):
                frame["filename"] = name + frame["filename"][len(place):]
                break
    return snapshot


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    done = multiprocessing.get_context("spawn").Event()
    sampler = multiprocessing.get_context("spawn").Process(target=sample, args=(out, done))
    sampler.start()
    time.sleep(1)

    import torch

    torch.backends.cudnn.enabled = False
    torch.cuda.memory._record_memory_history(max_entries=200_000, stacks="python")
    with gzip.open(f"{out}/job.jsonl.gz", "wt") as log:
        kept = train(torch, log)
    with gzip.GzipFile(f"{out}/job.pickle.gz", "wb", mtime=0) as file:
        pickle.dump(neutral(torch.cuda.memory._snapshot()), file, protocol=4)
    done.set()
    sampler.join()
    del kept


if __name__ == "__main__":
    main()
