#!/usr/bin/env python3
"""What a CUDA memory snapshot says about its peak, worked out the slow and plain way.

    oracle.py SNAPSHOT.pickle[.gz] [-]  prints JSON: {"devices": [one entry for each device with events or segments]}; with - it reads from
                                        stdin what a replay says that allocations hold: {device: {event of the alloc: bytes}}

The differential test compares Leakline's answer with this one. Written from the format's description, not from Leakline's code; it loads
the whole file with pickle and is meant for recordings that are part of the project or of its corpus.

Bytes, times in microseconds. "event" is an index into the device's trace, sorted by time; -1 is the state before the first event.
"bytes" is what the allocator holds for an allocation (rounded), "requested_bytes" what the program requested."""
import collections
import gzip
import io
import itertools
import json
import pickle
import re
import sys

ALL_OF_TORCH = re.compile(r"(^|/)(site-packages|dist-packages)/(torch|triton|functorch|torchgen)/")
TORCH_CHECKOUT = re.compile(
    r"/torch/(nn|optim|autograd|cuda|utils|distributed|_dynamo|_inductor|_functorch|fx|jit|profiler|amp|_subclasses|_higher_order_ops"
    r"|_prims|_refs|_decomp|_library|export|func|backends|multiprocessing)/")
TORCH_FILES = tuple(f"/torch/{name}.py" for name in (
    "_tensor", "functional", "_ops", "_compile", "overrides", "serialization", "__init__", "_jit_internal", "storage", "random"))
LIBRARY = re.compile(r"(^|/)lib(64)?/python\d+(\.\d+)?t?/")
LIBRARY_ON_WINDOWS = re.compile(r"/(python\d*|anaconda\d*|miniconda\d*|miniforge\d*|envs/[^/]+)/lib/", re.IGNORECASE)
NATIVE_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hpp", ".hh", ".inc", ".S")
TIERS = ("user", "package", "torch", "python")  # best first: where a stack's site is looked for
BACKWARD_FILES = ("torch/autograd/__init__.py", "torch/_tensor.py")
BACKWARD_FUNCTIONS = ("backward", "grad", "_make_grads", "_engine_run_backward")


class Allocation:
    """One tenancy of an address: from birth (-1: before the recording) to death (None: never), as event indices."""

    def __init__(self, address, requested, birth, frames=(), backward=None, annotation=None):
        self.address, self.requested, self.held, self.birth, self.death = address, requested, None, birth, None
        self.frames, self.backward, self.annotation = frames, backward, annotation

    def lives_after(self, event):
        return self.birth <= event and (self.death is None or self.death > event)


class DataOnly(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"a snapshot holds data only, this file asks for {module}.{name}")


def load(path):
    with open(path, "rb") as file:
        raw = file.read()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    snapshot = DataOnly(io.BytesIO(raw)).load()  # what follows the STOP opcode is not looked at
    return {"segments": snapshot} if isinstance(snapshot, list) else snapshot


def is_native(frame):
    file = frame["filename"]
    if file in ("", "??") or file.endswith(NATIVE_SOURCES):
        return True
    return frame["line"] == 0 and not file.endswith(".py") and not file.startswith("<")


def tier(file):
    path = file.replace("\\", "/")
    if (ALL_OF_TORCH.search(path) or TORCH_CHECKOUT.search(path) or path.endswith(TORCH_FILES)
            or "/torchinductor_" in path or "/torch_compile_debug/" in path or path.startswith("<eval_with_key>")):
        return "torch"
    if "/site-packages/" in path or "/dist-packages/" in path:
        return "package"
    if LIBRARY.search(path) or LIBRARY_ON_WINDOWS.search(path):
        return "python"
    if path.startswith("<") and path not in ("<string>", "<stdin>") and not path.startswith("<ipython-input"):
        return "python"
    return "user"


def python_frames(frames):
    return [frame for frame in frames if not is_native(frame)]


def python_site(frames):
    """The innermost frame of the best tier among Python frames: (kind, file, line, function)."""
    for kind in TIERS:
        for frame in frames:
            if tier(frame["filename"]) == kind:
                return kind, frame["filename"], frame["line"], frame["name"]
    return None


