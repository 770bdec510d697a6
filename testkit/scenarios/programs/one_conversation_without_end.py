"""An agent works in one conversation that never ends: every observation is appended to the cache of both layers, inputs have one size."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 90, "bytes_per_step": 32768, "recording": "all stacks"}
# @advice bound|limit|window|truncat|reset
STEPS = int(os.environ.get("STEPS", 90))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(128, 384)
        self.keys = self.values = None

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        self.keys = k.clone() if self.keys is None else torch.cat([self.keys, k], 1)  # @site @holder @fix self.keys = k.clone() if self.keys is None else torch.cat([self.keys, k], 1)[:, -64:]
        self.values = v.clone() if self.values is None else torch.cat([self.values, v], 1)  # @site @holder @fix self.values = v.clone() if self.values is None else torch.cat([self.values, v], 1)[:, -64:]
        return torch.softmax(q @ self.keys.transpose(-1, -2), -1) @ self.values


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    agent = nn.Sequential(Layer(), Layer()).cuda()
    for _ in range(STEPS):
        agent(torch.randn(4, 4, 128, device="cuda")).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
