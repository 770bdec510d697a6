"""Finds the optional modules of the wheel: leakline_probe.lightning and others, which never enter a job that does not import them.

They lie in a folder beside this file, or, where `leakline run` brought this file in, wherever the wheel is installed: a module with a __path__ is a
package. The path is looked up when it is requested.
"""
from __future__ import annotations

import importlib
import os
import sys
from typing import Any

OPTIONAL = "leakline_probe"


def __getattr__(name: str) -> Any:
    """Python asks for __path__ to import an optional module; IPython's %load_ext asks for the function that it calls."""
    if name == "__path__":
        return [folder for folder in [os.path.join(place or ".", OPTIONAL) for place in sys.path] if os.path.isfile(os.path.join(folder, "live.py"))]
    if name in ("load_ipython_extension", "unload_ipython_extension"):
        return getattr(importlib.import_module(OPTIONAL + ".notebook"), name)
    raise AttributeError(f"module {OPTIONAL!r} has no attribute {name!r}")
