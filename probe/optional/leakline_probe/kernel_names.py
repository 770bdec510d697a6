"""Says which names of a notebook keep each tensor, and which commands together free it.

A name is a variable, the outputs that IPython keeps (Out[6] is _6 and maybe _), the last traceback, a variable of a module, or a call that runs. From
each name, references are followed down to the storages; storages that the same names lead to are one row, and only all of its names together free it.
"""
from __future__ import annotations

import collections
import struct
from typing import NamedTuple, Optional

from leakline_probe import (CLASS, DICT, EDGE_COLUMNS, LIST, MODULE, NODE_COLUMNS, RUNNING, SET, STORAGE_ROW, TENSOR_COLUMNS, Columns,
                            own_files)

own_files.add(__file__)
MAIN = "__main__"
OUTPUTS, TRACEBACK = "%leakline free out", "%leakline free traceback"
TRACEBACKS = ".ultratb."  # in the types of what shows errors, and keeps the last
LAST_ERROR = "last_exc", "last_value", "last_traceback"
MOST_NAMES = 4
OWN_TYPES = "IPython.", "ipykernel.", "traitlets."  # of objects that lead to all of a kernel, and are not followed from a name
TRANSIENT = "ExecutionResult"  # IPython has the result of the cell before until this one ends
IPYTHON = "held by IPython itself; freed when the kernel restarts"


class Holding(NamedTuple):
    """Storages that the same names keep: their bytes, the names, a command that frees them or a remark."""
    size: int
    names: str
    cure: str
    remark: str


class Name(NamedTuple):
    """What keeps tensors: as it is shown, and the command that ends it."""
    text: str
    cure: str
    remark: str = ""


