"""A stream is decoded with two recurrent states, the slow one at each third frame; nothing is trained, and no_grad is missing."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 90, "recording": "python stacks"}
# @advice detach|no_grad
STEPS = int(os.environ.get("STEPS", 90))


class Decoder(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(40, width), nn.SiLU())
        self.quick = nn.GRUCell(width, width)
        self.calm = nn.GRUCell(width, width)
        self.h = self.c = None
        self.frames = 0

    def frame(self, chunk):
        x = self.embed(chunk)  # @site
        self.h = self.quick(x, self.h)  # @site @holder @fix self.h = self.quick(x, self.h).detach()
        if self.frames % 3 == 0:
            self.c = self.calm(self.h, self.c)  # @holder @fix self.c = self.calm(self.h, self.c).detach()
        self.frames += 1
        return (self.h + self.c).argmax(-1)


def main():
    torch.backends.cudnn.enabled = False
    torch.cuda.memory._record_memory_history(stacks="python")
    decoder = Decoder().cuda().eval()
    for _ in range(STEPS):
        decoder.frame(torch.randn(16, 40).cuda()).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
