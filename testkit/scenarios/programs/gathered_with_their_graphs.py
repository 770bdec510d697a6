"""An evaluation without no_grad() gathers the outputs of all processes; with one process they are what they were, graph and all."""
import os

import accelerate
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 50, "library": "accelerate", "recording": "all stacks"}
# @advice detach|no_grad|inference_mode
STEPS = int(os.environ.get("STEPS", 50))


def evaluate(accelerator, net, loader):
    outputs = []
    for (x,) in loader:
        out = net(x)  # @site
        outputs.append(accelerator.gather(out))  # @holder @fix outputs.append(accelerator.gather(out.detach()).cpu())
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
    return torch.cat(outputs)


def main():
    torch.cuda.memory._record_memory_history(max_entries=200_000)
    accelerator = accelerate.Accelerator()
    net = nn.Sequential(nn.Linear(40, 160), nn.Tanh(), nn.Linear(160, 160), nn.Tanh(), nn.Linear(160, 64))
    loader = DataLoader(TensorDataset(torch.randn(32 * STEPS, 40)), batch_size=32)
    net, loader = accelerator.prepare(net, loader)
    evaluate(accelerator, net, loader)


if __name__ == "__main__":
    main()
