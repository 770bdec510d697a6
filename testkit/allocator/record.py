"""Records what the real caching allocator does for programs and settings that are drawn at random.

    python record.py SEED OUT            writes OUT.pickle.gz (the snapshot) and OUT.json (settings, limits, memory_stats)
    python record.py SEED OUT --conf C   the same program under PYTORCH_CUDA_ALLOC_CONF=C instead of the settings drawn

Needs a GPU, or a stand-in that hands out addresses. The same seed is the same program, whatever the settings: a model of the allocator that
is fed with the recording of one run can be asked what another would be like, and be held to it.
"""

import argparse
import gzip
import json
import os
import random

MIB = 1 << 20

PROGRAMS = ["churn", "train", "decode", "streams", "exhaust"]


def draw_settings(rng, program):
    """Settings that PyTorch accepts together, as (conf, fraction)."""
    conf = []
    if rng.random() < 0.4:
        conf.append("expandable_segments:True")
    else:
        if rng.random() < 0.5:
            conf.append(f"max_split_size_mb:{rng.choice([32, 64, 128, 256])}")
        if rng.random() < 0.2:
            conf.append(f"max_non_split_rounding_mb:{rng.choice([32, 64])}")
    if rng.random() < 0.4:
        conf.append(rng.choice([
            "roundup_power2_divisions:4",
            "roundup_power2_divisions:8",
            "roundup_power2_divisions:[256:1,512:2,>:8]",
            "roundup_power2_divisions:[1:4,64:8,>:2]",
        ]))
    fraction = None
    if program == "exhaust" and rng.random() < 0.5:
        fraction = rng.choice([0.6, 0.8, 0.9])
        if rng.random() < 0.7:
            conf.append(f"garbage_collection_threshold:{rng.choice([0.5, 0.7, 0.9])}")
    return ",".join(conf), fraction


def size(rng):
    """Bytes of a tensor: many small, some large, few very large."""
    kind = rng.random()
    if kind < 0.4:
        return rng.randrange(1, MIB)
    if kind < 0.7:
        return rng.randrange(MIB, 10 * MIB)
    if kind < 0.97:
        return rng.randrange(10 * MIB, 120 * MIB)
    return rng.randrange(120 * MIB, 500 * MIB)


def churn(torch, rng):
    """Tensors of all sizes and lifetimes, with the cache emptied now and then."""
    live = []
    for _ in range(1500):
        if live and (rng.random() < 0.5 or sum(t.numel() for t in live) > 3000 * MIB):
            live.pop(rng.randrange(len(live)))
        else:
            live.append(torch.empty(size(rng), dtype=torch.uint8, device="cuda"))
        if rng.random() < 0.005:
            torch.cuda.empty_cache()
    return live


def train(torch, rng):
    """A network whose batches vary, with a validation of other shapes every few steps."""
    width = rng.choice([512, 1024, 2048])
    layers = [torch.nn.Linear(width, width, device="cuda") for _ in range(rng.randrange(4, 10))]
    model = torch.nn.Sequential(*[m for layer in layers for m in (layer, torch.nn.GELU())])
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(25):
        batch = rng.randrange(64, 4096)
        loss = model(torch.empty(batch, width, device="cuda")).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 8 == 7:
            with torch.no_grad():
                model(torch.empty(rng.randrange(4096, 16384), width, device="cuda"))
    return model, optimizer


def decode(torch, rng):
    """Requests whose caches of keys and values grow token by token, by concatenation."""
    for _ in range(12):
        heads = rng.choice([8, 16, 32])
        caches = [torch.empty(1, heads, rng.randrange(16, 600), 128, device="cuda") for _ in range(8)]
        for _ in range(rng.randrange(5, 30)):
            new = torch.empty(1, heads, 1, 128, device="cuda")
            caches = [torch.cat([cache, new], dim=2) for cache in caches]


def streams(torch, rng):
    """Two streams that hand each other tensors."""
    side = torch.cuda.Stream()
    live = []
    for _ in range(1000):
        with torch.cuda.stream(side if rng.random() < 0.5 else torch.cuda.current_stream()):
            tensor = torch.empty(size(rng) // 2 + 1, dtype=torch.uint8, device="cuda")
        if rng.random() < 0.4:
            tensor.record_stream(rng.choice([side, torch.cuda.default_stream()]))
        live.append(tensor)
        if len(live) > 30:
            live.pop(rng.randrange(len(live)))
    return live


def exhaust(torch, rng):
    """Takes more than there is, gives up some of it, and goes on."""
    live = []
    for _ in range(1200):
        try:
            live.append(torch.empty(size(rng), dtype=torch.uint8, device="cuda"))
        except torch.cuda.OutOfMemoryError:
            for _ in range(rng.randrange(1, 20)):
                if live:
                    live.pop(rng.randrange(len(live)))
        if live and rng.random() < 0.3:
            live.pop(rng.randrange(len(live)))
    return live


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("out")
    parser.add_argument("--conf")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    program = PROGRAMS[arguments.seed % len(PROGRAMS)]
    conf, fraction = draw_settings(rng, program)
    if arguments.conf is not None:
        conf = arguments.conf
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = conf

    import torch

    torch.backends.cudnn.enabled = False
    if fraction is not None:
        torch.cuda.set_per_process_memory_fraction(fraction)
    torch.cuda.memory._record_memory_history(max_entries=100_000, context=None)
    kept = globals()[program](torch, rng)
    stats = {
        key: value
        for key, value in torch.cuda.memory_stats().items()
        if isinstance(value, int) and (value or key.endswith("peak"))
    }
    snapshot = torch.cuda.memory._snapshot()
    with gzip.GzipFile(arguments.out + ".pickle.gz", "wb", mtime=0) as file:
        import pickle

        pickle.dump(snapshot, file, protocol=4)
    with open(arguments.out + ".json", "w") as file:
        total = torch.cuda.mem_get_info()[1]
        json.dump(
            {"torch": torch.__version__, "program": program, "seed": arguments.seed, "settings": conf,
             "fraction": fraction, "total": total, "stats": stats},
            file, indent=1)
        file.write("\n")
    del kept


if __name__ == "__main__":
    main()
