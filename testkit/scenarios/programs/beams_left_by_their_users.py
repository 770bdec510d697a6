"""A search yields its beams one by one; users who have seen enough leave, and their search stays in the table of all."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "generator", "also": ["kept_in_container"], "shown": "generator", "patched": true, "steps": 150, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 150))


def search(net, size):
    beams = net(torch.randn(size, 128, device="cuda"))  # @site
    for rank in range(5):
        yield beams[rank].mean().item()


def answer(net, user, patience, table):
    table[user] = beams = search(net, 60)  # @holder
    best = 0.0
    for rank, score in enumerate(beams):
        best = max(best, score)
        if rank == patience:
            return best  # @fix table.pop(user)\n    return best
    table.pop(user)
    return best


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net, table = nn.Linear(128, 256).cuda(), {}
    for user in range(STEPS):
        answer(net, user, (user * 3) % 8, table)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
