"""A search yields its beams one by one; whoever leaves early closes it and takes it out of the table."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 150, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 150))


def search(net, size):
    beams = net(torch.randn(size, 128, device="cuda"))
    for rank in range(5):
        yield beams[rank].mean().item()


def answer(net, user, patience, table):
    table[user] = beams = search(net, 60)
    try:
        for rank, score in enumerate(beams):
            if rank == patience:
                return score
        return 0.0
    finally:
        table.pop(user).close()


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net, table = nn.Linear(128, 256).cuda(), {}
    for user in range(STEPS):
        answer(net, user, (user * 3) % 8, table)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
