"""A compiled model whose answers are collected; the model's lines are those of generated code."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 60, "bytes_per_step": 24576, "recording": "python stacks"}
# @advice cpu|bound|clear|limit
STEPS = int(os.environ.get("STEPS", 60))


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 128)
        self.second = nn.Linear(128, 96)

    def forward(self, x):
        return torch.softmax(self.second(torch.relu(self.first(x))), -1)


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    model = Scorer().cuda().eval()
    compiled = torch.compile(model, backend="aot_eager")
    answers = []
    for _ in range(STEPS):
        answers.append(compiled(torch.randn(64, 64, device="cuda")))  # @site @holder @fix answers.append(compiled(torch.randn(64, 64, device="cuda")).cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