def is_backward_call(frames):
    return any(frame["name"] in BACKWARD_FUNCTIONS and tier(frame["filename"]) == "torch"
               and frame["filename"].replace("\\", "/").endswith(BACKWARD_FILES) for frame in frames)


def site(allocation):
    """(kind, file, line, function) that an allocation is booked under."""
    found = python_site(python_frames(allocation.frames))
    if found:
        return found
    if allocation.backward:
        return ("backward",) + allocation.backward[1:]
    if allocation.annotation:
        return "annotation", "", 0, allocation.annotation
    names = [frame["name"] for frame in allocation.frames]  # no Python frames: all of them are native
    if names:
        return "native", "", 0, next((name for name in names if name.startswith("at::")), names[0])
    return ("before_recording" if allocation.birth == -1 else "no_stack"), "", 0, ""


class OpenBackward:
    """The backward call that is under way: autograd's own threads have no Python frames, so the call stands for them."""

    def __init__(self):
        self.site = self.thread = None

    def see(self, frames):
        frames = python_frames(frames)
        if not frames:
            return
        thread = frames[-1]["filename"], frames[-1]["name"]
        if is_backward_call(frames):
            self.site, self.thread = python_site(frames), thread
        elif thread == self.thread:
            self.site = self.thread = None


class OpenAnnotations:
    """The record_function ranges that are open on a device as time goes on. A range that begins or ends in the microsecond of an event
    does so before it."""

    def __init__(self, annotations, device):
        mine = [a for a in annotations if a["device"] == device]
        self.waiting = sorted(mine, key=lambda a: a["time_us"])
        self.next, self.open = 0, []

    def innermost(self, time_us):
        while time_us is not None and self.next < len(self.waiting) and self.waiting[self.next]["time_us"] <= time_us:
            annotation = self.waiting[self.next]
            self.next += 1
            name = annotation["name"]
            if annotation["stage"] == "START":
                self.open.append(name)
            elif name in self.open:
                del self.open[len(self.open) - 1 - self.open[::-1].index(name)]
        return self.open[-1] if self.open else None


Block = collections.namedtuple("Block", "size requested frames pending_free")


def blocks_in_use(segments):
    """The blocks that are not free at the end, by address."""
    found = {}
    for segment in segments:
        address = segment["address"]
        for block in segment["blocks"]:
            address = block.get("address", address)
            if block["state"] != "inactive":
                tenant = (block.get("history") or [{}])[0]  # torch 2.0 and older
                requested = block.get("requested_size", tenant.get("real_size", block["size"]))
                frames = block.get("frames", tenant.get("frames", []))
                found[address] = Block(block["size"], requested, frames, block["state"] != "active_allocated")
            address += block["size"]
    return found


def allocations_of(events, blocks, annotations):
    """Every allocation that lived at some time of the recording. A trace without any free_completed was told to skip them, or all its
    freed blocks still wait for another stream: then free_requested ends an allocation, except where the block is still waiting."""
    actions = {event["action"] for event in events}
    last_word = "free_completed" if "free_completed" in actions else "free_requested"
    found, live, ended, backward = [], {}, {}, OpenBackward()

    def begin(address, size, birth, *context):
        live[address] = Allocation(address, size, birth, *context)
        found.append(live[address])

    for i, event in enumerate(events):
        action, address, frames = event["action"], event.get("addr"), event.get("frames", [])
        annotation = annotations.innermost(event.get("time_us"))
        if not action.startswith("free"):  # some recordings give a free the stack of its allocation, which says nothing about now
            backward.see(frames)
        if action == "alloc":
            if address in live:
                live[address].death = i
            begin(address, event["size"], i, frames, backward.site, annotation)
        elif action in ("free_requested", "free_completed"):
            if address not in live:
                begin(address, event["size"], -1)
            if action == last_word:
                ended[address] = live.pop(address)
                ended[address].death = i

    for address, block in blocks.items():
        if address not in live and block.pending_free and last_word == "free_requested" and address in ended:
            live[address] = ended[address]
            live[address].death = None
        if address not in live:
            begin(address, block.requested, -1)
        if live[address].birth == -1 or not live[address].frames:
            live[address].frames = block.frames
    return found


