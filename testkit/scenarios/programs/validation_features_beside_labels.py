"""A Lightning module keeps features and labels of every validation batch for a plot at the end; Lightning moved the labels, at the line of fit()."""
import os

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "leak", "cause": "kept_in_container", "steps": 96, "library": "lightning", "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 96))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(48, 256), nn.ReLU(), nn.Linear(256, 512))
        self.head = nn.Linear(512, 10)
        self.seen = []

    def training_step(self, batch, _):
        return nn.functional.cross_entropy(self.head(self.body(batch[0])), batch[1])

    def validation_step(self, batch, _):
        features = self.body(batch[0])  # @site
        self.seen.append({"features": features, "labels": batch[1]})  # @site @holder @fix self.seen[:] = [{"features": features, "labels": batch[1]}]

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)

    def on_train_end(self):
        torch.cuda.memory._dump_snapshot("snapshot.pickle")


def main():
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    data = DataLoader(TensorDataset(torch.randn(32 * 12, 48), torch.randint(0, 10, (32 * 12,))), batch_size=32)
    trainer = lightning.Trainer(max_epochs=STEPS // 12, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, num_sanity_val_steps=0,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Model(), data, data)


if __name__ == "__main__":
    main()
