"""A workspace is as large as the largest request so far; a larger one replaces it, ever more rarely."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "also": ["bounded_cache", "input_size"], "steps": 220, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 220))


class Ranker:
    def __init__(self):
        self.net = nn.Linear(128, 16).cuda()
        self.workspace = torch.empty(0, 128, device="cuda")

    def rank(self, rows):
        if rows > len(self.workspace):
            self.workspace = torch.empty(rows, 128, device="cuda")
        return self.net(self.workspace[:rows].normal_()).argmax(-1).cpu()


@torch.inference_mode()
def main():
    random.seed(91)
    torch.cuda.memory._record_memory_history(stacks="python")
    ranker = Ranker()
    for _ in range(STEPS):
        ranker.rank(int(40 * random.lognormvariate(0, 0.6)) + 1)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
