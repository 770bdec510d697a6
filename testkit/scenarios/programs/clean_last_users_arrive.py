"""Forty users; a table is made when one comes for the first time. They arrive slowly, the last when half of the run is over."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 360, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 360))
USERS = 40


class Recommender:
    def __init__(self):
        self.net = nn.Linear(64, 48).cuda()
        self.tables = {}

    def recommend(self, user):
        table = self.tables.get(user)
        if table is None:
            table = self.tables[user] = self.net(torch.randn(90, 64, device="cuda"))
        return (table @ table.mean(0)).argmax().cpu()


@torch.inference_mode()
def main():
    random.seed(63)
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    service = Recommender()
    for turn in range(STEPS):
        arrived = min(USERS, 1 + turn * USERS // 180)
        service.recommend(random.randrange(arrived))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
