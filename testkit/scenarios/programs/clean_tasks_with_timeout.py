"""Each client gets a task that holds its state; clients that vanish are cancelled when their time is over."""
import asyncio
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "retained_state", "also": ["periodic", "bounded_cache"], "steps": 150, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 150))
net = nn.Linear(96, 384)


async def stream(gone):
    state = net(torch.randn(10, 96, device="cuda"))
    for _ in range(2):
        await asyncio.sleep(0)
        state.mean().item()
    await gone.wait()
    return state.sum().item()


async def serve():
    tasks = []
    for number in range(STEPS):
        gone = asyncio.Event()
        tasks.append(asyncio.create_task(stream(gone)))
        if number % 3:
            gone.set()
        for _ in range(4):
            await asyncio.sleep(0)
        for late in [task for task in tasks[:-8] if not task.done()]:
            late.cancel()
        tasks = [task for task in tasks if not task.done()]
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


@torch.inference_mode()
def main():
    net.cuda()
    torch.cuda.memory._record_memory_history(stacks="python")
    asyncio.run(serve())


if __name__ == "__main__":
    main()
