"""Online k-means over a reservoir: the first 240 vectors fill it, each later one takes the place of a random one with a chance that falls."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 110, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 110))


class Reservoir:
    def __init__(self, room):
        self.room = room
        self.seen = 0
        self.vectors = []

    def fill(self, vector):
        self.vectors.append(vector.clone())

    def renew(self, vector):
        place = random.randrange(self.seen)
        if place < self.room:
            self.vectors[place] = vector.clone()

    def take(self, batch):
        for vector in batch:
            self.seen += 1
            (self.fill if self.seen <= self.room else self.renew)(vector)


def main():
    random.seed(1)
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(40, 320), nn.ReLU(), nn.Linear(320, 700)).cuda()
    reservoir = Reservoir(240)
    for _ in range(STEPS):
        with torch.no_grad():
            reservoir.take(net(torch.randn(6, 40, device="cuda")))
        centres = torch.stack(random.sample(reservoir.vectors, 4))
        del centres
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
