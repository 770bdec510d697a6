"""Answers, inside the job, who keeps one tensor alive: holders(tensor)."""
from __future__ import annotations

import collections
from typing import Any, Optional

from .columns import EDGE_COLUMNS, NODE_COLUMNS, TENSOR_COLUMNS, Columns
from .dumping import Dump, run_alone
from .errors import entry
from .torch_facts import torch_ready
from .words import ATTRIBUTE, CLASS, CLOSURE, DEFAULT, GRAPH, INDEX, INTERNAL, LOCAL, MODULE, OTHER_KEY, RUNNING, STRING_KEY

MOST_HOLDERS = 20
_starts = {RUNNING: "running call of {}:", MODULE: "module {}:", CLASS: "class {}:"}
_links = {ATTRIBUTE: ".{}", STRING_KEY: "['{}']", OTHER_KEY: "[{}]", INDEX: "[{}]", LOCAL: " {}", CLOSURE: " closure {}", DEFAULT: " default {}",
          GRAPH: ".{}", INTERNAL: ""}


@entry
def holders(tensor: Any) -> list[str]:
    """Who keeps a tensor's memory alive, the nearest first: "running call of fit (train.py:12): self.losses[3]". Empty where Python does not show it.

    A line for each module, class or running call that leads to it, by the shortest way. It takes as long as a dump; nothing is written.
    """
    facts = torch_ready()
    where = facts.place(tensor, []) if facts else None
    if facts is None or where is None:
        return []
    kind = "cpu" if facts.device(tensor).type == "cpu" else "cuda"
    del tensor
    return holders_of(where[0], kind)


def holders_of(storage: int, device_kind: str) -> list[str]:
    """The same for a storage that is known by its key."""
    made = Dump("request", device_kind, None, only=storage)
    return _lines_of(made.columns) if run_alone(made) else []


def _lines_of(columns: Columns) -> list[str]:
    texts, nodes, edges = list(columns.strings), columns.nodes, columns.edges
    parents: dict[int, list[tuple[int, str, int]]] = {}
    for row in range(0, len(edges), EDGE_COLUMNS):
        parent, child, label, kind = edges[row:row + EDGE_COLUMNS]
        parents.setdefault(child, []).append((parent, texts[label], kind))
    starts = set(columns.tensors[::TENSOR_COLUMNS])
    back: dict[int, Optional[tuple[int, str, int]]] = dict.fromkeys(starts)
    queue = collections.deque(starts)
    lines: list[str] = []
    while queue and len(lines) < MOST_HOLDERS:
        here = queue.popleft()
        kind = nodes[here * NODE_COLUMNS + 2]
        if kind in _starts:
            lines.append(_starts[kind].format(texts[nodes[here * NODE_COLUMNS + 1]]) + _way_from(here, back))
            continue
        for parent, name, sort in parents.get(here, ()):
            if parent not in back:
                back[parent] = here, name, sort
                queue.append(parent)
    return lines


def _way_from(here: int, back: dict[int, Optional[tuple[int, str, int]]]) -> str:
    text, link = "", back[here]
    while link is not None:
        here, label, kind = link
        text += _links.get(kind, " ...").format(label)
        link = back[here]
    return text if text.startswith(" ") else " " + text.lstrip(".")

