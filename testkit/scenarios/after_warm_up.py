"""Masks are cached for fifteen sizes and then no more are made; later, when auditing begins, every request leaves its scores."""
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 280}


class Service:
    def __init__(self):
        self.model = mlp(256, 2, 200).cuda()
        self.masks = {}
        self.audit = None

    def mask(self, size):
        if size not in self.masks:
            self.masks[size] = torch.ones(size, 200, device="cuda").tril()
        return self.masks[size]

    def answer(self, size):
        scores = self.model(torch.randn(size, 256, device="cuda")) * self.mask(size)
        if self.audit is not None:
            self.audit.append(torch.sigmoid(scores))  # @site @holder
        return scores.argmax(-1).cpu()


@torch.no_grad()
def main():
    service = Service()
    for request in range(280):
        if request == 120:
            service.audit = []
        service.answer(32 + 16 * min(request // 3, (request * 7) % 15) if request < 45 else 32 + 16 * (request * 7 % 15))
    main.service = service
