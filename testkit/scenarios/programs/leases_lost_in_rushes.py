"""Clients come in rushes and lease a workspace from a stock. Those whose connection breaks never bring it back."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["unbounded_cache"], "steps": 320, "recording": "all stacks"}
# @advice bound|return|give|clear|free|limit
STEPS = int(os.environ.get("STEPS", 320))


class Stock:
    def __init__(self):
        self.idle = []
        self.leases = {}

    def lease(self, client):
        space = self.idle.pop() if self.idle else torch.zeros(20, 160, device="cuda")  # @site
        self.leases[client] = space  # @holder
        return space

    def bring_back(self, client):
        self.idle.append(self.leases.pop(client))


@torch.inference_mode()
def main():
    random.seed(12)
    torch.cuda.memory._record_memory_history()
    net = nn.Linear(160, 160).cuda()
    stock, present, number, rush = Stock(), {}, 0, False
    for _ in range(STEPS):
        net(torch.ones(2, 160, device="cuda")).mean().item()
        rush = random.random() < (0.85 if rush else 0.06)
        if rush and len(present) < 8:
            number += 1
            stock.lease(number).add_(1)
            present[number] = random.randint(3, 12)
        for client in list(present):
            present[client] -= 1
            if present[client] == 0:
                del present[client]
                if random.random() < 0.5:  # @fix if True:
                    stock.bring_back(client)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
