"""The model lives in a worker process that answers over a pipe and remembers every answer in case it is asked for again."""
import multiprocessing
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["unbounded_cache"], "steps": 100, "bytes_per_step": 12288, "recording": "python stacks, in a worker process"}
# @advice bound|limit|deque|cpu
STEPS = int(os.environ.get("STEPS", 100))


class Worker:
    def __init__(self):
        self.net = nn.Linear(64, 96).cuda()
        self.answers = {}

    def answer(self, number):
        scores = self.net(torch.randn(32, 64, device="cuda"))  # @site
        self.answers[number] = scores  # @holder @fix self.answers = {number: scores}
        return scores.mean().item()


@torch.inference_mode()
def work(pipe):
    torch.cuda.memory._record_memory_history(stacks="python")
    worker = Worker()
    while (number := pipe.recv()) is not None:
        pipe.send(worker.answer(number))
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
