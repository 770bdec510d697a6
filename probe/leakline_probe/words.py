"""The words of the file format: kinds of objects, kinds of references, flags of an object. Leakline's reader has the same."""
from __future__ import annotations

VERSION = "0.1.0"
MAGIC = b"LKLHOLD1"

# What an object is.
OBJECT, MODULE, CLASS, RUNNING, SUSPENDED, FINISHED, FUNCTION, TENSOR, STORAGE, AUTOGRAD = range(10)
DICT, LIST, TUPLE, SET, CELL, CONTAINER, NN_MODULE, OPTIMIZER, LOCAL_STATE, EXCEPTION = range(10, 20)

# How one object refers to another.
UNKNOWN, ATTRIBUTE, STRING_KEY, OTHER_KEY, INDEX, LOCAL, CLOSURE, DEFAULT, GRAPH, INTERNAL = range(10)

# Bits of an object. EXPLAINED means that its reference count says nothing about unseen holders.
PARAMETER, BUFFER, REQUIRES_GRAD, HAS_GRAD_FN, UNTRACKED, EXPLAINED = 1, 2, 4, 8, 16, 32
