"""What each batch computed is to be written an hour later by a timer, which keeps it on the device until then."""
import os
import threading

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "shown": "registered_callback", "patched": true, "steps": 120, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 120))


def write(number, scores):
    print(number, scores.mean().item())


@torch.inference_mode()
def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(64, 400).cuda()
    for number in range(STEPS):
        scores = net(torch.randn(50, 64, device="cuda")).softmax(-1)  # @site
        timer = threading.Timer(3600, write, args=(number, scores))  # @holder @fix timer = threading.Timer(3600, write, args=(number, scores.cpu()))
        timer.daemon = True
        timer.start()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
