"""Contrastive learning: 40 batches of keys are computed before the first step, and each step replaces the oldest."""
import os

import torch
import torch.nn.functional as F
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 30, "recording": "default stacks"}
STEPS = int(os.environ.get("STEPS", 30))


class Keys:
    def __init__(self, net, count):
        self.net = net
        with torch.no_grad():
            self.batches = [F.normalize(net(torch.randn(16, 60, device="cuda"))) for _ in range(count)]

    @torch.no_grad()
    def renew(self, batch):
        fresh = F.normalize(self.net(batch))
        self.batches.pop(0)
        self.batches.append(fresh)


def main():
    torch.cuda.memory._record_memory_history()
    query, key = nn.Linear(60, 72).cuda(), nn.Linear(60, 72).cuda()
    optimizer = torch.optim.SGD(query.parameters(), lr=0.1)
    keys = Keys(key, 40)
    for _ in range(STEPS):
        batch = torch.randn(16, 60, device="cuda")
        scores = F.normalize(query(batch)).matmul(torch.cat(keys.batches).T)
        loss = scores.logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        keys.renew(batch)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
