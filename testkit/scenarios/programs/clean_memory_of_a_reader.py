"""A reader attends to the last twenty passages that it has read: each call appends to its memory and drops what is older."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["bounded_cache"], "steps": 110, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 110))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(64, 96)
        self.memory = None

    def forward(self, x):
        h = torch.tanh(self.encode(x))
        self.memory = h if self.memory is None else torch.cat([self.memory, h])[-160:]
        return torch.softmax(h @ self.memory.T, -1) @ self.memory


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    reader = Reader().cuda()
    for _ in range(STEPS):
        reader(torch.randn(8, 64, device="cuda")).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