def rounded(size, divisions):
    """What the allocator makes of a request; divisions is the setting roundup_power2_divisions, by interval (MiB, as a string)."""
    interval = min(max(size.bit_length() - 1 - 20, 0), 15)
    parts = divisions.get(str(1 << interval), 0)
    if parts > 1 and size > 512 * parts:
        step = (1 << (size.bit_length() - 1)) // parts  # 512 or more; divides a power of two, which stays as it is
    else:
        step = 512
    return max(1, -(-size // step)) * step


def live_bytes(allocations, size_of, count):
    """The sum over what is live after event -1, 0, ..., count - 1."""
    changes = [0] * (count + 1)
    for allocation in allocations:
        changes[allocation.birth + 1] += size_of(allocation)
        if allocation.death is not None:
            changes[allocation.death + 1] -= size_of(allocation)
    return list(itertools.accumulate(changes))


def reserved_bytes(events, end):
    """The same for the segments, walked back from their sum at the end."""
    sign = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
    changes = [sign.get(event["action"], 0) * event["size"] for event in events]
    return list(itertools.accumulate(changes, initial=end - sum(changes)))


def by_site(allocations):
    rows = {}
    for allocation in allocations:
        row = rows.setdefault(site(allocation), [0, 0, 0])
        row[0] += allocation.held
        row[1] += allocation.requested
        row[2] += 1
    keys = "kind", "file", "line", "function", "bytes", "requested_bytes", "blocks"
    table = [dict(zip(keys, (*key, *row))) for key, row in rows.items()]
    return sorted(table, key=lambda row: (-row["bytes"], row["file"], row["line"], row["function"], row["kind"]))


def answer(device, events, segments, annotations, divisions, replayed):
    if all("time_us" in event for event in events):
        events = sorted(events, key=lambda event: event["time_us"])
    blocks = blocks_in_use(segments)
    allocations = allocations_of(events, blocks, OpenAnnotations(annotations, device))
    for a in allocations:
        at_the_end = a.death is None and a.address in blocks
        a.held = blocks[a.address].size if at_the_end else replayed.get(str(a.birth), rounded(a.requested, divisions))
    held = live_bytes(allocations, lambda a: a.held, len(events))
    requested = live_bytes(allocations, lambda a: a.requested, len(events))
    end_reserved = sum(segment["total_size"] for segment in segments)
    reserved = reserved_bytes(events, end_reserved)
    peak = held.index(max(held)) - 1
    return {
        "device": device, "events": len(events),
        "start_bytes": held[0], "start_requested_bytes": requested[0],
        "peak": {"bytes": held[peak + 1], "event": peak, "requested_bytes": requested[peak + 1], "reserved_bytes": reserved[peak + 1],
                 "time_us": events[peak].get("time_us") if peak >= 0 else None},
        "peak_requested_bytes": max(requested), "end_bytes": held[-1], "end_reserved_bytes": end_reserved,
        "by_site": by_site([a for a in allocations if a.lives_after(peak)]),
    }


def answers(snapshot, replayed):
    segments, traces = snapshot["segments"], snapshot.get("device_traces", [])
    divisions = snapshot.get("allocator_settings", {}).get("roundup_power2_divisions", {})
    annotations = snapshot.get("external_annotations", [])
    devices = {segment["device"] for segment in segments} | {i for i, trace in enumerate(traces) if trace}
    return [answer(device, traces[device] if device < len(traces) else [], [s for s in segments if s["device"] == device],
                   annotations, divisions, replayed.get(str(device), {})) for device in sorted(devices)]


if __name__ == "__main__":
    replays = json.load(sys.stdin) if sys.argv[2:] == ["-"] else {}
    json.dump({"devices": answers(load(sys.argv[1]), replays)}, sys.stdout, indent=1)
    print()
