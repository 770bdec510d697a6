#!/usr/bin/env python3
"""Records the small files with figures in core/src/test/resources/figures, by the PyTorch that runs this, on the GPU that it sees.

    record_figures.py OUT_DIR

The same thirty steps, of which each keeps a mebibyte, as PyTorch prints and saves its counters: memory_stats() as JSON lines and as Python prints
it, memory_summary() within a log, and the memory timeline of a profile, in both its forms."""
import gzip
import json
import pathlib
import sys
import tempfile

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

MIB = 2**20
STEPS = 30
SUMMARY_EVERY = 10


def train(out):
    model = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 512)).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    kept, texts = [], {"stats.jsonl": [], "stats.txt": [], "summaries.log": []}
    for step in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(64, 512, device="cuda")).sum().backward()
        optimizer.step()
        kept.append(torch.empty(MIB // 4, device="cuda"))
        stats = torch.cuda.memory_stats()
        texts["stats.jsonl"].append(json.dumps({"step": step, **stats}) + "\n")
        texts["stats.txt"].append(f"step {step} {stats}\n")
        texts["summaries.log"].append(f"step {step} mem {torch.cuda.memory_allocated() / MIB:.2f} MiB\n")
        if step % SUMMARY_EVERY == 0:
            texts["summaries.log"].append(torch.cuda.memory_summary())
    for name, lines in texts.items():
        write(out / (name + ".gz"), "".join(lines))
    write(out / "nested_stats.json.gz", json.dumps(torch.cuda.memory_stats_as_nested_dict()))


def profiled(out):
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True, with_stack=True) as profiler:
        for _ in range(2):
            nn.Linear(512, 512)(torch.randn(64, 512)).sum().backward()
    with tempfile.TemporaryDirectory() as folder:
        for name in "timeline.json", "timeline.raw.json.gz":
            file = pathlib.Path(folder) / name
            profiler.export_memory_timeline(str(file), device="cpu")
            content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
            write(out / (name.removesuffix(".gz") + ".gz"), content.decode())


def write(file, text):
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    train(folder)
    profiled(folder)
