"""Inputs that fail a check raise an error; whoever catches it files the input, not the error, to look at it one day."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 150, "recording": "all stacks"}
# @advice cpu|bound|limit|deque
STEPS = int(os.environ.get("STEPS", 150))
rejected = []


class Rejected(Exception):
    pass


def score(net, features, number):
    if number % 5 in (1, 2):
        raise Rejected(f"request {number} is out of range")
    return net(features).mean().item()


def handle(net, number):
    features = torch.randn(24, 160, device="cuda")  # @site
    try:
        return score(net, features, number)
    except Rejected:
        rejected.append(features)  # @holder @fix rejected.append(features.cpu())
        return None


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Sequential(nn.Linear(160, 80), nn.SiLU(), nn.Linear(80, 4)).cuda()
    for number in range(STEPS):
        handle(net, number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
