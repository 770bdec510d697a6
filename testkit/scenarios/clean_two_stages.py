"""A pipeline over two GPUs: activations go to the second, gradients come back to the first."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "warm_up", "steps": 80}
GPUS = 2


class Pipeline(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.front = Mlp(256, 2, 256).to("cuda:0")
        self.back = Mlp(256, 2, 20).to("cuda:1")

    def forward(self, x):
        return self.back(torch.relu(self.front(x)).to("cuda:1"))


def main():
    model = Pipeline()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    for _ in range(80):
        loss = model(torch.randn(48, 256, device="cuda:0")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
