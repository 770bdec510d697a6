"""The trees of CPython's own parser, a line for each file that standard input names: what TreeDump makes of ours.

A node is its class with its place, "line:column-line:column", and its fields that say something, by name. Left out is what our tree leaves out:
contexts, type comments. Within format strings places are left out as well, as they were wrong before Python 3.12, and stretches of
text are joined.
"""

import ast
import io
import sys
import threading
import tokenize

LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "is_lazy", "str"}
KINDS = {bool: str, type(None): str, type(...): lambda _: "Ellipsis"}


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Dump:
    def __init__(self, data):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding, "surrogateescape")
        self.lines = None if text.isascii() else text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.parts = []

    def column(self, line, column):
        if self.lines is None or self.lines[line - 1].isascii():
            return column + 1
        return len(self.lines[line - 1].encode("utf-8", "surrogateescape")[:column].decode("utf-8", "replace")) + 1

    def place(self, node):
        return "@%d:%d-%d:%d" % (
            node.lineno,
            self.column(node.lineno, node.col_offset),
            node.end_lineno,
            self.column(node.end_lineno, node.end_col_offset),
        )

    def value(self, value, placed):
        if isinstance(value, ast.AST):
            self.node(value, placed)
        elif isinstance(value, list):
            self.parts.append("[")
            for i, item in enumerate(value):
                if i:
                    self.parts.append(" ")
                self.value(item, placed)
            self.parts.append("]")
        else:
            self.parts.append(str(value))

    def node(self, node, placed):
        name = type(node).__name__
        self.parts.append(name)
        if isinstance(node, ast.Constant):
            kind = type(node.value)
            self.parts.append("." + KINDS.get(kind, lambda _: kind.__name__)(node.value))
        if placed and hasattr(node, "lineno"):
            self.parts.append(self.place(node))
        self.parts.append("(")
        placed = placed and name not in ("JoinedStr", "TemplateStr")
        for field in sorted(node._fields):
            value = getattr(node, field, None)
            if field not in LEFT_OUT and value is not None and value != [] and not isinstance(node, ast.Constant):
                self.parts.append(" " + field + "=")
                self.value(value, placed)
        self.parts.append(")")


def dump(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "no Python"
    made = Dump(data)
    made.value(tree.body, True)
    return "".join(made.parts)


def main():
    import warnings

    warnings.simplefilter("ignore")
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    for line in sys.stdin:
        print(dump(line.rstrip("\n")), flush=True)


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
