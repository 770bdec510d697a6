"""The job's own marks around functions and stretches of code: @leakline_probe.profile and with leakline_probe.profile(...)."""
from __future__ import annotations

import functools
import threading
from typing import Any, Callable, Optional

from .errors import entry
from .functions import Scope, functions

GENERATOR, COROUTINE = 0x20, 0x80  # flags of code objects, as inspect has them


def profile(target: Any = None) -> Any:
    """Measures what a function or a stretch of code takes: allocated before and after, the peak inside, seconds.

        @leakline_probe.profile                  with leakline_probe.profile("validate"): ...
        @leakline_probe.profile("forward")

    Scopes may nest: the peak of the outer one covers the inner ones. What a call raises goes on, and is counted with the peak that it reached. A
    coroutine or generator is measured from its first step to its end. Results are rows of the counters, and `leakline run` shows them. Unless the
    probe is armed, nothing is functions.

    A scope belongs to the thread that opened it, but the allocator's counters are the process's: what other threads allocate meanwhile is in its
    figures. Seconds are the program's, which may be ahead of the device. torch has one counter for the peak, which is set back whenever a scope
    opens; a job that reads torch.cuda.max_memory_allocated() itself sees the peak since then.
    """
    return Profile(target) if target is None or type(target) is str else Profile(None)(target)


class Profile:
    """A name under which scopes are measured: with, or as a decorator. Each thread may be in it, and more than once: scopes are by thread."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.scopes: dict[int, list[Optional[Scope]]] = {}

    def __enter__(self) -> Profile:
        self._enter()
        return self

    def __exit__(self, kind: Optional[type], *_: object) -> None:
        self._leave(kind)

    @entry
    def _enter(self) -> None:
        scopes = self.scopes.setdefault(threading.get_ident(), [])
        scopes.append(None)  # what is not measured ends, too
        scopes[-1] = functions.enter(self.name or "a scope without a name")

    @entry
    def _leave(self, error: Optional[type]) -> None:
        scopes = self.scopes.get(threading.get_ident())
        scope = scopes.pop() if scopes else None
        if scope is not None:
            functions.leave(scope, None if error is GeneratorExit else error)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        name = self.name or getattr(function, "__qualname__", None) or type(function).__name__
        flags = getattr(getattr(function, "__code__", None), "co_flags", 0)
        made = _coroutine(function, name) if flags & COROUTINE else _generator(function, name) if flags & GENERATOR else _plain(function, name)
        return functools.wraps(function)(made)


def _coroutine(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    async def profiled(*arguments: Any, **named: Any) -> Any:
        with Profile(name):
            return await function(*arguments, **named)
    return profiled


def _generator(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def profiled(*arguments: Any, **named: Any) -> Any:
        with Profile(name):
            return (yield from function(*arguments, **named))
    return profiled


def _plain(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def profiled(*arguments: Any, **named: Any) -> Any:
        with Profile(name):
            return function(*arguments, **named)
    return profiled
