"""A page of PyTorch's own debug server (torch.distributed.debug): the GPU memory of each rank. All ranks import this module before the server starts:

    from torch.distributed.debug import start_debug_server
    from torch.distributed.debug._debug_handlers import default_handlers
    from leakline_probe.debug_server import MemoryHandler
    start_debug_server(handlers=[*default_handlers(), MemoryHandler()], dump_dir="dumps", enabled_dumps={"leakline"})

Its periodic dumps are samples, a line each: cat dumps/leakline_* | leakline watch --replay - --once
"""
from __future__ import annotations

import json
import os
import time
from typing import Any

from torch._C._distributed_c10d import _register_handler
from torch.distributed.debug._frontend import DebugHandler, NavLink, Route, fetch_all
from torch.distributed.debug._store import get_rank

from leakline_probe import own_files, raw_counters

from .live import size_text

own_files.add(__file__)
ENDPOINT = "leakline_memory"
OK = 200
TEMPLATE = """
{% extends "base.html" %}
{% block content %}
<h2>GPU memory of each rank</h2>
<table border=1 cellpadding=5><tr><th>Rank</th><th>GPU</th><th>Allocated</th><th>Peak</th><th>Reserved</th><th>PID</th></tr>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell | e }}</td>{% endfor %}</tr>{% endfor %}</table>
<p>What keeps it: <code>leakline attach PID</code> on the machine of the rank.</p>
{% endblock %}
"""


def samples() -> list[dict[str, Any]]:
    """What PyTorch's allocator has on each GPU that this process used, as leakline watch reads it, with the rank and the peak."""
    now = {"t": time.time(), "pid": os.getpid(), "name": f"rank {get_rank()}", "rank": get_rank()}
    return [{**now, "device": device, "allocated": stats["allocated_bytes"]["all"]["current"], "peak": stats["allocated_bytes"]["all"]["peak"],
             "reserved": stats["reserved_bytes"]["all"]["current"]} for device, stats in raw_counters() if stats["allocated_bytes"]["all"]["peak"]]


def _answer(_: Any, response: Any) -> None:
    response.set_content(json.dumps(samples()), "application/json")
    response.set_status(OK)


_register_handler(ENDPOINT, _answer)


class MemoryHandler(DebugHandler):  # type: ignore[misc]
    """The page /leakline, and the dumps named leakline."""

    def routes(self) -> list[Route]:
        return [Route("/leakline", self._page)]

    def nav_links(self) -> list[NavLink]:
        return [NavLink("/leakline", "GPU memory (Leakline)")]

    def templates(self) -> dict[str, str]:
        return {"leakline.html": TEMPLATE}

    def _of_all(self) -> list[tuple[int, list[dict[str, Any]]]]:
        """Ranks and their samples; of a rank that does not answer, none."""
        _, answers = fetch_all(ENDPOINT, timeout=self.fetch_timeout)
        return [(rank, json.loads(answer.text) if answer.status_code == OK else []) for rank, answer in enumerate(answers)]

    def _page(self, request: Any) -> Any:
        rows: list[list[Any]] = []
        for rank, seen in self._of_all():
            rows += [[rank, one["device"], *[size_text(one[name]) for name in ("allocated", "peak", "reserved")], one["pid"]] for one in seen]
            rows += [] if seen else [[rank, "", "no answer, or no GPU in use", "", "", ""]]
        return request.frontend.render_template("leakline.html", rows=rows)

    def dump(self) -> str:
        return "\n".join([json.dumps(one) for _, seen in self._of_all() for one in seen]) + "\n"

    def dump_filename(self) -> str:
        return "leakline"
