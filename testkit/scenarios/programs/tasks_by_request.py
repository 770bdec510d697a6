"""A service keeps the task of each request under its number, to cancel it; ended tasks stay there with what they returned."""
import asyncio
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["generator"], "shown": "tasks_kept", "patched": true, "steps": 150, "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 150))
net = nn.Linear(96, 384)
running = {}


async def embed(length):
    x = torch.randn(length, 96, device="cuda")
    await asyncio.sleep(0)
    return net(x)  # @site


async def request(number):
    running[number] = asyncio.create_task(embed(30))  # @holder @fix running[number] = asyncio.create_task(embed(30)); running[number].add_done_callback(lambda _: running.pop(number, None))
    return len(await running[number])


async def serve():
    for number in range(STEPS):
        await request(number)
        await asyncio.sleep(0)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


@torch.inference_mode()
def main():
    net.cuda()
    torch.cuda.memory._record_memory_history()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
