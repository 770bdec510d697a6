"""Vectors of words are kept when first seen. Words are as frequent as in a text, so that new ones become rare and then there are none."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 500, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 500))
WORDS = 48


class Lexicon:
    def __init__(self):
        self.net = nn.Linear(64, 512).cuda()
        self.known = {}

    def vector(self, word):
        if word not in self.known:
            self.known[word] = self.net(torch.full((1, 64), float(word), device="cuda"))
        return self.known[word]


@torch.no_grad()
def main():
    random.seed(21)
    torch.cuda.memory._record_memory_history(stacks="python")
    lexicon = Lexicon()
    frequency = [1 / (rank + 4) for rank in range(WORDS)]
    for _ in range(STEPS):
        words = random.choices(range(WORDS), frequency, k=3)
        torch.cat([lexicon.vector(word) for word in words]).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
