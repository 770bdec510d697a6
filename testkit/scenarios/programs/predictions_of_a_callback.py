"""A Lightning callback files what each training step returned beside its loss, to draw it when training ends."""
import os

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# @truth {"verdict": "leak", "cause": "kept_in_container", "also": ["autograd_graph_kept"], "steps": 60, "bytes_per_step": 16384, "library": "lightning", "recording": "python stacks"}
# @advice cpu|bound|clear|on_train_epoch_end|disk
STEPS = int(os.environ.get("STEPS", 60))


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 128))

    def training_step(self, batch, _):
        out = self.net(batch[0])
        return {"loss": out.square().mean(), "scores": torch.softmax(out.detach(), -1)}  # @site

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Keep(lightning.Callback):
    def __init__(self):
        self.scores = []

    def on_train_batch_end(self, trainer, module, outputs, batch, number):
        self.scores.append(outputs["scores"])  # @holder @fix self.scores.append(outputs["scores"].cpu())


def main():
    torch.cuda.memory._record_memory_history(stacks="python")
    data = DataLoader(TensorDataset(torch.randn(32 * 20, 32)), batch_size=32)
    keep = Keep()
    trainer = lightning.Trainer(max_epochs=STEPS // 20, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, callbacks=[keep],
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Model(), data)
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
