"""A service keeps its tasks in a set, so that they are not collected, and forgets each when it is done."""
import asyncio
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 150, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 150))
net = nn.Linear(96, 384)
running = set()


async def embed(length):
    x = torch.randn(length, 96, device="cuda")
    await asyncio.sleep(0)
    return net(x).mean()


async def serve():
    for _ in range(STEPS):
        task = asyncio.create_task(embed(30))
        running.add(task)
        task.add_done_callback(running.discard)
        await task
        await asyncio.sleep(0)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


@torch.inference_mode()
def main():
    net.cuda()
    torch.cuda.memory._record_memory_history()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
