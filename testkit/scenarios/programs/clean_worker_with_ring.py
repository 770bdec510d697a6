"""A worker process answers over a pipe and remembers its last thirty answers."""
import collections
import multiprocessing
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "bounded_cache", "steps": 120, "recording": "all stacks, in a worker process"}
STEPS = int(os.environ.get("STEPS", 120))


@torch.inference_mode()
def work(pipe):
    torch.cuda.memory._record_memory_history(max_entries=50_000)
    net = nn.Linear(64, 96).cuda()
    answers = collections.deque(maxlen=30)
    while (number := pipe.recv()) is not None:
        answers.append(net(torch.randn(32, 64, device="cuda")))
        pipe.send(answers[-1].mean().item() + number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


def main():
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,))
    process.start()
    for number in range(STEPS):
        ours.send(number)
        ours.recv()
    ours.send(None)
    process.join()


if __name__ == "__main__":
    main()
