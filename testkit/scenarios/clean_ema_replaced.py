"""Every eight steps a new averaged copy of the weights takes the place of the last one: many blocks are made, one set is alive."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "retained_state", "steps": 112}


def averaged(old, model):
    with torch.no_grad():
        if old is None:
            return {name: value.clone() for name, value in model.state_dict().items()}
        return {name: old[name] * 0.9 + value * 0.1 for name, value in model.state_dict().items()}


def main():
    model = Mlp(352, 3, 24).cuda()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    average = None
    step = 0
    while step < 112:
        optimizer.zero_grad()
        model(torch.randn(56, 352, device="cuda")).pow(2).sum().backward()
        optimizer.step()
        step += 1
        if step % 8 == 0:
            average = averaged(average, model)
    main.average = average
