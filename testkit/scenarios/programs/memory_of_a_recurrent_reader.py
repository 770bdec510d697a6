"""A reader attends to all that it has read so far: each call appends to its memory, and nobody tells it where a book ends."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 110, "recording": "python stacks"}
# @advice bound|limit|window|truncat|reset
STEPS = int(os.environ.get("STEPS", 110))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(64, 96)
        self.memory = None

    def forward(self, x):
        h = torch.tanh(self.encode(x))
        self.memory = h if self.memory is None else torch.cat([self.memory, h])  # @site @holder @fix self.memory = h if self.memory is None else torch.cat([self.memory, h])[-160:].clone()
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
