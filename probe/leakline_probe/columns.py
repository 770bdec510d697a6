"""Collects the rows of a dump and makes its bytes.

A dump is MAGIC, a header in JSON, and sections: a tag, a length, the content, its CRC. STRS holds all texts, which rows name by number; NODE has a
row for each object, TENS for each tensor, STOR for each storage, EDGE for each reference; DONE ends a whole file. All numbers are little-endian.
"""
from __future__ import annotations

import array
import json
import struct
import sys
import zlib
from typing import Any

from .texts import cut
from .words import ATTRIBUTE, BUFFER, MAGIC, TENSOR

STRING_BYTES, STRING_TOTAL = 4096, 15 << 20  # the reader allows 16 MiB of texts
CUT_STRING = 900  # characters, which are less than STRING_BYTES in any script
NODE_COLUMNS, TENSOR_COLUMNS, EDGE_COLUMNS = 6, 5, 4
STORAGE_ROW = "<iiQQQii"


class Columns:
    """The rows of one dump: nodes are (type, text, kind, length, references, flags), edges (from, to, label, kind)."""

    def __init__(self) -> None:
        self.strings, self.string_bytes = {"": 0}, 0
        self.nodes, self.tensors, self.edges = array.array("i"), array.array("i"), array.array("i")
        self.storages = bytearray()

    def text(self, value: str) -> int:
        """The number of a text. One that is too long is cut; when there are too many, the empty one stands for it."""
        number = self.strings.get(value)
        if number is None:
            size = len(value.encode("utf-8", "replace"))
            if size > STRING_BYTES or self.string_bytes + size > STRING_TOTAL:
                return self.text(cut(value, CUT_STRING)) if size > STRING_BYTES else 0
            self.string_bytes += size + 4
            number = self.strings[value] = len(self.strings)
        return number

    def add_storage(self, *row: int) -> None:
        self.storages += struct.pack(STORAGE_ROW, *row)

    def mark_buffers(self) -> None:
        """Marks as buffers the tensors that a dict named _buffers holds."""
        edges, nodes = self.edges, self.nodes
        name = self.strings.get("_buffers")
        rows = range(0, len(edges), EDGE_COLUMNS)
        dicts = {edges[i + 1] for i in rows if edges[i + 2] == name and edges[i + 3] == ATTRIBUTE} if name else set()
        for i in rows:
            if edges[i] in dicts and nodes[edges[i + 1] * NODE_COLUMNS + 2] == TENSOR:
                nodes[edges[i + 1] * NODE_COLUMNS + 5] |= BUFFER

    def encode(self, header: dict[str, Any]) -> bytes:
        """All bytes of the file."""
        head = json.dumps(header).encode("utf-8", "replace")
        parts = [MAGIC, struct.pack("<I", len(head)), head]
        sections: list[tuple[bytes, bytes | array.array[int]]] = [(b"STRS", self._texts()), (b"NODE", self.nodes), (b"TENS", self.tensors),
                                                 (b"STOR", bytes(self.storages)), (b"EDGE", self.edges), (b"DONE", b"")]
        for tag, content in sections:
            payload = content if isinstance(content, bytes) else _little(content)
            parts += [tag, struct.pack("<Q", len(payload)), payload, struct.pack("<I", zlib.crc32(payload))]
        return b"".join(parts)

    def _texts(self) -> bytes:
        texts = [text.encode("utf-8", "replace") for text in self.strings]
        return struct.pack("<I", len(texts)) + b"".join([struct.pack("<I", len(text)) + text for text in texts])


def _little(numbers: array.array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