class _Graph:
    """The references of a dump, downwards."""

    def __init__(self, columns: Columns) -> None:
        self.texts, self.nodes = list(columns.strings), columns.nodes
        self.children: dict[int, list[tuple[int, str]]] = collections.defaultdict(list)
        for row in range(0, len(columns.edges), EDGE_COLUMNS):
            parent, child, label, _ = columns.edges[row:row + EDGE_COLUMNS]
            self.children[parent].append((child, self.texts[label]))
        self.rows = list(struct.iter_unpack(STORAGE_ROW, bytes(columns.storages)))
        self.storages: dict[int, list[int]] = collections.defaultdict(list)  # of each node
        for row in range(0, len(columns.tensors), TENSOR_COLUMNS):
            node, storage = columns.tensors[row:row + 2]
            self.storages[node].append(storage)
        for number, row_of in enumerate(self.rows):
            if row_of[0] >= 0:
                self.storages[row_of[0]].append(number)

        self.outputs = {child for node in range(len(self.nodes) // NODE_COLUMNS) if self.kind(node) == MODULE and self.text(node) == MAIN
                        for child, label in self.children[node] if label in ("Out", "_oh")}

    def below(self, node: int) -> list[tuple[int, str]]:
        """What an object refers to, its attributes as its own."""
        return [grand for child, label in self.children.get(node, ())
                for grand in (self.children.get(child, []) if label == "__dict__" else [(child, label)])]

    def is_ipythons(self, node: int) -> bool:
        return self.type(node).startswith(OWN_TYPES)

    def is_end(self, node: int) -> bool:
        """Whether a way from a name is not followed further: what is below has names of its own."""
        return self.kind(node) in (MODULE, CLASS, RUNNING) or node in self.outputs or self.is_ipythons(node)

    def kind(self, node: int) -> int:
        return self.nodes[node * NODE_COLUMNS + 2]

    def type(self, node: int) -> str:
        return self.texts[self.nodes[node * NODE_COLUMNS]]

    def text(self, node: int) -> str:
        return self.texts[self.nodes[node * NODE_COLUMNS + 1]]


def holdings(columns: Columns, before: set[int]) -> list[Holding]:
    """All storages of a dump but those known before, by what keeps them, the largest first."""
    graph = _Graph(columns)
    names: dict[int, set[Name]] = collections.defaultdict(set)  # of each storage
    for name, starts in _starts(graph).items():
        for storage in _reached(graph, starts):
            names[storage].add(name)
    sizes: collections.Counter[frozenset[Name]] = collections.Counter()
    for number, (_, _, key, _, size, *_) in enumerate(graph.rows):
        if key not in before and size:
            sizes[frozenset(names[number])] += size
    return [_holding(group, size) for group, size in sizes.most_common()]


def _starts(graph: _Graph) -> dict[Name, list[int]]:
    """The names, and the objects that each refers to."""
    starts: dict[Name, list[int]] = collections.defaultdict(list)
    outputs: dict[int, list[str]] = collections.defaultdict(list)
    own: list[int] = []
    for node in range(len(graph.nodes) // NODE_COLUMNS):
        kind = graph.kind(node)
        if kind == RUNNING:
            starts[Name(f"running call of {graph.text(node)}", "", "freed when the call returns")] += [child for child, _ in graph.below(node)]
        elif kind in (MODULE, CLASS):
            for child, label in graph.below(node):
                _add(graph, starts, outputs, node, child, label)
        elif graph.is_ipythons(node) and TRACEBACKS in graph.type(node):
            starts[Name("last traceback", TRACEBACK)] += [child for child, _ in graph.below(node)]
        elif graph.is_ipythons(node) and TRANSIENT not in graph.type(node):
            own.append(node)
    _add_ipythons(graph, starts, outputs, own)
    for child, labels in outputs.items():
        starts[_output_name(labels)].append(child)
    return starts


def _add_ipythons(graph: _Graph, starts: dict[Name, list[int]], outputs: dict[int, list[str]], own: list[int]) -> None:
    """What IPython's own objects refer to: outputs by their names, all else by none."""
    seen, stack = set(own), list(own)
    while stack:
        for child, label in graph.below(stack.pop()):
            if _is_output(label):
                outputs[child].append(label)
            elif child not in seen and not graph.is_end(child):
                seen.add(child)
                stack.append(child)
    starts[Name("IPython", "", IPYTHON)] += [node for node in seen if graph.storages.get(node)]


def _is_output(label: str) -> bool:
    return label in ("_", "__", "___") or label[:1] == "_" and label[1:].isdigit()


def _add(graph: _Graph, starts: dict[Name, list[int]], outputs: dict[int, list[str]], node: int, child: int, label: str) -> None:
    module = graph.text(node)
    if graph.kind(node) == MODULE and module == MAIN:
        if label in ("Out", "_oh"):
            for value, key in graph.children.get(child, ()):
                outputs[value].append(f"Out[{key}]")
        elif _is_output(label):
            outputs[child].append(label)
        else:
            starts[Name(label, _cure(graph, label, child))].append(child)
    elif graph.kind(node) == MODULE and module == "sys" and label in LAST_ERROR:
        starts[Name("last traceback", TRACEBACK)].append(child)
    elif graph.kind(node) == MODULE:
        variable = f"{module}.{label}"
        starts[Name(variable, f"import {module}; " + _cure(graph, variable, child, is_shared=True))].append(child)
    else:
        owner = module[len(MAIN) + 1:] if module.startswith(MAIN + ".") else module
        starts[Name(f"class {owner}: {label}", _cure(graph, f"{owner}.{label}", child, is_shared=True))].append(child)


def _cure(graph: _Graph, variable: str, child: int, is_shared: bool = False) -> str:
    """A container of a module or class is emptied and not deleted, for other code will use it again."""
    if graph.text(child).startswith("cache of "):
        return f"{variable}.cache_clear()"
    if not is_shared:
        return f"del {variable}"
    return f"{variable}.clear()" if graph.kind(child) in (DICT, LIST, SET) else f"{variable} = None"


def _output_name(labels: list[str]) -> Name:
    numbered = [label for label in labels if label.startswith("Out")]
    return Name(", ".join(sorted(set(numbered)) or sorted(set(labels))), OUTPUTS)


def _reached(graph: _Graph, starts: list[int]) -> set[int]:
    """The storages that references lead to."""
    seen, stack = set(starts), list(starts)
    found: set[int] = set()
    while stack:
        node = stack.pop()
        found.update(graph.storages.get(node, ()))
        if graph.is_end(node):
            continue
        for child, _ in graph.children.get(node, ()):
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return found


def _holding(group: frozenset[Name], size: int) -> Holding:
    if not group:
        return Holding(size, "no name", "import gc; gc.collect()", "")
    ordered = sorted(group, key=lambda name: (not name.cure, name.text))
    texts = [name.text for name in ordered[:MOST_NAMES]]
    more = len(ordered) - len(texts)
    names = ", ".join(texts) + (f" and {more} more" if more else "")
    remark: Optional[str] = next((name.remark for name in ordered if name.remark), None)
    if remark:
        return Holding(size, names, "", remark)
    lines = list(dict.fromkeys([name.cure for name in ordered]))
    magics, code = [line for line in lines if line[0] == "%"], [line for line in lines if line[0] != "%"]
    return Holding(size, names, ", then ".join(magics + (["; ".join(code)] if code else [])), "")
