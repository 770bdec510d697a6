"""Neighbours are weighted by all likenesses at once; every collection is twice as large as the one before, until one does not fit."""
import os

import torch

# @truth {"verdict": "oom", "cause": "too_large_request", "steps": 1, "recording": "python stacks"}
# @advice smaller|split|chunk|parts
STEPS = int(os.environ.get("STEPS", 1))


def weights(points):
    likenesses = points @ points.T  # @site
    near = torch.exp(likenesses)  # @site
    return near.sum(-1)


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    count = 1024
    try:
        while True:
            weights(torch.randn(count, 16, device="cuda")).mean().item()
            count *= 2
    except torch.cuda.OutOfMemoryError:
        torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
