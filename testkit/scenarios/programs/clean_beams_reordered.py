"""Beam search: at each word the caches of the beams are reordered and lengthened; sentences end after different numbers of words."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 20, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 20))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 64)
        self.mix = nn.Linear(64, 64)
        self.head = nn.Linear(64, 100)

    def forward(self, words, cache):
        x = self.mix(self.embed(words))
        cache = x if cache is None else torch.cat([cache, x], 1)
        return self.head(torch.softmax(x @ cache.transpose(-1, -2), -1) @ cache), cache


def translate(model, length, beams=4):
    words = torch.zeros(beams, 1, dtype=torch.long, device="cuda")
    cache, best = None, torch.zeros(beams, device="cuda")
    for _ in range(length):
        logits, cache = model(words, cache)
        scores, order = (best[:, None] + logits[:, -1].log_softmax(-1)).flatten().topk(beams)
        best, cache = scores, cache.index_select(0, order // 100)
        words = (order % 100)[:, None]
    return best.max().item()


@torch.inference_mode()
def main():
    random.seed(77)
    torch.cuda.memory._record_memory_history(stacks="python")
    model = Decoder().cuda()
    for _ in range(STEPS):
        translate(model, random.randint(4, 12))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
