#!/usr/bin/env python3
"""What a profiler's trace says about memory, worked out the slow and plain way.

    trace_oracle.py TRACE.json[.gz]     prints JSON: {"devices": [one entry for each device with memory events]}

The test of traces compares Leakline's answer with this one. Written from the format's description, not from Leakline's code; it loads the
whole file with json.

Bytes. -1 is the host. Events are those named [memory], sorted by time, and requests that failed. "start" is what was there before the first: by the event's own
sum, or, where events have none, what is freed and was never allocated (frees are matched to the youngest block of their size). "by_range"
has the bytes allocated in each range (function or operator): of those around an event in its thread the one that began last."""
import collections
import gzip
import json
import re
import sys

RANGES = ("python_function", "cpu_op", "Operator")
MARKED = re.compile(r"(ProfilerStep|Optimizer\..*|enumerate\(DataLoader\))#")


def load(path):
    with open(path, "rb") as file:
        raw = file.read()
    trace = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    return trace if isinstance(trace, list) else trace["traceEvents"]


def device_of(event):
    return -1 if event["args"]["Device Type"] == 0 else event["args"]["Device Id"]


def start_without_sums(events):
    blocks, start = collections.Counter(), 0
    for event in events:
        size = event["args"]["Bytes"]
        blocks[abs(size)] += 1 if size > 0 else -1
        if blocks[abs(size)] < 0:
            blocks[abs(size)], start = 0, start - size
    return start


def describe(device, events, failed, ranges):
    sums = "Total Allocated" in events[0]["args"]
    start = events[0]["args"]["Total Allocated"] - events[0]["args"]["Bytes"] if sums else start_without_sums(events)
    live, peak, at = start, start, -1
    for index, event in enumerate(events):
        live += event["args"]["Bytes"]
        assert not sums or live == event["args"]["Total Allocated"], f"device {device}: events are missing before {event}"
        if live > peak:
            peak, at = live, index
    return {
        "device": device,
        "events": len(events) + failed,
        "allocations": sum(event["args"]["Bytes"] > 0 for event in events),
        "start": start,
        "peak": peak,
        "peak_event": at,
        "end": live,
        "end_reserved": events[-1]["args"].get("Total Reserved", 0),
        "by_range": by_range([event for event in events if event["args"]["Bytes"] > 0], ranges),
    }


def by_range(events, ranges):
    """Goes through the ranges of each thread in the order of their beginnings, longest first, and keeps those that may still be open."""
    found = collections.Counter()
    for thread in {thread_of(event) for event in events}:
        started, open_ones = iter(ranges.get(thread, ())), []
        upcoming = next(started, None)
        for event in events:
            if thread_of(event) != thread:
                continue
            while upcoming and upcoming[0] <= event["ts"]:
                open_ones.append(upcoming)
                upcoming = next(started, None)
            open_ones = [one for one in open_ones if one[1] >= event["ts"]]
            found[open_ones[-1][2] if open_ones else ""] += event["args"]["Bytes"]
    return dict(sorted(found.items()))


def thread_of(event):
    return str(event["pid"]), str(event["tid"])


def ranges_by_thread(trace):
    threads = collections.defaultdict(list)
    for event in trace:
        if event.get("cat") in RANGES and (name := name_of(event)):
            threads[thread_of(event)].append((event["ts"], event["ts"] + event["dur"], plain(name)))
    for found in threads.values():
        found.sort(key=lambda one: (one[0], -one[1]))
    return threads


def name_of(event):
    """Ranges that somebody marked are passed over; where they name the calls that they are in, the innermost stands for them. The
    profiler's own steps are no part of any stack."""
    is_marked = event["cat"] == "Operator" and MARKED.match(event["name"])
    if is_marked and event["name"].startswith("ProfilerStep#"):
        return ""
    return event["args"].get("Call stack", "").split(";")[0] if is_marked else event["name"]


def plain(name):
    return re.sub(r" (object )?at 0x[0-9a-fA-F]+", "", name)


def main():
    trace = load(sys.argv[1])
    ranges = ranges_by_thread(trace)
    devices = collections.defaultdict(list)
    failed = collections.Counter()
    for event in trace:
        if event.get("name") == "[memory]":
            devices[device_of(event)].append(event)
        elif event.get("name") == "[OutOfMemory]":
            failed[device_of(event)] += 1
    for events in devices.values():
        events.sort(key=lambda event: event["ts"])
    json.dump({"devices": [describe(device, devices[device], failed[device], ranges) for device in sorted(devices)]}, sys.stdout)


if __name__ == "__main__":
    main()
