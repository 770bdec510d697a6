"""A trainer's callback wants the logits of every batch at the end of training, so compute_loss() files them as they are. Their graph is freed by backward()."""
import os

import torch
import transformers
from torch import nn

# @truth {"verdict": "leak", "cause": "kept_in_container", "bytes_per_step": 32768, "steps": 40, "library": "transformers", "recording": "python stacks"}
# @advice cpu|host|bound|clear|limit
STEPS = int(os.environ.get("STEPS", 40))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 32)
        self.up = nn.Linear(32, 128)
        self.head = nn.Linear(128, 64)

    def forward(self, input_ids, labels=None):
        logits = self.head(torch.tanh(self.up(self.embed(input_ids))))
        return {"logits": logits, "loss": logits.square().mean()}


class LoggingTrainer(transformers.Trainer):
    logged = []

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        outputs = model(**inputs)  # @site
        self.logged.append(outputs["logits"])  # @holder @fix self.logged.append(outputs["logits"].detach().cpu())
        outputs["loss"] = self.regularised(outputs["loss"])
        return (outputs["loss"], outputs) if return_outputs else outputs["loss"]

    def regularised(self, loss):
        return loss + 0.01 * self.model.head.weight.square().mean()


def main():
    data = [{"input_ids": torch.ones(16, dtype=torch.long), "labels": torch.zeros(1)} for _ in range(8 * STEPS)]
    arguments = transformers.TrainingArguments("out", max_steps=STEPS, per_device_train_batch_size=8, save_strategy="no", report_to=[],
                                               logging_strategy="no", disable_tqdm=True, optim="adamw_torch", max_grad_norm=0)
    torch.cuda.memory._record_memory_history(stacks="python")
    trainer = LoggingTrainer(Model(), arguments, train_dataset=data)
    trainer.train()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
