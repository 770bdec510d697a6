"""A queue of inputs that was filled before the recording is worked off, one input a step, while the scores of each step stay."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["something_keeps_it"], "bytes_per_step": 8192, "steps": 60,
# @truth  "recording": "python stacks, begun late"}
STEPS = int(os.environ.get("STEPS", 60))


def main():
    net = nn.Sequential(nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 64)).cuda()
    queue = [torch.randn(32, 256, device="cuda") for _ in range(STEPS)]
    torch.cuda.memory._record_memory_history(stacks="python")
    scores = []
    while queue:
        with torch.no_grad():
            result = net(queue.pop())
            score = result.softmax(1)  # @site
        scores.append(score)  # @fix scores.append(score.cpu())
        del result, score
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
