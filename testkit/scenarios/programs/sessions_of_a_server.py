"""A real server keeps the state of every session that a client ever opened. Clients never close theirs."""
import os
import random
import threading
import time

import fastapi
import httpx
import torch
import uvicorn
from torch import nn

# @truth {"verdict": "leak", "cause": "unbounded_cache", "also": ["kept_in_container"], "steps": 80, "library": "uvicorn", "recording": "python stacks, threads", "dump": true}
# @advice bound|limit|expire|evict|clear|ttl
STEPS = int(os.environ.get("STEPS", 80))
app = fastapi.FastAPI()
cell = nn.GRUCell(64, 256)


@app.get("/health")
def health():
    return {"ok": cell(torch.zeros(1, 64, device="cuda")).isfinite().all().item()}


@app.get("/say/{session}")
def say(session: int, request: fastapi.Request):
    sessions = request.app.state.sessions
    with torch.inference_mode():
        before = sessions.get(session)
        state = cell(torch.randn(8, 64, device="cuda"), before)  # @site
        sessions[session] = state  # @holder @fix sessions[session] = state; [sessions.pop(old) for old in list(sessions)[:-8]]
        return {"mean": state.mean().item()}


def main():
    random.seed(41)
    cell.cuda()
    app.state.sessions = {}
    torch.cuda.memory._record_memory_history(stacks="python")
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        for number in range(STEPS):
            client.get("/health" if number % 3 == 2 else f"/say/{random.randint(number // 2, number)}").raise_for_status()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
    server.should_exit = True
    thread.join()


if __name__ == "__main__":
    main()
