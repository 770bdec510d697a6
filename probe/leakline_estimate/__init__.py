"""Runs a training script without a GPU and without memory: torch's FakeTensorMode gives each tensor its shape, type and device but no bytes. What it would
have allocated on the GPU is recorded as torch's own memory history would be, for `leakline estimate`.

A block lives as long as its storage: torch tells when its last tensor is freed, in the forward pass as well as in the engine of the backward pass.
What a kernel needs beside its results is not known, and nothing has a value: a script that goes by values goes the way of zeros.
"""
from __future__ import annotations

# The parts, in the order in which they are read and built: each imports from those above it only.
from . import (recorder, kernels, engine, moving, attention, pretence, estimate, arming)
from .arming import arm

__all__ = ["arm"]
