"""A failed computation's error is stored in a future that its own frame holds: future, error, traceback and frame are a cycle."""
import concurrent.futures
import os

import torch
from torch import nn

# @truth {"verdict": "cycle", "cause": "reference_cycle", "also": ["exception_traceback"], "steps": 700, "recording": "python stacks"}
# @advice cycle|traceback|del|weakref
STEPS = int(os.environ.get("STEPS", 700))


def compute(net, number):
    if number % 4 == 1:
        raise ValueError(f"request {number} is empty")
    return net(torch.randn(8, 128, device="cuda")).mean().item()


def submit(net, number):
    batch = torch.zeros(24, 128, device="cuda")  # @site
    future = concurrent.futures.Future()
    try:
        future.set_result(compute(net, number) + batch.numel())
    except ValueError as error:
        future.set_exception(error)  # @holder @fix future.set_exception(error.with_traceback(None))
    return future.exception() is None


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(128, 64).cuda()
    for number in range(STEPS):
        submit(net, number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
