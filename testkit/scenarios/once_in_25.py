"""Every 25 steps one reconstruction is added to a gallery: eight blocks in all, the rest of the run is clean."""
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 200, "every": 25}
RECORDING = {"global_record_annotations": True}


class Gallery:
    def __init__(self):
        self.pictures = []

    def look(self, picture):
        framed = torch.nn.functional.pad(picture, (8, 8))  # @site
        self.pictures.append(framed)  # @holder


def main():
    model = Mlp(240, 2, 240).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    gallery = Gallery()
    for step in range(1, 201):
        picture = torch.randn(200, 240, device="cuda")
        rebuilt = model(picture)
        optimizer.zero_grad()
        (rebuilt - picture).square().mean().backward()
        optimizer.step()
        if step % 25 == 0:
            gallery.look(rebuilt.detach())
    main.gallery = gallery
