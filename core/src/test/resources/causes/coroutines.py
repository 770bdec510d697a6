import torch
from torch import nn
import torch.nn.functional as F

TRUTH = {}

import asyncio


async def handle(net, done, tasks):
    x = torch.randn(64, 256, device="cuda")
    state = net(x)
    await done.wait()
    return state.sum()


async def serve(net):
    done = asyncio.Event()
    tasks = set()
    for step in range(120):
        tasks.add(asyncio.ensure_future(handle(net, done, tasks)))
        await asyncio.sleep(0)
        tick()
    hold()
    done.set()
    await asyncio.gather(*tasks)


def main():
    net = nn.Linear(256, 256).cuda()
    with torch.no_grad():
        asyncio.run(serve(net))
