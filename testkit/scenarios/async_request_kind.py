"""Four requests at a time are served in turns of one event loop; of three kinds of request, one keeps what it looked up."""
import asyncio
import random
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "unbounded_cache", "steps": 80}


class Api:
    def __init__(self):
        self.small = Mlp(192, 2, 64).cuda()
        self.large = Mlp(192, 3, 256).cuda()
        self.glossary = {}

    async def classify(self, number, count):
        scores = self.small(torch.randn(count, 192, device="cuda"))
        await asyncio.sleep(0)
        return scores.argmax(-1).cpu()

    async def rank(self, number, count):
        scores = self.large(torch.randn(count, 192, device="cuda"))
        await asyncio.sleep(0)
        order = scores.amax(-1) * 2
        await asyncio.sleep(0)
        return order.cpu()

    async def translate(self, number, count):
        words = torch.randn(count, 192, device="cuda")
        await asyncio.sleep(0)
        terms = torch.relu(self.large(words))  # @site
        self.glossary[number] = terms  # @holder
        await asyncio.sleep(0)
        return terms.sum(-1).cpu()


async def serve(api):
    for turn in range(80):
        kinds = [random.choice((api.classify, api.rank, api.translate)) for _ in range(4)]
        await asyncio.gather(*(kind(4 * turn + i, random.randint(8, 72)) for i, kind in enumerate(kinds)))


def main():
    random.seed(61)
    api = Api()
    with torch.no_grad():
        asyncio.run(serve(api))
    main.api = api
