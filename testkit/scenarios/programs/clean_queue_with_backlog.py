"""A loader thread is faster than the model at first and slower later: the queue fills to twenty batches and drains again, three times."""
import os
import queue
import threading

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "also": ["bounded_cache"], "steps": 180, "recording": "python stacks, threads"}
STEPS = int(os.environ.get("STEPS", 180))


class Loader(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.ready = queue.Queue()
        self.asked = queue.Queue()

    def run(self):
        while True:
            for _ in range(self.asked.get()):
                self.ready.put(torch.zeros(48, 256, device="cuda"))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Linear(256, 32).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = Loader()
    loader.start()
    loader.asked.put(1)
    for step in range(STEPS):
        loader.asked.put(2 if step % 60 < 20 else 0 if step % 60 >= 40 else 1)
        x = loader.ready.get()
        loss = net(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
