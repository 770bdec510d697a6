"""A service enters autocast once, when it starts. Each request tunes a prompt of its own; autocast's cache keeps the half-precision copy of each."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "autocast_cache", "steps": 70, "recording": "all stacks"}
# @advice cache_enabled|clear_autocast_cache|autocast
STEPS = int(os.environ.get("STEPS", 70))


def serve(net):
    prompt = torch.zeros(96, 256, device="cuda", requires_grad=True)  # @site
    scores = net(torch.randn(16, 96, device="cuda") @ prompt)  # @site
    scores.square().mean().backward()  # @site
    return prompt.grad.mean().item()


def main():
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(256, 8).cuda().requires_grad_(False)
    with torch.autocast("cuda", torch.bfloat16):  # @holder @fix with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
        for _ in range(STEPS):
            serve(net)  # @site
        torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
