"""Makes the dump that somebody gets who attaches to a job."""
from __future__ import annotations

from .counters import counters
from .dumping import Dump, dump, run_alone
from .errors import entry
from .files import write_file
from .plan import plan
from .process import wanted_device


@entry
def dump_for_visitor(path: str, pause: float, target: str | None, graph: bool) -> str | None:
    """Writes a dump of all the heap, unless that takes longer than so many seconds, by the count of its objects: then of what is near. None where it cannot.

    0 seconds are as many as it takes.
    """
    if not pause or not plan.takes_longer(pause):
        return dump(path, "request", target, graph)
    return _dump_of_near(path, pause, target, graph)


def _dump_of_near(path: str, pause: float, target: str | None, graph: bool) -> str | None:
    """Writes a dump of what running calls and the job's own modules lead to, which says so where that is not all."""
    made = Dump("request", target or wanted_device(), counters.steps, graph, pause=pause, is_near=True)
    if not run_alone(made):
        return None
    if made.device_kind != "cpu" and not made.has_all():
        made.covers(0)
    return write_file(path, made.encode())
