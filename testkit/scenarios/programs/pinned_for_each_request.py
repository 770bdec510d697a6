"""A gateway stages each request in pinned host memory and files the staging buffer with the request's record."""
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["host_copies_kept"], "steps": 120, "bytes_per_step": 131072, "recording": "pinned host memory"}
# @advice pin|reuse|bound|clear|drop
STEPS = int(os.environ.get("STEPS", 120))


class Gateway:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 16)).cuda().eval()
        self.records = []

    def serve(self, number):
        staged = torch.empty(64, 512, pin_memory=True)  # @site
        answer = self.net(staged.to("cuda", non_blocking=True)).argmax(-1).cpu()
        self.records.append({"request": number, "input": staged})  # @holder @fix self.records.append({"request": number})
        return answer


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python", record_pinned_host_memory=True)
    gateway = Gateway()
    for number in range(STEPS):
        gateway.serve(number)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
