"""A real server in a thread, asked over HTTP; sizes of requests are random and nothing stays but the last answer."""
import os
import random
import threading
import time

import fastapi
import httpx
import torch
import uvicorn
from torch import nn

# @truth {"verdict": "no_leak", "cause": "input_size", "steps": 60, "library": "uvicorn", "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 60))
app = fastapi.FastAPI()
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 32))
state = {}


@app.get("/rank")
def rank(rows: int):
    with torch.inference_mode():
        state["last"] = net(torch.randn(rows, 64, device="cuda"))
        return {"best": int(state["last"].argmax())}


def main():
    random.seed(22)
    net.cuda()
    torch.cuda.memory._record_memory_history()
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        for _ in range(STEPS):
            client.get("/rank", params={"rows": random.randint(1, 200)}).raise_for_status()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
    server.should_exit = True
    thread.join()


if __name__ == "__main__":
    main()
