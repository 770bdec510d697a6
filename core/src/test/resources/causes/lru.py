import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

import functools


@functools.lru_cache(maxsize=None)
def positions(length, scale):
    return torch.arange(length, device="cuda").float()[:, None] * torch.ones(128, device="cuda") * scale


def main():
    net = nn.Linear(128, 8).cuda()
    with torch.no_grad():
        for step in range(150):
            pos = positions(256, 1.0 / (step + 1))
            net(pos).sum()
            tick()
