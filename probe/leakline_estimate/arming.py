"""Begins an estimate when the script has imported torch."""
from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from typing import Any

from .estimate import Estimate


class _Finder(importlib.abc.MetaPathFinder):
    """Begins when the script has imported torch."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def and_begin(module: Any) -> None:
                execute(module)
                Estimate(module).begin()
            spec.loader.exec_module = and_begin  # type: ignore[method-assign]
        return spec


def arm() -> None:
    """Waits for torch."""
    sys.meta_path.insert(0, _Finder())
