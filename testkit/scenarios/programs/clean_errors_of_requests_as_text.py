"""A web service keeps the text of the last errors for its status page, in a handler of the framework."""
import asyncio
import collections
import os

import httpx
import torch
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 160, "recording": "python stacks", "library": "fastapi"}
STEPS = int(os.environ.get("STEPS", 160))
app = FastAPI()
errors = collections.deque(maxlen=50)
net = nn.Linear(80, 320)


@app.exception_handler(ValueError)
async def rejected(request: Request, problem: ValueError):
    errors.append((request.url.path, repr(problem)))
    return PlainTextResponse(str(problem), status_code=413)


@app.get("/score")
async def score(id: int):
    x = torch.randn(48, 80, device="cuda")
    with torch.inference_mode():
        y = net(x)
    if id % 4 == 1:
        raise ValueError(f"request {id}")
    return {"score": y.mean().item()}


async def main():
    net.cuda()
    torch.cuda.memory._record_memory_history(stacks="python")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        for number in range(STEPS):
            await client.get(f"/score?id={number}")
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    asyncio.run(main())
