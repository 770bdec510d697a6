"""A pool of threads serves jobs; each thread makes a workspace of its own at its first job and uses it again."""
import concurrent.futures
import os
import random
import threading

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "also": ["bounded_cache"], "steps": 200, "recording": "python stacks, threads"}
STEPS = int(os.environ.get("STEPS", 200))
local = threading.local()
net = nn.Linear(256, 128)


@torch.inference_mode()
def job(rows):
    if not hasattr(local, "workspace"):
        local.workspace = torch.zeros(64, 256, device="cuda")
    return torch.tanh(net(local.workspace[:rows])).sum().item()


def main():
    random.seed(14)
    net.cuda()
    torch.cuda.memory._record_memory_history(stacks="python")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for _ in range(STEPS // 8):
            list(pool.map(job, [random.randint(1, 64) for _ in range(8)]))
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
