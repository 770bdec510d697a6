"""A function of the user's own keeps its output on its context instead of by save_for_backward(): graph and output hold each other."""
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "steps": 350, "recording": "python stacks"}
# @advice save_for_backward|ctx|cycle
STEPS = int(os.environ.get("STEPS", 350))


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.nn.functional.silu(x)  # @site
        ctx.y = y  # @holder @fix ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        y = ctx.y  # @fix y = ctx.saved_tensors[0]
        return gradient * y


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(64, 256).cuda()
    for _ in range(STEPS):
        Swish.apply(net(torch.randn(32, 64, device="cuda"))).mean().item()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
