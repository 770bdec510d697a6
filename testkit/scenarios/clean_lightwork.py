"""A framework's trainer with a callback that logs numbers and a validation that keeps a running mean."""
import gauges
import lightwork
import torch
from lib.nets import Mlp

TRUTH = {"verdict": "no_leak", "cause": "warm_up", "steps": 96}


class Regressor(lightwork.Module):
    def __init__(self):
        super().__init__()
        self.net = Mlp(320, 3, 40)
        self.score = gauges.MeanMetric()

    def training_step(self, batch, index):
        output = self.net(batch)
        return {"loss": output.square().mean(), "output": output}

    def validation_step(self, batch, index):
        self.score.update(self.net(batch))

    def on_validation_epoch_end(self):
        self.score.compute()
        self.score.reset()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.net.parameters())


class Log(lightwork.Callback):
    def __init__(self):
        self.lines = []

    def on_train_batch_end(self, trainer, module, outputs, batch, index):
        self.lines.append(outputs["loss"].item())


def batches(count):
    return lambda: (torch.randn(40, 320) for _ in range(count))


def main():
    lightwork.Trainer(4, [Log()]).fit(Regressor(), batches(24), batches(6))
