"""The last 25 features are kept for a moving statistic; a deque drops the oldest by itself."""
import collections
import torch
from lib.nets import Convs

TRUTH = {"verdict": "no_leak", "cause": "bounded_cache", "steps": 260}


def frames(count):
    for _ in range(count):
        yield torch.randn(2, 3, 40, 40, device="cuda")


@torch.no_grad()
def main():
    model = Convs(20, 600).cuda()
    recent = collections.deque(maxlen=25)
    for image in frames(260):
        feature = model(image)
        recent.append(feature)
        torch.stack(tuple(recent)).std(0).amax().item()
    main.recent = recent
