"""Each tenant gets an adapter of its own when it first asks. Tenants come and go; no adapter is ever deleted."""
import os

import peft
import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "adapters_kept", "also": ["kept_in_container"], "steps": 40, "library": "peft", "recording": "python stacks"}
# @advice delete_adapter|adapter
STEPS = int(os.environ.get("STEPS", 40))


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(256, 256)
        self.value = nn.Linear(256, 256)

    def forward(self, x):
        return torch.tanh(self.query(x)) * self.value(x)


def config():
    return peft.LoraConfig(r=16, target_modules=["query", "value"])


def serve(model, tenant):
    name = f"tenant{tenant}"
    if name not in model.peft_config:
        model.add_adapter(name, config())  # @site @holder @fix [model.delete_adapter(old) for old in list(model.peft_config) if old != "default"]; model.add_adapter(name, config())
    model.set_adapter(name)
    return model(torch.randn(8, 256, device="cuda")).mean().item()


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    model = peft.get_peft_model(Body().cuda(), config()).eval()
    for request in range(STEPS):
        with torch.no_grad():
            serve(model, request)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
