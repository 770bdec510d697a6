"""Position tables are cached by shape, in an LRU that is larger than the thirty shapes there are: misses become rare, then end."""
import functools
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "bounded_cache", "steps": 330}


@functools.lru_cache(maxsize=64)
def positions(length, width):
    angles = torch.arange(length, device="cuda")[:, None] * torch.ones(width, device="cuda")
    return torch.sin(angles)


def serve(model, length):
    x = torch.randn(length, 256, device="cuda")
    return model(x + positions(length, 256)).argmax(-1).cpu()


def main():
    random.seed(17)
    model = Mlp(256, 2, 32).cuda()
    with torch.inference_mode():
        for _ in range(330):
            serve(model, 32 * random.randint(1, 30))
    main.model = model
