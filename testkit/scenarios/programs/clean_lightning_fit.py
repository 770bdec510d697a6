"""A Lightning module with a metric that is reset after each epoch, trained and validated for a few epochs."""
import os

import lightning
import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 40, "library": "lightning", "recording": "python stacks"}
STEPS = int(os.environ.get("STEPS", 40))


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
        self.seen = torchmetrics.CatMetric(nan_strategy="disable")

    def training_step(self, batch, _):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def validation_step(self, batch, _):
        self.seen.update(self.net(batch[0]).detach())

    def on_validation_epoch_end(self):
        print(len(self.seen.value))
        self.seen.reset()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    torch.cuda.memory._record_memory_history(stacks="python", max_entries=50_000)
    data = DataLoader(TensorDataset(torch.randn(160, 32), torch.zeros(160, dtype=torch.long)), batch_size=16)
    trainer = lightning.Trainer(max_epochs=STEPS // 10, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Classifier(), data, data)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
