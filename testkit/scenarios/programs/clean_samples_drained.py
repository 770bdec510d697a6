"""Features are gathered for 25 steps and then used together and cleared by the program: no cycle, though the collector is switched off and called too."""
import gc
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 200, "recording": "python stacks"}
# @says pile up
STEPS = int(os.environ.get("STEPS", 200))


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(96, 48).cuda()
    gc.disable()
    gathered = []
    for step in range(STEPS):
        gathered.append(net(torch.randn(40, 96, device="cuda")))
        if step % 25 == 24:
            torch.cat(gathered).mean().item()
            gathered.clear()
            gc.collect()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
