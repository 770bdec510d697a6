"""Three endpoints; the one that explains keeps the features of every request, for a page that shows the last few."""
import os
import random

import fastapi
import torch
from fastapi.testclient import TestClient
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 90, "library": "fastapi", "recording": "all stacks"}
# @advice deque|bound|limit|maxlen|cpu
STEPS = int(os.environ.get("STEPS", 90))
app = fastapi.FastAPI()
net = nn.Sequential(nn.Linear(128, 256), nn.ReLU())
head = nn.Linear(256, 10)
explained = []


@app.get("/classify")
def classify(n: int):
    with torch.inference_mode():
        return head(net(torch.randn(n, 128, device="cuda"))).argmax(-1).tolist()[:2]


@app.get("/embed")
def embed(n: int):
    with torch.inference_mode():
        return net(torch.randn(n, 128, device="cuda")).mean().item()


@app.get("/explain")
def explain(n: int):
    with torch.inference_mode():
        features = net(torch.randn(n, 128, device="cuda"))  # @site
        explained.append(features)  # @holder @fix explained.append(features); del explained[:-5]
        return head(features).max().item()


def main():
    random.seed(3)
    net.cuda()
    head.cuda()
    torch.cuda.memory._record_memory_history()
    with TestClient(app) as client:
        for _ in range(STEPS):
            client.get(random.choice(("/classify", "/embed", "/explain")), params={"n": random.choice((16, 32, 48))})
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
