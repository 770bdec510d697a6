"""A curriculum of longer and longer inputs. The last step's logits stay alive until the next step's replace them."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "input_size", "steps": 160}
RECORDING = {"global_record_annotations": True}


def curriculum():
    for stage in range(8):
        for _ in range(20):
            yield torch.randn(24 + 20 * stage, 256, device="cuda")


def main():
    model = Mlp(256, 2, 512).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in curriculum():
        logits = model(x)
        loss = logits.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
