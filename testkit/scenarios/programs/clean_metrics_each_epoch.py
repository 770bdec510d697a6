"""Two metrics that keep all scores are computed and reset at the end of each epoch; epochs have different lengths."""
import os

import torch
import torchmetrics
import torchmetrics.classification
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 105, "library": "torchmetrics", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 105))
EPOCHS = (12, 20, 16, 26, 14, 17)


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(48, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
    scores = torchmetrics.CatMetric(nan_strategy="disable").cuda()
    auroc = torchmetrics.classification.BinaryAUROC(validate_args=False).cuda()
    for epoch in range(STEPS * len(EPOCHS) // sum(EPOCHS)):
        for _ in range(EPOCHS[epoch % len(EPOCHS)]):
            guess = net(torch.randn(512, 48, device="cuda")).squeeze(-1)
            scores.update(guess)
            auroc.update(guess, torch.ones(512, dtype=torch.long, device="cuda"))
        scores.compute()
        scores.reset()
        auroc.reset()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
