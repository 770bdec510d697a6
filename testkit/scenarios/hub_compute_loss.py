"""A trainer of an installed package, whose compute_loss() is overridden to keep what the model guessed, for metrics that come later."""
import hubtrainer
import torch
from torch import nn

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 80, "bytes_per_step": 118784}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(232, 80)
        self.head = nn.Linear(80, 232)

    def forward(self, tokens):
        logits = self.head(torch.tanh(self.embed(tokens)))
        return {"loss": logits.square().mean(), "logits": logits}


class MyTrainer(hubtrainer.Trainer):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.guesses = []

    def compute_loss(self, model, inputs, return_outputs=False):
        outputs = model(**inputs)
        guesses = torch.softmax(outputs["logits"].detach(), -1)  # @site
        self.guesses.append(guesses)  # @holder
        return (outputs["loss"], outputs) if return_outputs else outputs["loss"]


def texts():
    while True:
        yield {"tokens": torch.zeros(4, 32, dtype=torch.long)}


def main():
    trainer = MyTrainer(Model(), hubtrainer.Arguments(max_steps=80), texts)
    trainer.train()
    main.trainer = trainer
