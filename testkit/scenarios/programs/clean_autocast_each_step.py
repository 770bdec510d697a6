"""Mixed precision with a scaler, autocast entered and left in each step; every tenth step is measured in full precision."""
import os

import torch
from torch import nn

# @truth {"verdict": "no_leak", "cause": "warm_up", "steps": 45, "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 45))


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    net = nn.Sequential(nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 16)).cuda()
    optimizer = torch.optim.AdamW(net.parameters(), fused=True)
    scaler = torch.amp.GradScaler()
    best = None
    for step in range(STEPS):
        x = torch.randn(32, 128, device="cuda")
        with torch.autocast("cuda", torch.float16):
            loss = net(x).square().mean()
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 9:
            with torch.no_grad():
                best = net(x).square().mean()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
    return best


if __name__ == "__main__":
    main()
