#!/usr/bin/env python3
"""Makes a large profiler's trace from a small one: the same events over and over, later each time.

    big_trace.py SAMPLE.json[.gz] SIZE OUT.json      SIZE is bytes, with K, M or G for powers of 1024

Events are written as Kineto writes them, kind by kind as in the sample, so that a turn's memory events come before the Python calls around
them. What a turn leaves allocated is freed at its end, but for one block of 1 MiB in each: a leak for the reader to find. Sums go on
from turn to turn. Times are the sample's, each turn as long after the one before as the sample lasts."""
import gzip
import json
import sys

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LEAK = 1 << 20
LEAK_BASE = 0x600000000000  # apart from the sample's addresses, which are used again in each turn


def main():
    sample, size, out = sys.argv[1:]
    most = int(size[:-1]) * UNITS[size[-1]] if size[-1] in UNITS else int(size)
    with open(sample, "rb") as file:
        raw = file.read()
    trace = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    turn = Turn(trace.pop("traceEvents"))
    with open(out, "w") as file:
        file.write(json.dumps(trace, indent=2)[:-2] + ',\n  "traceEvents": [\n')
        number = 0
        while file.tell() < most:
            file.write(turn.text(number))
            number += 1
        file.write('  {"ph": "M", "name": "end"}\n  ]\n}\n')
    print(f"{number} turns, {number * len(turn.events):,} events, of which {number * turn.memory:,} about memory")


class Turn:
    def __init__(self, events):
        events = [event for event in events if isinstance(event.get("ts"), (int, float)) and event["ph"] != "M"]
        begin = min(event["ts"] for event in events)
        end = max(event["ts"] + event.get("dur", 0) for event in events)
        self.span = end - begin + 1
        memory = self.whole(sorted((event for event in events if event["name"] == "[memory]"), key=lambda event: event["ts"]), end)
        self.sums(memory)
        calls = [event for event in events if event["name"] != "[memory]" and event.get("dur", 0) < self.span / 2]
        self.events = memory + calls  # a call that lasts all the turn through would end and begin again
        self.memory = len(memory)

    @staticmethod
    def whole(memory, end):
        """Memory events in order, without frees of what is older, with frees of all that is left, and with the leak."""
        live, found, leaks = {}, [], False
        for event in memory:
            key = event["args"]["Device Id"], event["args"]["Addr"]
            if event["args"]["Bytes"] > 0:
                live[key] = event
            elif live.pop(key, None) is None:
                continue
            found.append(event)
            if event["args"]["Device Type"] and not leaks:
                leaks = True
                found.append(dict(event, args=dict(event["args"], Bytes=LEAK, Addr=LEAK_BASE)))
        return found + [dict(event, ts=end, args=dict(event["args"], Bytes=-event["args"]["Bytes"])) for event in live.values()]

    @staticmethod
    def sums(memory):
        allocated = {}
        for event in memory:
            args = event["args"] = dict(event["args"])
            allocated[args["Device Id"]] = allocated.get(args["Device Id"], 0) + args["Bytes"]
            args["Total Allocated"] = allocated[args["Device Id"]]

    def text(self, number):
        return "".join(written(self.later(event, number)) for event in self.events)

    def later(self, event, number):
        event = dict(event, ts=round(event["ts"] + number * self.span, 3))
        if event["name"] == "[memory]" and event["args"]["Device Type"]:
            args = event["args"] = dict(event["args"])
            args["Total Allocated"] += number * LEAK
            args["Total Reserved"] += number * LEAK
            args["Addr"] += number * LEAK if args["Addr"] == LEAK_BASE else 0
        return event


def written(event):
    """The layout of libkineto's output_json.cpp."""
    head = ", ".join(f'"{key}": {json.dumps(event[key])}' for key in ("ph", "cat", "s", "name", "pid", "tid") if key in event)
    times = ", ".join(f'"{key}": {event[key]}' for key in ("ts", "dur") if key in event)
    args = ",\n    \"args\": {\n      " + json.dumps(event["args"])[1:-1] + "\n    }" if "args" in event else ""
    return f"  {{\n    {head},\n    {times}{args}\n  }},\n"


if __name__ == "__main__":
    main()
