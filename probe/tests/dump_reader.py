"""Reads a holder dump for the tests and checks every CRC and every index."""
import collections
import gzip
import json
import struct
import zlib

COLUMNS = {"NODE": 6, "TENS": 5, "EDGE": 4}
KINDS = ("object module class running suspended finished function tensor storage autograd dict list tuple set cell container nn_module optimizer "
         "local_state exception").split()
ROOTS = ("module", "class", "running")


class Broken(Exception):
    """The file is not a whole dump."""


class Reader:
    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        self.sections, self.size = {}, len(content)
        self._read(content)
        self.strings = self._strings(self.sections["STRS"])
        self.nodes, self.tensors, self.edges = [self._rows(tag) for tag in ("NODE", "TENS", "EDGE")]
        self.storages = list(struct.iter_unpack("<iiQQQii", self.sections["STOR"]))
        self._check()
        self.parents = {}
        for source, target, label, kind in self.edges:
            self.parents.setdefault(target, []).append((source, self.strings[label], kind))

    def _read(self, content):
        if content[:8] != b"LKLHOLD1":
            raise Broken("magic")
        length = struct.unpack_from("<I", content, 8)[0]
        self.header = json.loads(content[12:12 + length])
        at = 12 + length
        while "DONE" not in self.sections:
            tag, size = struct.unpack_from("<4sQ", content, at)
            payload = content[at + 12:at + 12 + size]
            if zlib.crc32(payload) != struct.unpack_from("<I", content, at + 12 + size)[0]:
                raise Broken(f"crc of {tag} at {at}")
            self.sections[tag.decode()] = payload
            at += 16 + size
        if at != len(content):
            raise Broken("bytes after DONE")

    @staticmethod
    def _strings(payload):
        count, at, found = struct.unpack_from("<I", payload)[0], 4, []
        for _ in range(count):
            size = struct.unpack_from("<I", payload, at)[0]
            found.append(payload[at + 4:at + 4 + size].decode())
            at += 4 + size
        return found

    def _rows(self, tag):
        return list(struct.iter_unpack(f"<{COLUMNS[tag]}i", self.sections[tag]))

    def _check(self):
        texts, nodes = range(len(self.strings)), range(len(self.nodes))
        assert self.strings[0] == ""
        for kind, text, sort, _, refs, _ in self.nodes:
            assert kind in texts and text in texts and sort in range(20) and refs >= -1, (kind, text, sort, refs)
        for node, storage, *names in self.tensors:
            assert node in nodes and storage in range(len(self.storages)) and all(name in texts for name in names)
        for row in self.storages:
            assert row[0] == -1 or row[0] in nodes
        for source, target, label, kind in self.edges:
            assert source in nodes and target in nodes and label in texts and kind in range(10)

    def kind(self, node):
        return KINDS[self.nodes[node][2]]

    def type(self, node):
        return self.strings[self.nodes[node][0]]

    def text(self, node):
        return self.strings[self.nodes[node][1]]

    def path(self, node, through=None):
        """The shortest way from a root: [text of the root, label, type, label, ...], or None where no root leads here."""
        back, queue = {node: None}, collections.deque([node])
        while queue:
            here = queue.popleft()
            if self.kind(here) in ROOTS and (through is None or through in self.text(here)):
                return self._spell(here, back)
            if self.kind(here) in ROOTS:
                continue
            for source, label, kind in self.parents.get(here, ()):
                if source not in back:
                    back[source] = (here, label)
                    queue.append(source)
        return None

    def _spell(self, here, back):
        spelled = [f"{self.kind(here)} {self.text(here)}"]
        while back[here] is not None:
            here, label = back[here]
            spelled += [label, self.type(here)]
        return spelled

    def surplus(self, node):
        """References that no edge explains; edges of autograd into tensors are C++'s and do not count."""
        refs = self.nodes[node][4]
        return 0 if refs < 0 else refs - sum(1 for _, _, kind in self.parents.get(node, ()) if kind != 8)

    def bytes(self):
        return sum(row[4] for row in self.storages)

    def nodes_of_shape(self, shape):
        return [row[0] for row in self.tensors if self.strings[row[3]] == shape]


if __name__ == "__main__":
    import sys
    dump = Reader(sys.argv[1])
    print(json.dumps(dump.header), "\n", len(dump.nodes), "nodes", len(dump.edges), "edges", len(dump.storages), "storages", dump.bytes(), "bytes", dump.size, "file")
    ways = collections.Counter()
    size = collections.Counter()
    for row in dump.tensors:
        way = dump.path(row[0])
        key = " ".join("#" if part.isdigit() else part for part in way) if way else f"no root: {dump.strings[row[3]]} refs {dump.nodes[row[0]][4]} in {len(dump.parents.get(row[0], ()))}"
        ways[key[:300]] += 1
        size[key[:300]] += dump.storages[row[1]][4]
    for key, number in size.most_common(int(sys.argv[2]) if len(sys.argv) > 2 else 12):
        print(f"{number / 2**20:9.2f} MiB {ways[key]:6d}  {key}")
