"""Tells the probe what a training loop does: its steps, epochs and phases. Nothing else changes, and a probe that is not armed is told next to nothing.

    training = Training()
    for epoch in training.epochs(3):
        for batch in training.batches(loader):
            ...                                  a step is a batch, however many of them the optimizer steps after
        with training.phase("validate"):
            ...
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Optional, TypeVar, Union

from leakline_probe import counters, entry, outputs, own_files, phase, step

from .pages import log_page, record
from .scalars import write_scalars

own_files.add(__file__)
Batch = TypeVar("Batch")
NO_EPOCH = -1
SCALARS_EVERY = 50  # steps, as trainers log by default


class Training:
    """A training loop, as the probe sees it. Callbacks of trainers use it, too."""

    def __init__(self, scalars: bool = False, page: bool = False) -> None:
        """scalars=True: every 50 steps, what is allocated goes to W&B or MLflow, where the job has a run of theirs; page=True: at the end, the report."""
        self.writes_scalars, self.logs_page = scalars, page
        self.open: list[phase] = []
        self.epochs_seen = NO_EPOCH  # epochs of loaders when an epoch began that nobody has written down

    def begin(self) -> None:
        """From now on a step is a batch: steps of optimizers are not counted beside."""
        counters.is_explicit = True
        if self.logs_page:
            record()

    def end(self) -> None:
        """Training is over."""
        if self.logs_page:
            log_page()

    def epochs(self, epochs: Union[int, Iterable[Batch]]) -> Iterator[Any]:
        for epoch in range(epochs) if isinstance(epochs, int) else epochs:
            self.epoch()
            yield epoch

    def batches(self, loader: Iterable[Batch]) -> Iterator[Batch]:
        """The batches of a loader, each of which is a step that ends when the next one is requested, or the loop is left."""
        self.begin()
        for batch in loader:
            try:
                yield batch
            finally:
                del batch
                self.step()

    def step(self) -> None:
        if self.epochs_seen != NO_EPOCH:
            self._write_epoch()
        step()
        if self.writes_scalars and outputs.is_armed and (counters.steps or 0) % SCALARS_EVERY == 0:
            write_scalars(counters.steps or 0)

    def phase(self, name: str) -> phase:
        """with training.phase("validate"): ..."""
        return phase(name)

    def enter(self, name: str) -> None:
        """Begins a phase, within the one that is open."""
        opened = phase(name)
        opened.__enter__()
        self.open.append(opened)

    def leave(self, name: Optional[str] = None) -> None:
        """Ends the phase of that name and those within it, if it is open; without a name, all."""
        names = [opened.name for opened in self.open]
        if name is not None and name not in names:
            return
        while self.open and len(self.open) > (names.index(name) if name else 0):
            self.open.pop().__exit__(None, None, None)

    def epoch(self) -> None:
        """An epoch begins. The probe sees by itself where a DataLoader is iterated; else the first step of the epoch says so."""
        self.epochs_seen = _epochs_seen()

    @entry
    def _write_epoch(self) -> None:
        if self.epochs_seen == _epochs_seen() and outputs.is_armed:
            counters.epoch(self)
        self.epochs_seen = NO_EPOCH


def _epochs_seen() -> int:
    return sum([epochs[0] for _, epochs in counters.loaders])
