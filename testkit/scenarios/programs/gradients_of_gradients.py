"""backward(create_graph=True) for a penalty, and gradients that are never set to None: each gradient carries the graph of all before."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "gradients_accumulate", "also": ["autograd_graph_kept", "backward_results_kept"], "steps": 50, "recording": "all stacks"}
# @advice zero_grad|gradients to None|autograd\.grad|create_graph
STEPS = int(os.environ.get("STEPS", 50))


def main():
    torch.cuda.memory._record_memory_history(max_entries=200_000)
    net = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 16)).cuda()
    for _ in range(STEPS):
        loss = net(torch.randn(64, 32, device="cuda")).square().mean()  # @site
        loss.backward(create_graph=True)  # @site
        with torch.no_grad():
            for weight in net.parameters():
                weight.data.sub_(0.1 * weight.grad)  # @fix weight.data.sub_(0.1 * weight.grad); weight.grad = None
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
