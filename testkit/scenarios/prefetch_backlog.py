"""A loader thread moves batches to the GPU a third faster than the model uses them, and the queue between them has no limit."""
import queue
import threading
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "unbounded_queue", "steps": 180}


class Loader(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.ready = queue.SimpleQueue()
        self.pace = threading.Semaphore(0)
        self.ended = False

    def run(self):
        while not self.ended:
            self.pace.acquire()
            batch = torch.zeros(80, 304, device="cuda")  # @site
            self.ready.put(batch)  # @holder
            del batch


def main():
    model = Mlp(304, 2, 24).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = Loader()
    loader.start()
    for step in range(180):
        if step % 3 == 0:
            loader.pace.release(4)
        loss = model(loader.ready.get()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    loader.ended = True
    loader.pace.release()
    loader.join()
    main.loader = loader
