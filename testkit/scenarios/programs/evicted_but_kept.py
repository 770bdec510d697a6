"""As clean_reservoir_of_samples, but a vector that is replaced goes to a list of those that were, to draw them at the end."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["something_keeps_it"], "steps": 110, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 110))


class Reservoir:
    def __init__(self, room):
        self.room = room
        self.vectors = []
        self.replaced = []

    def fill(self, vector):
        self.vectors.append(vector.clone())

    def renew(self, vector):
        place = random.randrange(self.room)
        self.replaced.append(self.vectors[place])  # @fix pass
        self.vectors[place] = vector.clone()  # @site

    def take(self, batch):
        for vector in batch:
            (self.fill if len(self.vectors) < self.room else self.renew)(vector)


def main():
    random.seed(1)
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(40, 320), nn.ReLU(), nn.Linear(320, 700)).cuda()
    reservoir = Reservoir(120)
    for _ in range(STEPS):
        with torch.no_grad():
            reservoir.take(net(torch.randn(6, 40, device="cuda")))
        centres = torch.stack(random.sample(reservoir.vectors, 4))
        del centres
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
