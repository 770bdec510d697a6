"""Twelve jobs that run out of GPU memory, each for a reason of its own, for whatif_runs.py: short_of_memory.py NAME FOLDER RECORDING [SETTINGS...]

Runs the job under each of the allocator's settings, each in a process of its own, and writes what the allocator did as FOLDER/RECORDING.N.pickle; the
first has the stacks. Sizes follow fixed random numbers, so each run requests the same.
"""
import os
import random
import sys

import torch
from torch import nn
from torch.nn import functional

DEVICE = "cuda"


class Decoder(nn.Module):
    """A small language model."""

    def __init__(self, width=768, layers=6, words=16000):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, width // 64, 4 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        return self.head(self.layers(self.embed(tokens)))


def convolutions(width=64, classes=100):
    """A small network for images."""
    parts, inner = [nn.Conv2d(3, width, 3, padding=1), nn.ReLU()], width
    for _ in range(3):
        parts += [nn.Conv2d(inner, 2 * inner, 3, stride=2, padding=1), nn.BatchNorm2d(2 * inner), nn.ReLU()]
        inner *= 2
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inner, classes)).to(DEVICE)


def tokens(batch, length, words=16000):
    return torch.randint(words, (batch, length), device=DEVICE)


def language_step(model, optimizer, batch, length):
    data = tokens(batch, length)
    logits = model(data)
    loss = functional.cross_entropy(logits.flatten(0, 1), data.flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


def language():
    model = Decoder().to(DEVICE)
    return model, torch.optim.AdamW(model.parameters(), 1e-4)


def picture_step(model, optimizer, batch, height, width):
    loss = model(torch.empty(batch, 3, height, width, device="cpu").to(DEVICE)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


def varied_lengths(rng):
    """Texts of any length, padded to the longest of their batch."""
    model, optimizer = language()
    for _ in range(30):
        language_step(model, optimizer, 8, rng.randint(40, 700))


def growing_batches(rng):
    """A batch that grows as the training goes on."""
    model, optimizer = language()
    for step in range(24):
        language_step(model, optimizer, 4 + 2 * step, 192)


def large_and_small(rng):
    """A generator of large pictures and a critic of small pieces by turns."""
    large, small = convolutions(48), convolutions(32)
    first, second = torch.optim.Adam(large.parameters()), torch.optim.Adam(small.parameters())
    for step in range(20):
        picture_step(large, first, 6 + step % 3, 320 + 32 * (step % 4), 320)
        for _ in range(4):
            picture_step(small, second, rng.randint(20, 60), 96, 96)


def streams(rng):
    """Batches that a stream of their own copies ahead, and a side network on a third."""
    model, side = convolutions(48), convolutions(32)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    copying, beside = torch.cuda.Stream(), torch.cuda.Stream()
    for _ in range(25):
        with torch.cuda.stream(copying):
            data = torch.empty(rng.randint(8, 32), 3, 192, 192, device="cpu").to(DEVICE)
        torch.cuda.current_stream().wait_stream(copying)
        data.record_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside), torch.no_grad():
            taught = side(data[: rng.randint(4, 8)])
        torch.cuda.current_stream().wait_stream(beside)
        taught.record_stream(torch.cuda.current_stream())
        loss = model(data).square().mean() + taught.mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def kept_between(rng):
    """Features kept for a memory bank among the temporaries of varied batches."""
    model = convolutions(48)
    bank = []
    for step in range(60):
        with torch.no_grad():
            maps = model[:5](torch.empty(rng.randint(6, 30), 3, 160, rng.choice([160, 192, 256]), device="cpu").to(DEVICE))
            if step % 2:
                bank.append(functional.adaptive_avg_pool2d(maps, rng.randint(8, 40)).clone())
            model[5:](maps)


def cache_of_keys(rng):
    """Requests of varied lengths whose keys and values grow by concatenation."""
    model = Decoder(layers=2).to(DEVICE).half()
    running = []
    with torch.no_grad():
        for request in range(40):
            model(tokens(4, rng.randint(60, 500)))
            running.append([torch.zeros(8, 12, rng.randint(200, 1500), 64, dtype=torch.half, device=DEVICE) for _ in range(24)])
            for _ in range(3):
                for cache in running:
                    for layer, held in enumerate(cache):
                        cache[layer] = torch.cat([held, torch.zeros(8, 12, 32, 64, dtype=torch.half, device=DEVICE)], 2)
            if len(running) > 6:
                running.pop(rng.randrange(len(running)))


def sizes_of_pictures(rng):
    """Detection: pictures of many sizes, and regions cut from them."""
    model = convolutions(40)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for _ in range(25):
        picture_step(model, optimizer, 4, rng.randint(12, 30) * 32, rng.randint(12, 30) * 32)
        with torch.no_grad():
            model(torch.zeros(rng.randint(16, 200), 3, 64, 64, device=DEVICE))


def evaluation(rng):
    """Training that fits, then an evaluation of larger batches that keeps all outputs."""
    model, optimizer = language()
    for _ in range(8):
        language_step(model, optimizer, 8, 256)
    with torch.no_grad():
        kept = [model(tokens(16, rng.randint(100, 500))) for _ in range(40)]
        torch.cat([each.flatten(0, 1) for each in kept])


def resumed(rng):
    """A checkpoint loaded onto the GPU beside the model in the middle of the run, and the average of weights made anew."""
    model, optimizer = language()
    for _ in range(4):
        language_step(model, optimizer, 6, rng.randint(200, 400))
    saved = {name: value.cpu() for name, value in model.state_dict().items()}
    moments = {key: {name: each.cpu() for name, each in state.items()} for key, state in optimizer.state_dict()["state"].items()}
    loaded = {name: value.to(DEVICE) for name, value in saved.items()}
    state = optimizer.state_dict()
    state["state"] = {key: {name: each.to(DEVICE) for name, each in held.items()} for key, held in moments.items()}
    model.load_state_dict(loaded)
    optimizer.load_state_dict(state)
    average = [value.detach().clone() for value in model.parameters()]
    for _ in range(4):
        language_step(model, optimizer, 8, rng.randint(200, 400))
    return average, loaded


def plain_shortage(rng):
    """Steps that are all alike, and a model too large for them."""
    model = Decoder(1024, 12).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    for _ in range(3):
        language_step(model, optimizer, 8, 512)


def kept_graphs(rng):
    """Losses that are kept with their graphs."""
    model = convolutions(48)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    losses = []
    for _ in range(30):
        loss = model(torch.empty(rng.randint(4, 8), 3, 160, 160, device="cpu").to(DEVICE)).square().mean()
        losses.append(loss)
        loss.backward(retain_graph=True)
        optimizer.step()
        optimizer.zero_grad()


def experts(rng):
    """Tokens routed to experts in numbers that differ each time, in bfloat16 under autocast."""
    parts = nn.ModuleList(nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)) for _ in range(8)).to(DEVICE)
    optimizer = torch.optim.AdamW(parts.parameters(), 1e-4)
    for _ in range(25):
        total, loss = 16384, 0.0
        with torch.autocast("cuda", torch.bfloat16):
            for expert in parts:
                count = rng.randint(1, max(2, total // 3))
                total -= count
                loss = loss + expert(torch.zeros(count, 1024, device=DEVICE)).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


JOBS = {job.__name__: job for job in (
    varied_lengths, growing_batches, large_and_small, streams, kept_between, cache_of_keys, sizes_of_pictures, evaluation, resumed, plain_shortage,
    kept_graphs, experts)}


def run(name, path, bare):
    torch.manual_seed(0)
    torch.backends.cudnn.enabled = False
    torch.cuda.memory._record_memory_history(context=None if bare else "all", stacks="python")
    try:
        with torch.device(DEVICE):
            JOBS[name](random.Random(name))
    except torch.OutOfMemoryError:
        torch.cuda.memory._dump_snapshot(path)  # while the error's frames hold what the job held
    else:
        torch.cuda.memory._dump_snapshot(path)


def main():
    name, folder, recording, *settings = sys.argv[1:]
    for number, conf in enumerate(settings):
        path = f"{folder}/{recording}.{number}.pickle"
        child = os.fork()  # CUDA and its allocator begin in the child, and read the settings there
        if child == 0:
            os.environ["PYTORCH_CUDA_ALLOC_CONF"] = conf
            run(name, path + ".part", number > 0)
            os.rename(path + ".part", path)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"{name} failed under {conf}")


if __name__ == "__main__":
    main()
