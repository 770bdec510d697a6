"""A background task computes what a client ordered and stores it under a ticket. Few clients come back for theirs."""
import os
import random

import fastapi
import torch
from fastapi.testclient import TestClient
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["unbounded_cache"], "steps": 75, "library": "fastapi", "recording": "python stacks"}
# @advice bound|limit|expire|cpu|clear
STEPS = int(os.environ.get("STEPS", 75))
app = fastapi.FastAPI()
net = nn.Sequential(nn.Linear(96, 128), nn.ReLU(), nn.Linear(128, 192))
finished = {}


@torch.inference_mode()
def compute(ticket, rows):
    result = net(torch.randn(rows, 96, device="cuda"))  # @site
    finished[ticket] = result  # @holder @fix finished[ticket] = result.cpu()


@app.post("/order/{ticket}")
def order(ticket: int, tasks: fastapi.BackgroundTasks):
    tasks.add_task(compute, ticket, 16)
    return {"ticket": ticket}


@app.get("/fetch/{ticket}")
def fetch(ticket: int):
    result = finished.pop(ticket, None)
    return {"best": None if result is None else result.max().item()}


def main():
    random.seed(19)
    net.cuda()
    torch.cuda.memory._record_memory_history(stacks="python")
    with TestClient(app) as client:
        for ticket in range(STEPS):
            client.post(f"/order/{ticket}")
            if random.random() < 0.2:
                client.get(f"/fetch/{ticket}")
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
