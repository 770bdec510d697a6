"""Whatever waits is served in one batch; how large it is depends on the moment."""
import collections
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "input_size", "steps": 200}


class Server:
    def __init__(self):
        self.model = Mlp(448, 3, 80).cuda()
        self.waiting = collections.deque()

    def arrive(self, count):
        self.waiting.extend([0.0] * 448 for _ in range(count))

    def serve(self):
        batch = [self.waiting.popleft() for _ in range(min(96, len(self.waiting)))]
        return self.model(torch.tensor(batch, device="cuda")).softmax(-1).cpu()


def main():
    random.seed(83)
    server = Server()
    served = 0
    with torch.inference_mode():
        while served < 200:
            server.arrive(int(random.paretovariate(1.1) * 4) + 1)
            server.serve()
            served += 1
