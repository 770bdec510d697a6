"""Answers are generators, several at a time in turns; each is read to its end and forgotten, while others begin."""
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "also": ["periodic"], "steps": 240, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 240))


def stream(cell, length):
    state = torch.zeros(16, 128, device="cuda")
    for _ in range(length):
        state = torch.tanh(cell(state))
        yield state.sum().item()


@torch.inference_mode()
def main():
    random.seed(52)
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    cell = nn.Linear(128, 128).cuda()
    streams = []
    for _ in range(STEPS):
        if len(streams) < 6:
            streams.append(stream(cell, random.randint(2, 20)))
        turn = random.choice(streams)
        if next(turn, None) is None:
            streams.remove(turn)
        del turn
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
