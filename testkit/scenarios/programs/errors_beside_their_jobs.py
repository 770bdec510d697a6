"""A runner of jobs notes how each ended; of those that failed it notes the exception, with its frames."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "exception_traceback", "also": ["kept_in_container"], "shown": "exception_traceback", "patched": true, "steps": 160, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 160))


class Runner:
    def __init__(self):
        self.ended = []

    def run(self, name, job):
        try:
            self.ended.append((name, "done", job()))
        except RuntimeError as problem:
            self.ended.append((  # @holder
                name,
                "failed",
                problem,  # @fix repr(problem),
            ))


def denoise(net, number):
    noise = torch.randn(30, 120, device="cuda")  # @site
    clean = net(noise).tanh()  # @site
    if number % 3 == 2:
        raise RuntimeError("not finite")
    return clean.mean().item()


@torch.no_grad()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(120, 240).cuda()
    runner = Runner()
    for number in range(STEPS):
        runner.run(f"job {number}", lambda: denoise(net, number))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
