"""A server that compares each request with the last 200; somebody records 80 requests of a process that has been running for a while."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 80, "recording": "python stacks, begun late"}
# @says from before the recording
STEPS = int(os.environ.get("STEPS", 80))


class Novelty:
    def __init__(self, net, length):
        self.net = net
        self.last = collections.deque(maxlen=length)

    @torch.no_grad()
    def __call__(self, text):
        vector = self.net(text).mean(0)
        if self.last:
            nearest = torch.stack(tuple(self.last)).matmul(vector).amax()
            del nearest
        self.last.append(vector)


def main():
    net = nn.Sequential(nn.Embedding(500, 96), nn.Linear(96, 2100)).cuda()
    novelty = Novelty(net, 200)
    for request in range(200 + STEPS):
        if request == 200:
            torch.cuda.memory._record_memory_history(stacks="python")
        novelty(torch.randint(0, 500, (12,)).cuda())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
