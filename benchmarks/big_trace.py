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
LEAK_BASE = 0x7F0000000000  # apart from the sample's addresses, which are reused in each turn


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
        self.events = [event for event in events if isinstance(event.get("ts"), (int, float)) and event["ph"] != "M"]
        times = [event["ts"] for event in self.events] + [event["ts"] + event.get("dur", 0) for event in self.events]
        self.span = max(times) - min(times) + 1
        memory = [event for event in self.events if event["name"] == "[memory]"]
        self.events += self.endings(memory, max(times))
        self.memory = sum(event["name"] == "[memory]" for event in self.events)

    @staticmethod
    def endings(memory, end):
        """Frees of all that is left, and the leak."""
        live = {}
        for event in sorted(memory, key=lambda event: event["ts"]):
            args = event["args"]
            key = args["Device Type"], args["Device Id"], args["Addr"]
            if args["Bytes"] > 0:
                live[key] = event
            else:
                live.pop(key, None)
        found = []
        for event in live.values():
            args = dict(event["args"], Bytes=-event["args"]["Bytes"])
            args["Total Allocated"] += args["Bytes"]
            found.append(dict(event, ts=end, args=args))
        gpu = next(event for event in memory if event["args"]["Device Type"])
        inside = next(event for event in memory if event["args"]["Device Type"] and event["args"]["Bytes"] > 0)
        found.append(dict(gpu, ts=inside["ts"], args=dict(gpu["args"], Bytes=LEAK, Addr=0)))
        return found

    def text(self, number):
        parts = []
        for event in self.events:
            event = dict(event, ts=round(event["ts"] + number * self.span, 3))
            args = event.get("args")
            if event["name"] == "[memory]" and args["Device Type"]:
                args = dict(args)
                args["Total Allocated"] += number * LEAK
                args["Total Reserved"] += number * LEAK
                args["Addr"] = args["Addr"] or LEAK_BASE + number * LEAK
                event["args"] = args
            elif args and event.get("dur", 0) > self.span / 2:
                continue  # a call that lasts all the turn through would end and begin again
            parts.append(written(event))
        return "".join(parts)


def written(event):
    """The layout of libkineto's output_json.cpp."""
    head = ", ".join(f'"{key}": {json.dumps(event[key])}' for key in ("ph", "cat", "s", "name", "pid", "tid") if key in event)
    times = ", ".join(f'"{key}": {event[key]}' for key in ("ts", "dur") if key in event)
    args = ",\n    \"args\": {\n      " + json.dumps(event["args"])[1:-1] + "\n    }" if "args" in event else ""
    return f"  {{\n    {head},\n    {times}{args}\n  }},\n"


if __name__ == "__main__":
    main()
