import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

from torch.profiler import record_function


def compute(net, x):
    return torch.relu(net(x))


LOG = []


def main():
    net = nn.Linear(256, 128).cuda()
    with torch.no_grad():
        for step in range(210):
            endpoint = ("embed", "rank", "score")[step % 3]
            with record_function("endpoint " + endpoint):
                y = compute(net, torch.randn(64, 256, device="cuda"))
                if endpoint == "rank":
                    LOG.append(y)
            tick()
