"""Activations are offloaded to pinned host memory so as to free the device. Nobody ever reads or drops them again."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "host_copies_kept", "also": ["kept_in_container"], "steps": 60, "bytes_per_step": 262144, "recording": "pinned host memory, all stacks"}
# @advice pin|reuse|drop|bound|clear
STEPS = int(os.environ.get("STEPS", 60))


class Offload:
    def __init__(self):
        self.stored = {}

    def store(self, step, name, tensor):
        host = torch.empty(tensor.shape, pin_memory=True)  # @site
        host.copy_(tensor, non_blocking=True)
        self.stored[step, name] = host  # @holder @fix self.stored[name] = host


def main():
    torch.cuda.memory._record_memory_history(record_pinned_host_memory=True, max_entries=100_000)
    first, second = nn.Linear(64, 512).cuda(), nn.Linear(512, 10).cuda()
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.01)
    offload = Offload()
    for step in range(STEPS):
        hidden = torch.relu(first(torch.randn(64, 64, device="cuda")))
        offload.store(step, "hidden", hidden.detach())
        offload.store(step, "weight", first.weight.detach().reshape(64, -1))
        loss = second(hidden).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
