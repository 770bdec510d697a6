"""Every fifth request is kept as a sample, and of every other one of those the scores as well: two lists, no error, and nobody reads them."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 200, "recording": "python stacks"}
# @advice bound|clear|cpu|limit
STEPS = int(os.environ.get("STEPS", 200))


class Service:
    def __init__(self):
        self.net = nn.Linear(160, 80).cuda()
        self.samples = []
        self.scores = []

    def answer(self, number):
        x = torch.randn(30, 160, device="cuda")  # @site
        scores = torch.softmax(self.net(x), -1)  # @site
        if number % 5 == 4:
            self.samples.append(x)  # @holder @fix self.samples.append(x.cpu())
        if number % 10 == 4:
            self.scores.append(scores)  # @holder @fix self.scores.append(scores.cpu())
        return scores.amax(-1).mean().item()


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    service = Service()
    for number in range(STEPS):
        service.answer(number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
