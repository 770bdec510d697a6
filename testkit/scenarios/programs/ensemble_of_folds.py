"""Cross-validation: every fold trains a model of its own, and all models stay on the GPU for an ensemble at the end."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["models_kept"], "steps": 72, "every": 8, "recording": "python stacks"}
# @advice cpu|state_dict|disk|save
STEPS = int(os.environ.get("STEPS", 72))


def build():
    return nn.Sequential(nn.Linear(40, 120), nn.ReLU(), nn.Linear(120, 120), nn.ReLU(), nn.Linear(120, 1)).cuda()  # @site


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(8):
        loss = model(torch.randn(64, 40, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    optimizer.zero_grad()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    ensemble = []
    for _ in range(STEPS // 8):
        model = build()
        train(model)
        ensemble.append(model)  # @holder @fix ensemble.append(model.cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
