"""As clean_history_longer_than_the_window, but every fifth vector is also kept for a review that never comes."""
import collections
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["something_keeps_it"], "bytes_per_step": 1740.8, "steps": 80,
# @truth  "recording": "python stacks, begun late"}
STEPS = int(os.environ.get("STEPS", 80))


class Novelty:
    def __init__(self, net, length):
        self.net = net
        self.last = collections.deque(maxlen=length)
        self.flagged = []
        self.count = 0

    @torch.no_grad()
    def __call__(self, text):
        vector = self.net(text).mean(0)  # @site
        if self.last:
            nearest = torch.stack(tuple(self.last)).matmul(vector).amax()
            del nearest
        self.last.append(vector)
        self.count += 1
        if self.count % 5 == 0:
            self.flagged.append(vector)  # @fix self.flagged.append(vector.cpu())


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
