"""Decides how much of the job's own words gets into a file: names are cut, keys are cut or hashed, values are left out.

No code of the job runs for that: no repr(), no str(), no hash of an object of the job.
"""
from __future__ import annotations

import hashlib
import os
import types
from typing import Any

from .classes import descends, type_name

KEY_CHARACTERS = 60  # a key may be a document or a secret; this much names it
KEY_PARTS, KEY_DEPTH = 6, 2  # of a key that is a tuple
HASH_DIGITS = 10
_plain_keys = {id(kind) for kind in (int, float, complex, bool, type(None))}


def cut(text: str, limit: int = KEY_CHARACTERS) -> str:
    return text if len(text) <= limit else text[:limit - 1] + "\u2026"


def key_text(key: Any, depth: int = 0) -> str:
    """How a dict key is shown: the value of strings and plain numbers, cut or hashed; of all others the type."""
    kind = type(key)
    if kind is str:
        text = key[:KEY_CHARACTERS + 1]
    elif id(kind) in _plain_keys:
        text = repr(key) if kind is not int or -1 << 63 < key < 1 << 63 else "a long int"
    elif kind is tuple and depth < KEY_DEPTH:
        text = _tuple_text(key, depth)
    elif descends(kind, str):
        text = str.__str__(key)[:KEY_CHARACTERS + 1]
    else:
        return f"<{type_name(kind)}>"
    return cut(text) if depth or not hashes_keys() else hashed(text)


def _tuple_text(key: tuple[Any, ...], depth: int) -> str:
    parts = ", ".join([key_text(part, depth + 1) for part in key[:KEY_PARTS]])
    return "(" + parts + (", \u2026)" if len(key) > KEY_PARTS else ",)" if len(key) == 1 else ")")


def hashed(text: str) -> str:
    return "#" + hashlib.sha1(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:HASH_DIGITS]


def hashes_keys() -> bool:
    return os.environ.get("LEAKLINE_HASH_KEYS", "") not in ("", "0")


def where_is(code: types.CodeType, line: int | None = None) -> str:
    """A function with the base name of its file and a line, by default its first one."""
    return f"{getattr(code, 'co_qualname', code.co_name)} ({os.path.basename(code.co_filename)}:{line or code.co_firstlineno})"
