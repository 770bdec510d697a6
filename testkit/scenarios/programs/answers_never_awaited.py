"""Each client gets a task that streams to it. Clients that vanish are never written to again, and their tasks wait for ever."""
import asyncio
import os

import torch
from torch import nn

# @truth {"verdict": "leak", "cause": "generator", "steps": 120, "recording": "all stacks"}
# @advice cancel|close|timeout|coroutine|generator
STEPS = int(os.environ.get("STEPS", 120))
net = nn.Linear(96, 384)


async def stream(gone, tasks):
    state = net(torch.randn(10, 96, device="cuda"))  # @site
    for _ in range(2):
        await asyncio.sleep(0)
        state.mean().item()
    await gone.wait()
    return state.sum().item()


async def serve():
    tasks = set()
    for number in range(STEPS):
        gone = asyncio.Event()
        task = asyncio.create_task(stream(gone, tasks))
        tasks.add(task)  # @holder
        task.add_done_callback(tasks.discard)
        if number % 3:
            gone.set()
        for _ in range(4):  # @fix for turn in range(4):\n    task.cancel() if turn == 3 else None
            await asyncio.sleep(0)
    await asyncio.sleep(0)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


@torch.inference_mode()
def main():
    net.cuda()
    torch.cuda.memory._record_memory_history()
    asyncio.run(serve())


if __name__ == "__main__":
    main()
