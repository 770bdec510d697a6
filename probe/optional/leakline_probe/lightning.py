"""A callback for Lightning: Trainer(callbacks=[LeaklineCallback()]).

A step is a training batch, also where gradients are accumulated. Sanity checking, validation, test and prediction are phases, whose batches are steps
only where nothing is trained. Lightning is looked up in sys.modules: import it first.
"""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from leakline_probe import own_files

from .training import Training

own_files.add(__file__)
if TYPE_CHECKING:
    Callback = object
else:
    Callback = next((sys.modules[name].Callback for name in ("lightning.pytorch", "pytorch_lightning") if name in sys.modules), None)
    if Callback is None:
        raise ImportError("leakline_probe.lightning: import lightning.pytorch or pytorch_lightning before it")


class LeaklineCallback(Callback):
    """Tells the probe of steps, epochs and phases, and changes nothing."""

    def __init__(self, scalars: bool = False, page: bool = False) -> None:
        super().__init__()
        self.training, self.trains = Training(scalars, page), False

    def on_fit_start(self, trainer: Any, module: Any) -> None:
        self.trains = True
        self.training.begin()

    def on_fit_end(self, trainer: Any, module: Any) -> None:
        self.trains = False
        self.training.leave()
        self.training.end()

    def on_exception(self, trainer: Any, module: Any, exception: BaseException) -> None:
        self.trains = False
        self.training.leave()

    def on_train_epoch_start(self, trainer: Any, module: Any) -> None:
        self.training.leave()
        self.training.epoch()

    def on_train_batch_end(self, *_: Any, **__: Any) -> None:
        self.training.step()

    def on_sanity_check_start(self, trainer: Any, module: Any) -> None:
        self.training.enter("sanity check")

    def on_sanity_check_end(self, trainer: Any, module: Any) -> None:
        self.training.leave("sanity check")

    def on_validation_start(self, trainer: Any, module: Any) -> None:
        self.training.enter("validate")

    def on_validation_end(self, trainer: Any, module: Any) -> None:
        self.training.leave("validate")

    def on_test_start(self, trainer: Any, module: Any) -> None:
        self.training.enter("test")

    def on_test_end(self, trainer: Any, module: Any) -> None:
        self.training.leave("test")

    def on_predict_start(self, trainer: Any, module: Any) -> None:
        self.training.enter("predict")

    def on_predict_end(self, trainer: Any, module: Any) -> None:
        self.training.leave("predict")

    def _evaluated(self, *_: Any, **__: Any) -> None:
        if not self.trains:
            self.training.step()

    on_validation_batch_end = on_test_batch_end = on_predict_batch_end = _evaluated
