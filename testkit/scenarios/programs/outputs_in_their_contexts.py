"""An activation of one's own keeps its output as an attribute of ctx, and the collector is switched off."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["autograd_graph_kept", "context_cycle"], "steps": 60, "bytes_per_step": 131072, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 60))


class Squash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        half = x * 0.5
        bent = torch.tanh(half)
        sign = torch.sign(bent)
        out = sign * bent.abs() * 1.5  # @site
        ctx.x = x
        ctx.out = out  # @holder @fix ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad):
        out = ctx.out  # @fix (out,) = ctx.saved_tensors
        return grad * (1.5 - out.square() / 1.5) + 0 * ctx.x


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return x + self.linear(Squash.apply(x))


def main():
    gc.disable()
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(Block(128), Block(128)).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        loss = net(torch.randn(128, 128, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
