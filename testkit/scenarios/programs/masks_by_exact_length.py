"""An attention mask is made once for every length and kept; lengths of real texts hardly ever repeat."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 200, "recording": "python stacks"}
# @advice bound|limit|lru|maxsize|evict|bucket|round
STEPS = int(os.environ.get("STEPS", 200))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(500, 64)
        self.head = nn.Linear(64, 32)
        self.masks = {}

    def mask(self, length):
        if length not in self.masks:
            self.masks[length] = torch.full((length, length), float("-inf"), device="cuda").triu(1)  # @site @holder @fix self.masks = {length: torch.full((length, length), float("-inf"), device="cuda").triu(1)}
        return self.masks[length]

    def forward(self, tokens):
        x = self.embed(tokens)
        scores = x @ x.transpose(-1, -2) + self.mask(tokens.shape[1])
        return self.head(scores.softmax(-1) @ x)


@torch.no_grad()
def main():
    random.seed(5)
    torch.cuda.memory._record_memory_history(stacks="python", max_entries=200_000)
    model = Encoder().cuda().eval()
    for _ in range(STEPS):
        tokens = torch.zeros(2, random.randint(40, 4000 if random.random() < 0.02 else 420), dtype=torch.long)
        model(tokens.cuda()).sum().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
