"""Walks autograd's graph, which Python's collector cannot see: from each tensor to the nodes that made it, and to the tensors that these saved.

The graph is read in the main thread only, since backward, which frees what is read, may run in another one; read from there, it would break the
heap. No saved tensor is unpacked where a hook of the job would run.
"""
from __future__ import annotations

import collections
import sys
import time
from typing import Any, Optional, Sequence

from .errors import pass_on
from .frames import is_main_thread
from .state import State
from .torch_facts import shape_of
from .words import GRAPH, INTERNAL, TENSOR

GRAPH_NODES, GRAPH_SECONDS = 200_000, 1.0  # 5 us a node: what a pause may cost
GRAPH_TURN = 10_000  # nodes, so that one huge graph leaves room for others
_RAW = "_raw_saved_"  # how the names of what a node saved begin


class Graph:
    """The walk of one look."""

    def __init__(self, state: State, known_nodes: set[int], has_saving_hooks: bool, seconds: float) -> None:
        self.state, self.facts, self.has_saving_hooks, self.seconds = state, state.facts, has_saving_hooks, seconds
        self.known_nodes = known_nodes  # ids of nodes that Python had made before we asked
        self.fields: dict[int, tuple[list[str], bool]] = {}  # of a type of node: the names of what it saves, whether it has a variable

    def walk(self, tensors: list[Any], is_allowed: bool) -> None:
        """Takes what the graphs of these tensors hold; gradients are added to the tensors."""
        objection = _objection(is_allowed)
        starts = self._read_tensors(tensors, not objection)
        if objection:
            self.state.remarks.graph_reason = objection
            return
        self.state.remarks.graph = "walked"
        self._visit_all(starts)
        self.state.made = {place for place in self.state.made if id(self.state.hold[place]) not in self.known_nodes}

    # -- what tensors refer to

    def _read_tensors(self, tensors: list[Any], reads_graph: bool) -> list[int]:
        """Returns the nodes that made them, the first of each kind first, so that a walk cut short has seen all kinds."""
        starts: list[tuple[int, int]] = []
        seen: collections.Counter[Any] = collections.Counter()
        for tensor in tensors:  # which grows meanwhile
            place = self.state.at[id(tensor)]
            self._read_dict(tensor, place)
            if not reads_graph or self.facts.is_wrapper(type(tensor)):
                continue
            try:
                node = self._read_tensor(tensor, place, tensors)
                if node is not None:
                    kind = id(type(tensor)), id(type(node)), shape_of(self.facts, tensor)
                    seen[kind] += 1
                    starts.append((seen[kind], self.state.at[id(node)]))
            except Exception as error:
                self.state.remarks.trouble("a tensor's graph", error)
        starts.sort(key=lambda pair: pair[0])
        return [place for _, place in starts]

    def _read_dict(self, tensor: Any, place: int) -> None:
        """Up to torch 2.9 the collector does not show a tensor's own attributes where C++ owns it too."""
        names = self.state.kinds.own_dict(tensor)
        if names:
            self.state.attribute_dicts.add(id(names))
            self.state.lead(place, names, "__dict__", INTERNAL)

    def _read_tensor(self, tensor: Any, place: int, tensors: list[Any]) -> Any:
        """The node that made a tensor, or None. A leaf has a gradient instead; that of others must not be requested, as torch warns of it."""
        node = self.facts.grad_fn(tensor)
        if node is not None:
            self._edge(place, node, "grad_fn")
        elif self.facts.requires_grad(tensor):
            gradient = self.facts.grad(tensor)
            if gradient is not None:
                if id(gradient) not in self.state.at:
                    tensors.append(gradient)
                self._edge(place, gradient, "grad")
        return node

    def _edge(self, place: int, child: Any, label: str) -> None:
        if id(child) not in self.state.at:
            self.state.made.add(self.state.take(child))
        self.state.lead(place, child, label, GRAPH)

    # -- nodes

    def _visit_all(self, starts: list[int]) -> None:
        """Walks one graph after the other, large ones in turns, until there is no time left.

        Whole graphs of all kinds say more than the tops of all graphs.
        """
        limit = time.thread_time() + min(GRAPH_SECONDS, self.seconds)
        seen, queues = set(starts), [collections.deque([first]) for first in dict.fromkeys(starts)]
        graphs, nodes = len(queues), len(starts)
        while queues:
            following = []
            for number, queue in enumerate(queues):
                nodes += self._visit_some(queue, seen, limit)
                if queue:
                    following.append(queue)
                if nodes > GRAPH_NODES or time.thread_time() > limit:
                    self._cut(len(following) + len(queues) - number - 1, graphs)
                    return
            queues = following

    def _cut(self, left: int, graphs: int) -> None:
        if left:
            self.state.remarks.graph = "cut"
            self.state.remarks.graph_reason = (f"the graphs of {graphs - left} of {graphs} tensors were read completely, "
                                               "the first of each kind first")

    def _visit_some(self, queue: collections.deque[int], seen: set[int], limit: float) -> int:
        """One turn in one graph; returns the number of nodes that were new."""
        before = len(seen)
        while queue and len(seen) - before < GRAPH_TURN and time.thread_time() < limit:
            place = queue.popleft()
            for child in self._visit(place, self.state.hold[place]):
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
        return len(seen) - before

    def _visit(self, place: int, node: Any) -> list[int]:
        """Notes the edges of one node; returns the places of the nodes that it leads to."""
        saved, has_variable = self._fields_of(type(node))
        following: list[int] = []
        try:
            for index, (child, _) in enumerate(node.next_functions):
                if child is not None:
                    self._edge(place, child, f"next_functions[{index}]")
                    following.append(self.state.at[id(child)])
            if has_variable:
                self._edge(place, node.variable, "variable")
        except Exception as error:
            self.state.remarks.trouble("an autograd node", error)
        for name in saved:
            following += self._saved(place, node, name)
        return following

    def _fields_of(self, kind: type) -> tuple[list[str], bool]:
        known = self.fields.get(id(kind))
        if known is None:
            names = dir(kind)
            known = self.fields[id(kind)] = [name for name in names if name.startswith(_RAW)], "variable" in names
        return known

    # -- what nodes saved

    def _saved(self, place: int, node: Any, name: str) -> Sequence[int]:
        try:
            raw = getattr(node, name)
        except Exception as error:  # RuntimeError: the graph was freed by backward, which is what one hopes for
            pass_on(error)
            return ()
        following: list[int] = []
        several = type(raw) is tuple or type(raw) is list
        for index, saved in enumerate(raw if several else (raw,)):
            value = self._unpacked(node, name, index if several else None, saved)
            if value is not None:
                self._edge(place, value, name[5:] + (f"[{index}]" if several else ""))
                following += self._node_of_saved(value)
        return following

    def _node_of_saved(self, value: Any) -> Sequence[int]:
        """The node that made a saved tensor: its graph is kept alive too."""
        if self.state.kind(type(value)) != TENSOR or self.facts.is_wrapper(type(value)):
            return ()
        inner = self.facts.grad_fn(value)
        if inner is None:
            return ()
        self._edge(self.state.at[id(value)], inner, "grad_fn")
        return (self.state.at[id(inner)],)

    def _unpacked(self, node: Any, name: str, index: Optional[int], saved: Any) -> Any:
        """The saved tensor, or what a pack hook made of it; None where only an unpack hook of the job could tell."""
        if saved is None:
            return None
        try:
            if hasattr(type(saved), "unpack_hook"):  # since torch 2.10, which shows what is packed
                return saved.data
            if self.has_saving_hooks:
                self.state.remarks.add("saved tensors were not read: saved-tensor hooks are in use")
                return None
            if name == "_raw_saved_tensors" and not hasattr(type(node), "_saved_tensors"):
                value = node.saved_tensors
            else:
                value = getattr(node, name[4:])
            return value if index is None else value[index]
        except Exception as error:
            pass_on(error)
            return None


def _objection(is_allowed: bool) -> str:
    """Why the graph must be left alone, or nothing."""
    if not is_allowed:
        return "the main thread waited in C, where autograd cannot be read safely"
    if not is_main_thread():
        return "the dump ran in a second thread, where autograd cannot be read safely"
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return "this Python runs without the global interpreter lock"
    return ""
