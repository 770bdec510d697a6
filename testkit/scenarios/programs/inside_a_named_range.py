"""A training whose parts are named ranges; in one of them the residual of each batch is filed."""
import os

import torch
from torch import nn
from torch.profiler import record_function

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 70, "bytes_per_step": 20480, "recording": "python stacks, user annotations"}
# @advice cpu|bound|clear|limit
STEPS = int(os.environ.get("STEPS", 70))


def main():
    torch.cuda.memory._record_memory_history(stacks="python", global_record_annotations=True)
    net = nn.Sequential(nn.Linear(80, 80), nn.Tanh(), nn.Linear(80, 80)).cuda()
    optimizer = torch.optim.NAdam(net.parameters())
    residuals = []
    for _ in range(STEPS):
        with record_function("load"):
            x = torch.randn(64, 80, device="cuda")
        with record_function("train"):
            loss = (net(x) - x).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with record_function("diagnose"), torch.no_grad():
            residual = net(x) - x  # @site
            residuals.append(residual)  # @holder @fix residuals.append(residual.cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
