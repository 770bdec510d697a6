"""Activations pass from one device to the other through a ring of four buffers that are made when first needed."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 120, "recording": "all stacks, two devices", "gpus": 2}
STEPS = int(os.environ.get("STEPS", 120))


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(max_entries=50_000)
    front, back = nn.Linear(64, 256).to("cuda:0"), nn.Linear(256, 16).to("cuda:1")
    ring = [None] * 4
    for number in range(STEPS):
        hidden = torch.relu(front(torch.randn(48, 64, device="cuda:0")))
        slot = number % len(ring)
        if ring[slot] is None:
            ring[slot] = torch.empty(48, 256, device="cuda:1")
        ring[slot].copy_(hidden, non_blocking=True)
        back(ring[slot]).argmax(-1).cpu()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
