"""An adapter is trained on a frozen model, and merged for a look at the result and unmerged again every ten steps."""
import os

import peft
import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["periodic"], "steps": 50, "library": "peft", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 50))


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(192, 192)
        self.value = nn.Linear(192, 24)

    def forward(self, x):
        return self.value(torch.tanh(self.query(x)))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    model = peft.get_peft_model(Body().cuda(), peft.LoraConfig(r=8, target_modules=["query", "value"]))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad])
    for step in range(STEPS):
        loss = model(torch.randn(16, 192, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            with torch.no_grad():
                model.merge_adapter()
                model(torch.randn(16, 192, device="cuda")).mean().item()
                model.unmerge_adapter()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
