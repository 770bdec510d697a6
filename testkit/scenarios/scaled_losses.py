"""Mixed precision; the scaled loss of every step is kept for a curve: 512 bytes a step."""
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 90, "bytes_per_step": 512}


class Run:
    def __init__(self):
        self.model = mlp(256, 2, 40).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cuda")
        self.curve = []

    def step(self, x):
        self.optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = self.model(x).float().square().mean()
        scaled = self.scaler.scale(loss)  # @site
        scaled.backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.curve.append(scaled.detach())  # @holder


def main():
    run = Run()
    for _ in range(90):
        run.step(torch.randn(32, 256, device="cuda"))
    main.run = run
