"""Answers are as large as the memory of two dozen, and all are kept in the function that computes them; the snapshot is written when the error comes."""
import os

import torch

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 1, "recording": "python stacks"}
# @advice bound|clear|cpu|limit
STEPS = int(os.environ.get("STEPS", 1))


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    maps = []
    try:
        while True:
            x = torch.randn(16_384, 64, device="cuda")
            maps.append(x @ x.T)  # @site @holder
    except torch.cuda.OutOfMemoryError:
        torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
