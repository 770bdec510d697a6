"""A thread is started for each job, and its workspace registered so that others can look at it. Threads end; the register keeps their workspaces."""
import os
import threading

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 40960, "recording": "python stacks, threads"}
# @advice bound|drop|clear|limit
STEPS = int(os.environ.get("STEPS", 80))
workspaces = {}


def job(net, number):
    workspace = torch.zeros(40, 256, device="cuda")  # @site
    workspaces[threading.get_ident(), number] = workspace  # @holder
    with torch.inference_mode():
        torch.tanh(net(workspace + number)).sum().item()  # @fix torch.tanh(net(workspace + number)).sum().item(); del workspaces[threading.get_ident(), number]


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(256, 128).cuda()
    for number in range(0, STEPS, 2):
        threads = [threading.Thread(target=job, args=(net, number + part)) for part in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
