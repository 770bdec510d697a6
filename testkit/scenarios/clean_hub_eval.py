"""Training that is evaluated every twenty steps; an evaluation joins all logits on the GPU, makes numbers of them and drops them."""
import hubtrainer
import torch
from torch import nn
from lib.nets import LanguageModel

TRUTH = {"verdict": "no_leak", "cause": "periodic", "steps": 80}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lm = LanguageModel(600, 96, 1)

    def forward(self, tokens):
        logits = self.lm(tokens)
        return {"loss": logits.float().mean(), "logits": logits}


def texts(count):
    return lambda: ({"tokens": torch.zeros(8, 48, dtype=torch.long)} for _ in range(count))


def accuracy(logits):
    return {"mean": logits.float().mean().item()}


def main():
    trainer = hubtrainer.Trainer(Model(), hubtrainer.Arguments(max_steps=80, eval_steps=20), texts(80), texts(12), accuracy)
    trainer.train()
