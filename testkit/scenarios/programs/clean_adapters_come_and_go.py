"""Each tenant's adapter is loaded for its requests, and the one that was used longest ago is deleted when there are more than four."""
import os
import random

import peft
import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 50, "library": "peft", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 50))


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(192, 192)
        self.value = nn.Linear(192, 192)

    def forward(self, x):
        return torch.tanh(self.query(x)) * self.value(x)


def config():
    return peft.LoraConfig(r=8, target_modules=["query", "value"])


def serve(model, tenant, recent):
    name = f"tenant{tenant}"
    if name in recent:
        recent.remove(name)
    else:
        model.add_adapter(name, config())
    recent.append(name)
    model.set_adapter(name)
    while len(recent) > 4:
        model.delete_adapter(recent.pop(0))
    return model(torch.randn(8, 192, device="cuda")).mean().item()


@torch.no_grad()
def main():
    random.seed(6)
    torch.cuda.memory._record_memory_history(stacks="python")
    model = peft.get_peft_model(Body().cuda(), config()).eval()
    recent = []
    for _ in range(STEPS):
        serve(model, random.randint(0, 9), recent)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
