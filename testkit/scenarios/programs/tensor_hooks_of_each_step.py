"""To see gradients, every step registers a hook on the same weight. Each hook's closure holds the step's activation."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "hook", "also": ["closure"], "steps": 50, "bytes_per_step": 65536, "recording": "python stacks"}
# @advice handle\.remove|remove the hook|\.remove\(\)|register.*once
STEPS = int(os.environ.get("STEPS", 50))


def watch(weight, activation):
    def compare(gradient):
        return gradient * (activation.numel() > 0)
    return weight.register_hook(compare)  # @holder


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    first, second = nn.Linear(128, 256).cuda(), nn.Linear(256, 8).cuda()
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.01)
    for _ in range(STEPS):
        hidden = torch.relu(first(torch.randn(64, 128, device="cuda")))  # @site
        handle = watch(second.weight, hidden.detach())
        loss = second(hidden).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # @fix optimizer.step(); handle.remove()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
