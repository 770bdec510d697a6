"""Finds loops in a graph of references: strongly connected components, and the shortest way around one."""
from __future__ import annotations

import collections
from typing import Iterator

Links = dict[int, list[int]]  # by place, the places of others


def loops_of(children: Links) -> dict[int, int]:
    """The number of the loop for each node that is in one: Tarjan's algorithm without recursion, as chains may be long."""
    search = _Tarjan(children)
    for root in children:
        if root not in search.order:
            search.from_root(root)
    return search.loops


class _Tarjan:
    def __init__(self, children: Links) -> None:
        self.children = children
        self.order: dict[int, int] = {}  # when a node was met
        self.low: dict[int, int] = {}  # the earliest node that it leads back to; only of nodes on the path
        self.path: list[int] = []
        self.stack: list[tuple[int, Iterator[int]]] = []
        self.loops: dict[int, int] = {}

    def from_root(self, root: int) -> None:
        self._enter(root)
        while self.stack:
            node, rest = self.stack[-1]
            for child in rest:
                if child not in self.order:
                    self._enter(child)
                    break
                if child in self.low:
                    self.low[node] = min(self.low[node], self.order[child])
            else:
                self._leave(node)

    def _enter(self, node: int) -> None:
        self.order[node] = self.low[node] = len(self.order)
        self.path.append(node)
        self.stack.append((node, iter(self.children.get(node, ()))))

    def _leave(self, node: int) -> None:
        self.stack.pop()
        if self.stack:
            before = self.stack[-1][0]
            self.low[before] = min(self.low[before], self.low[node])
        if self.low[node] == self.order[node]:
            self._close(node)

    def _close(self, node: int) -> None:
        """All nodes on the path from this one on are one component; it is a loop if it has several nodes, or one that refers to itself."""
        members: list[int] = []
        while not members or members[-1] != node:
            members.append(self.path.pop())
            del self.low[members[-1]]
        if len(members) > 1 or node in self.children.get(node, ()):
            self.loops.update(dict.fromkeys(members, self.order[node]))


def way_around(first: int, children: Links, loops: dict[int, int]) -> list[int]:
    """The shortest way from a node of a loop back to it; it begins and ends with that node."""
    back: dict[int, int] = {}
    queue = collections.deque([first])
    while True:
        here = queue.popleft()
        for child in children.get(here, ()):
            if child == first:
                return _way_back(first, here, back)
            if child not in back and loops.get(child) == loops[first]:
                back[child] = here
                queue.append(child)


def _way_back(first: int, here: int, back: dict[int, int]) -> list[int]:
    way = [first, here]
    while here != first:
        here = back[here]
        way.append(here)
    return way[::-1]
