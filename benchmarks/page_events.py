#!/usr/bin/env python3
"""Adds up the events of a snapshot by line of code, with pickle alone, for page.mjs to hold a page against.

    benchmarks/page_events.py SNAPSHOT FOLDER

Writes FOLDER/changes.f64 (by how many bytes each event changes what is live: the request rounded up to 512 bytes), FOLDER/lines.u8 (the number of the
line that its block is of) and FOLDER/lines.json (the lines, and what of each was live before the first event). Takes seven times the snapshot's size.
"""
import array
import gc
import json
import os
import pickle
import sys

OLDER = "(allocated before the recording)"
NOBODY = "(no frame of the program)"
LIBRARIES = ("/site-packages/", "/dist-packages/", "/lib/python", "<")
ROUNDING = 512


def is_program(frame):
    file = frame["filename"]
    return file != "??" and "." in os.path.basename(file) and not any(part in file for part in LIBRARIES)


def line_of(frames):
    frame = next(filter(is_program, frames), None)
    return NOBODY if frame is None else f"{os.path.basename(frame['filename'])}:{frame['line']} ({frame['name']})"


class Lines:
    """Numbers of lines; lists of frames that are the same object are looked at once."""

    def __init__(self):
        self.numbers = {}
        self.known = {}

    def number(self, name):
        return self.numbers.setdefault(name, len(self.numbers))

    def of(self, frames):
        if id(frames) not in self.known:
            self.known[id(frames)] = self.number(line_of(frames))
        return self.known[id(frames)]


def rounded(size):
    return -(-max(size, 1) // ROUNDING) * ROUNDING


def left_over(snapshot, live):
    """The blocks that are live at the end and were not allocated in the recording: bytes and frames."""
    for segment in snapshot["segments"]:
        for block in segment["blocks"]:
            if block["state"].startswith("active") and block["address"] not in live:
                yield block["size"], block.get("frames", [])


def added_up(snapshot):
    lines = Lines()
    live = {}
    before = {}
    changes, numbers = array.array("d"), array.array("B")
    for event in snapshot["device_traces"][0]:
        change, line = 0, 0
        if event["action"] == "alloc":
            change, line = live[event["addr"]] = rounded(event["size"]), lines.of(event["frames"])
        elif event["action"] == "free_completed":
            known = live.pop(event["addr"], None)
            size, line = known or (rounded(event["size"]), lines.number(OLDER))
            before[line] = before.get(line, 0) + (0 if known else size)
            change = -size
        changes.append(change)
        numbers.append(line)
    for size, frames in left_over(snapshot, live):
        line = lines.number(line_of(frames) if frames else OLDER)
        before[line] = before.get(line, 0) + size
    return changes, numbers, list(lines.numbers), before


def main(file, folder):
    gc.disable()
    with open(file, "rb") as source:
        changes, numbers, names, before = added_up(pickle.load(source))
    os.makedirs(folder, exist_ok=True)
    for name, column in (("changes.f64", changes), ("lines.u8", numbers)):
        with open(os.path.join(folder, name), "wb") as out:
            column.tofile(out)
    with open(os.path.join(folder, "lines.json"), "w") as out:
        json.dump({"names": names, "before": [before.get(i, 0) for i in range(len(names))]}, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
