"""A callback keeps one output of every training step. It is no part of the loss, so that backward() does not free its graph."""
import lightwork
import torch
from torch import nn
from lib.nets import Mlp

TRUTH = {"verdict": "leak", "cause": "autograd_graph_kept", "steps": 120, "bytes_per_step": 110592}


class Classifier(lightwork.Module):
    def __init__(self):
        super().__init__()
        self.body = Mlp(256, 2, 256)
        self.head = nn.Linear(256, 12)
        self.probe = nn.Sequential(nn.Linear(256, 128), nn.GELU(), nn.Linear(128, 64))

    def training_step(self, batch, index):
        hidden = self.body(batch)  # @site
        projected = self.probe(hidden)  # @site
        return {"loss": self.head(hidden).square().mean(), "projected": projected}

    def configure_optimizers(self):
        return torch.optim.SGD([*self.body.parameters(), *self.head.parameters()], lr=0.01)


class Projector(lightwork.Callback):
    def __init__(self):
        self.seen = []

    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        self.seen.append(outputs["projected"])  # @holder


def main():
    projector = Projector()
    lightwork.Trainer(4, [projector]).fit(Classifier(), lambda: (torch.randn(48, 256) for _ in range(30)))
    main.projector = projector
