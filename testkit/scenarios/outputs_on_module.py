"""training_step appends its prediction to the module's own list; the hook at the end of an epoch reads it and forgets to clear it."""
import lightwork
import torch
from lib.nets import mlp

TRUTH = {"verdict": "leak", "cause": "kept_in_container", "steps": 125, "bytes_per_step": 33280}


class Forecaster(lightwork.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(192, 3, 208)
        self.outputs = []

    def training_step(self, batch, index):
        prediction = self.net(batch)  # @site
        self.outputs.append(prediction.detach())  # @holder
        return prediction.abs().mean()

    def on_train_epoch_end(self):
        self.log_line = torch.stack(self.outputs).mean().item()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), fused=True)


def main():
    module = Forecaster()
    lightwork.Trainer(5).fit(module, lambda: (torch.randn(40, 192) for _ in range(25)))
    main.module = module
