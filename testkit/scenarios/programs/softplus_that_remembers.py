"""A function of autograd keeps its output on its context, recorded without the stacks of frees: the collector frees a part, now and then."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "reference_cycle", "also": ["kept_in_container"], "shown": "context_cycle", "patched": true, "steps": 260, "recording": "python stacks, context of allocations"}
STEPS = int(os.environ.get("STEPS", 260))


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        scale = x.abs().amax()
        out = torch.log1p(torch.exp(x))  # @site
        ctx.scale, ctx.out = scale, out  # @holder @fix ctx.scale = scale; ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, gradient):
        return gradient * (1 - torch.exp(-ctx.out))  # @fix return gradient * (1 - torch.exp(-ctx.saved_tensors[0]))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(64, 64)

    def forward(self, x):
        return Softplus.apply(self.inner(x))


def main():
    torch.cuda.memory._record_memory_history(context="alloc", stacks="python")
    net = nn.Sequential(*(Block() for _ in range(6))).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        loss = net(torch.randn(128, 64, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
