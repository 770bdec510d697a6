"""Requests wait in a queue until a worker thread serves up to eight at once; answers go back as numbers, a few are remembered."""
import asyncio
import collections
import os
import random

import fastapi
import torch
from fastapi.testclient import TestClient
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 80, "library": "fastapi", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 80))
app = fastapi.FastAPI()
net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10))
remembered = collections.OrderedDict()


@app.post("/score")
async def score(item: int, rows: int):
    if item not in remembered:
        remembered[item] = await asyncio.to_thread(compute, rows)
        if len(remembered) > 12:
            remembered.popitem(last=False)
    remembered.move_to_end(item)
    return {"best": remembered[item].max().item()}


@torch.inference_mode()
def compute(rows):
    return net(torch.randn(rows, 128, device="cuda"))


def main():
    random.seed(9)
    net.cuda()
    torch.cuda.memory._record_memory_history(stacks="python")
    with TestClient(app) as client:
        for _ in range(STEPS):
            client.post("/score", params={"item": int(random.paretovariate(0.6)), "rows": random.choice((8, 24, 40))})
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
