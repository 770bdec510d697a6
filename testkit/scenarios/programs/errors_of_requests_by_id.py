"""A web service keeps the last error of each request id for its status page: the exception itself, in a handler of the framework."""
import asyncio
import os

import httpx
import torch
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from torch import nn

# @truth {"verdict": "leak", "cause": "exception_traceback", "also": ["kept_in_container"], "shown": "exception_traceback", "patched": true, "steps": 160, "recording": "python stacks", "library": "fastapi"}
STEPS = int(os.environ.get("STEPS", 160))
app = FastAPI()
errors = {}
net = nn.Linear(80, 320)


class TooLong(Exception):
    pass


async def rejected(request: Request, problem: TooLong):
    errors[request.query_params["id"]] = problem  # @holder @fix errors[request.query_params["id"]] = repr(problem)
    return PlainTextResponse(str(problem), status_code=413)


app.add_exception_handler(TooLong, rejected)


@app.get("/score")
async def score(id: int):
    x = torch.randn(48, 80, device="cuda")  # @site
    with torch.inference_mode():
        y = net(x)  # @site
    if id % 4 == 1:
        raise TooLong(f"request {id}")
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
