"""The area under the curve is printed every 20 batches; the metric keeps every score since the start, as nobody resets it."""
import os

import torch
import torchmetrics.classification
from torch import nn

# @truth {"verdict": "leak", "cause": "metric_not_reset", "also": ["kept_in_container"], "steps": 60, "library": "torchmetrics", "recording": "python stacks"}
# @advice reset\(\)|reset
STEPS = int(os.environ.get("STEPS", 60))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 1)).cuda()
    optimizer = torch.optim.Adam(net.parameters())
    auroc = torchmetrics.classification.BinaryAUROC(validate_args=False).cuda()
    for step in range(STEPS):
        scores = net(torch.randn(512, 48, device="cuda")).squeeze(-1)
        loss = nn.functional.binary_cross_entropy_with_logits(scores, torch.ones(512, device="cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        auroc.update(scores.detach(), torch.ones(512, dtype=torch.long, device="cuda"))  # @site @holder
        if step % 20 == 19:
            print("auroc of", len(auroc.preds), "batches")  # @fix print("auroc of", len(auroc.preds), "batches")\nauroc.reset()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
