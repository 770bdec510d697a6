"""A Lightning module collects its validation outputs in a list, joins them when the validation ends, and clears the list."""
import os

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 36, "library": "lightning", "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 36))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 128))
        self.outputs = []

    def training_step(self, batch, _):
        return self.net(batch[0]).square().mean()

    def validation_step(self, batch, _):
        self.outputs.append(self.net(batch[0]))

    def on_validation_epoch_end(self):
        print(torch.cat(self.outputs).shape)
        self.outputs.clear()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    data = DataLoader(TensorDataset(torch.randn(16 * 12, 32)), batch_size=16)
    trainer = lightning.Trainer(max_epochs=STEPS // 12, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Model(), data, data)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
