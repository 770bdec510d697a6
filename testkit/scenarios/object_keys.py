"""A cache that evicts when it has seen more than sixteen texts. There are twelve; but its keys are request objects, and each is new."""
import random
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "unbounded_cache", "steps": 220, "bytes_per_step": 73728}
TEXTS = [f"text {i}" for i in range(12)]


class Request:
    def __init__(self, text):
        self.text = text


class Cache:
    def __init__(self, most):
        self.entries = {}
        self.texts = set()
        self.most = most

    def get(self, request, make):
        if request not in self.entries:
            self.entries[request] = make(request)  # @holder
            self.texts.add(request.text)
        if len(self.texts) > self.most:
            self.entries.clear()
            self.texts.clear()
        return self.entries[request]


class Server:
    def __init__(self):
        self.model = mlp(384, 2, 288).cuda()
        self.cache = Cache(16)

    def encode(self, request):
        tokens = torch.randn(64, 384, device="cuda")
        return self.model(tokens)  # @site

    @torch.inference_mode()
    def handle(self, request):
        return self.cache.get(request, self.encode).amax().item()


def main():
    random.seed(31)
    server = Server()
    for _ in range(220):
        server.handle(Request(random.choice(TEXTS)))
    main.server = server
