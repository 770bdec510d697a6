"""Requests come in bursts of very different sizes to one event loop; each holds its state until its burst is over."""
import asyncio
import os
import random

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "also": ["input_size"], "steps": 40, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 40))
net = nn.Linear(96, 256)


async def request(together):
    state = net(torch.randn(8, 96, device="cuda"))
    await together.wait()
    return torch.softmax(state, -1).sum().item()


async def serve():
    for _ in range(STEPS):
        together = asyncio.Event()
        tasks = [asyncio.create_task(request(together)) for _ in range(int(random.paretovariate(0.9)) % 40 + 1)]
        await asyncio.sleep(0)
        together.set()
        await asyncio.gather(*tasks)
        del tasks
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


@torch.inference_mode()
def main():
    random.seed(10)
    net.cuda()
    torch.cuda.memory._record_memory_history()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
