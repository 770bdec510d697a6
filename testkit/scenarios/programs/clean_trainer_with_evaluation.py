"""A trainer that accumulates two batches a step and evaluates twice, gathering predictions for its metrics each time."""
import os

import torch
import transformers
from torch import nn

# @truth {"verdict": "no_leak", "cause": "periodic", "steps": 14, "library": "transformers", "recording": "all stacks"}
STEPS = int(os.environ.get("STEPS", 14))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 32)
        self.head = nn.Linear(32, 40)

    def forward(self, input_ids, labels=None):
        logits = self.head(torch.tanh(self.embed(input_ids)))
        return {"loss": logits.square().mean(), "logits": logits}


def main():
    data = [{"input_ids": torch.ones(16, dtype=torch.long), "labels": torch.zeros(16, dtype=torch.long)} for _ in range(16 * STEPS)]
    arguments = transformers.TrainingArguments("out", max_steps=STEPS, per_device_train_batch_size=4, gradient_accumulation_steps=2, save_strategy="no",
                                               report_to=[], logging_strategy="no", disable_tqdm=True, optim="adamw_torch", max_grad_norm=0,
                                               eval_strategy="steps", eval_steps=STEPS // 2)
    torch.cuda.memory._record_memory_history(max_entries=200_000)
    trainer = transformers.Trainer(Model(), arguments, train_dataset=data, eval_dataset=data[:64],
                                   compute_metrics=lambda predictions: {"n": len(predictions.predictions)})
    trainer.train()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")


if __name__ == "__main__":
    main()
