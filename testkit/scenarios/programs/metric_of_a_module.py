"""A Lightning module computes its metric by hand at the end of every validation and forgets to reset it."""
import os

import lightning
import torch
import torchmetrics
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "leak", "cause": "metric_not_reset", "also": ["kept_in_container"], "steps": 60, "library": "lightning", "recording": "all stacks"}
# @advice reset
STEPS = int(os.environ.get("STEPS", 60))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64))
        self.similarity = torchmetrics.CosineSimilarity()

    def training_step(self, batch, _):
        return self.net(batch[0]).square().mean()

    def validation_step(self, batch, _):
        out = self.net(batch[0])  # @site
        self.similarity.update(out, torch.ones_like(out))  # @site @holder

    def on_validation_epoch_end(self):
        print("batches:", len(self.similarity.preds))  # @fix print("batches:", len(self.similarity.preds)); self.similarity.reset()

    def on_train_end(self):
        torch.cuda.memory._dump_snapshot("snapshot.pickle")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    data = DataLoader(TensorDataset(torch.randn(32 * 10, 32)), batch_size=32)
    checks = DataLoader(TensorDataset(torch.randn(32 * 4, 32)), batch_size=32)
    trainer = lightning.Trainer(max_epochs=STEPS // 10, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, num_sanity_val_steps=0,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Model(), data, checks)


if __name__ == "__main__":
    main()
