"""A callback for the Trainer of transformers: Trainer(callbacks=[LeaklineCallback()]).

A step is a training batch, also where gradients are accumulated. Evaluation and prediction are phases that begin with their first batch, because
the Trainer has no event for their begin; their batches are steps only where nothing is trained. transformers is not imported here: the Trainer calls
any object that has its events.
"""
from __future__ import annotations

from typing import Any

from leakline_probe import own_files

from .training import Training

own_files.add(__file__)


class LeaklineCallback:
    """Tells the probe of steps, epochs and phases, and changes nothing."""

    def __init__(self, scalars: bool = False, page: bool = False) -> None:
        self.training, self.trains, self.evaluates = Training(scalars, page), False, False

    def __getattr__(self, name: str) -> Any:
        """Events that say nothing to the probe, those of later versions included."""
        if name.startswith("on_"):
            return _ignore
        raise AttributeError(name)

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        self.trains = True
        self.training.begin()

    def on_train_end(self, *_: Any, **__: Any) -> None:
        self.trains = False
        self._leave()
        self.training.end()

    def on_epoch_begin(self, *_: Any, **__: Any) -> None:
        self._leave()
        self.training.epoch()

    def on_substep_end(self, *_: Any, **__: Any) -> None:
        """A batch whose gradients are accumulated."""
        self._leave()
        self.training.step()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self._leave()
        self.training.step()

    def on_prediction_step(self, *_: Any, **__: Any) -> None:
        if not self.evaluates:
            self.evaluates = True
            self.training.enter("evaluate")
        if not self.trains:
            self.training.step()

    def on_evaluate(self, *_: Any, **__: Any) -> None:
        self._leave()

    def on_predict(self, *_: Any, **__: Any) -> None:
        self._leave()

    def _leave(self) -> None:
        if self.evaluates:
            self.evaluates = False
            self.training.leave("evaluate")


def _ignore(*_: Any, **__: Any) -> None:
    return None
