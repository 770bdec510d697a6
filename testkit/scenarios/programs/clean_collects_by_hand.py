"""A healthy training that calls gc.collect() and empty_cache() after every epoch, because somebody once said so."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["periodic"], "steps": 70, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 70))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(300, 400), nn.ReLU(), nn.Linear(400, 10)).cuda()
    optimizer = torch.optim.Adagrad(net.parameters())
    for _ in range(STEPS // 10):
        curve = []
        for _ in range(10):
            loss = net(torch.randn(16, 300, device="cuda")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            curve.append(loss.detach())
        torch.stack(curve).mean().item()
        curve.clear()
        gc.collect()
        torch.cuda.empty_cache()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
