"""Half-precision copies of the weights live as long as a forward pass; the scaler keeps two numbers."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "warm_up", "steps": 70}


def batches(count):
    yield from (torch.randn(32, 272, device="cuda") for _ in range(count))


def main():
    model = Mlp(272, 2, 30).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    scaler = torch.amp.GradScaler("cuda")
    curve = []
    for x in batches(70):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x).float().square().mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        curve.append(loss.item())
