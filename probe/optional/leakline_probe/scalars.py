"""Writes what torch's allocator counts to the logger that a job uses already. Nothing is imported that the job has not imported."""
from __future__ import annotations

import sys
from typing import Any, Optional

from leakline_probe import entry, own_files, peaks

own_files.add(__file__)


@entry
def write_scalars(step: int, tensorboard: Optional[Any] = None) -> None:
    """leakline/gpu0/allocated_bytes and others, to a run of W&B or MLflow that is open, and to a SummaryWriter."""
    figures = {f"leakline/gpu{device}/{name}": float(value) for device, *values in peaks.of_the_job()
               for name, value in zip(("allocated_bytes", "reserved_bytes", "peak_allocated_bytes", "peak_reserved_bytes"), values)}
    if not figures:
        return
    wandb, mlflow = sys.modules.get("wandb"), sys.modules.get("mlflow")
    if getattr(wandb, "run", None) is not None:
        wandb.run.log(figures, commit=False)  # type: ignore[union-attr]
    if mlflow is not None and getattr(mlflow, "active_run", lambda: None)() is not None:
        mlflow.log_metrics(figures, step=step)
    if tensorboard is not None:
        for name, value in figures.items():
            tensorboard.add_scalar(name, value, step)
