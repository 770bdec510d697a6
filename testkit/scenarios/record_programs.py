#!/usr/bin/env python3
"""Runs the programs of programs/ and records each one's memory snapshot and its truth.

    python record_programs.py [NAME ...]         all programs, or those named, into programs/recorded/
    python record_programs.py --sources FOLDER   only writes what they are without marks, for whoever analyses recordings with sources

Needs torch, a GPU or a stand-in for one (two for programs that say so), and the libraries that the named programs import.

A program is a script as users write them: it starts the recording, works STEPS steps (from the environment) and writes snapshot.pickle. Its
comments that begin with '# @' are the truth and never run: '@truth' is JSON, '@advice' the words that a first advice must hold (a regular
expression), '@says' those that the reason must hold, '@site' marks a line to blame, '@holder' the line that keeps, and '@fix CODE' is what to write in the line's place. Each program runs
in a process of its own, forked from one that has imported the libraries, from a copy without these comments. File names are made neutral as
record.py does it, and the frames below the program's own are left out."""
import gzip
import importlib
import json
import os
import pathlib
import pickle
import re
import signal
import sys
import sysconfig
import tempfile
import traceback
import types

from record import neutral

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
RECORDED = PROGRAMS / "recorded"
PROBE = HERE.parent.parent / "probe" / "tests"
MARK = re.compile(r"[ \t]*# @.*$", re.MULTILINE)
FIX = re.compile(r"^([ \t]*).*?# (?:@\w+ )*@fix (.*)$")
INTERPRETER = re.compile(r"^/.*/Python-[\d.]+/")
LIBRARIES = ("accelerate", "fastapi", "lightning", "peft", "timm", "torchmetrics", "transformers", "uvicorn")
LIMIT_S = 300


def main() -> int:
    if sys.argv[1:2] == ["--sources"]:
        for name in all_names():
            (pathlib.Path(sys.argv[2]) / f"{name}.py").write_text(unmarked(source(name)))
        return 0
    names = [pathlib.Path(name).stem for name in sys.argv[1:]] or all_names()
    prepare(names)
    return 1 if [name for name in names if not record(name)] else 0


def all_names() -> list:
    return sorted(path.stem for path in PROGRAMS.glob("*.py"))


def source(name: str) -> str:
    return (PROGRAMS / f"{name}.py").read_text()


def unmarked(text: str) -> str:
    return MARK.sub("", text)


def corrected(text: str) -> str:
    """The program with every '@fix' in its line's place; '\\n' in one begins a new line at the same depth."""
    def fixed(line: str) -> str:
        found = FIX.match(line)
        return "\n".join(found[1] + part for part in found[2].split("\\n")) if found else line
    return unmarked("\n".join(fixed(line) for line in text.split("\n")))


def truth_of(name: str) -> dict:
    text = source(name)
    truth = json.loads("".join(re.findall(r"# @truth (.*)", text)))
    lines = list(enumerate(text.split("\n"), 1))
    for key in ("site", "holder"):
        truth[key + "s"] = [f"{name}.py:{number}" for number, line in lines if re.search(rf"# (?:@\w+ )*@{key}\b", line)]
    for key in ("advice", "says"):
        if words := re.search(rf"# @{key} (.*)", text):
            truth[key] = words[1]
    return dict(truth, scenario=name)


def prepare(names: list) -> None:
    """Imports once what the programs import, but does not touch a GPU: what is forked from here starts at once."""
    import torch
    torch.backends.cudnn.enabled = False
    sys.path.insert(0, str(PROBE))
    for library in LIBRARIES:
        if any(re.search(rf"^(?:import|from) {library}\b", source(name), re.MULTILINE) for name in names):
            importlib.import_module(library)


def run(name: str, text: str, steps=None, holders=None, collect=True) -> dict:
    """The snapshot that the program writes, file names neutral; an error of its own ends the run only if it wrote none."""
    with tempfile.TemporaryDirectory() as place:
        app = pathlib.Path(place).resolve() / "app"
        app.mkdir()
        file = app / f"{name}.py"
        file.write_text(text)
        sys.stdout.flush()
        child = os.fork()
        if not child:
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, range(truth_of(name).get("gpus", 1))))
            inside(file, steps, holders, collect)
        _, status = os.waitpid(child, 0)
        if not (app / "snapshot.pickle").exists():
            raise RuntimeError(f"{name} wrote no snapshot (status {status}):\n{(app / 'log').read_text()[-3000:]}")
        snapshot = pickle.loads((app / "snapshot.pickle").read_bytes())
        make_neutral(snapshot, str(app))
        return snapshot


def inside(file: pathlib.Path, steps, holders, collect: bool) -> None:
    code = 1
    try:
        signal.alarm(LIMIT_S)
        os.chdir(file.parent)
        log = os.open("log", os.O_CREAT | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        if steps:
            os.environ["STEPS"] = str(steps)
        if holders:
            dump_beside(holders)
        if not collect:
            import gc
            gc.disable()
            gc.collect = lambda *_: 0
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        module.__file__ = str(file)
        sys.path.insert(0, str(file.parent))
        sys.argv = [str(file)]
        exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def dump_beside(path) -> None:
    """A holder dump of the moment before the program writes its snapshot."""
    import torch
    from built import leakline_probe
    write = torch.cuda.memory._dump_snapshot

    def both(*arguments, **options):
        leakline_probe.dump(str(path), "request")
        write(*arguments, **options)
    torch.cuda.memory._dump_snapshot = both


def make_neutral(snapshot: dict, app: str) -> None:
    """Rewrites each file name once (frames are shared between events) and cuts off the frames of this script, which are outermost."""
    paths = sysconfig.get_paths()
    folders = {app: "/app", paths["purelib"]: "/venv/site-packages", paths["stdlib"]: "/usr/lib/python3"}
    traces = snapshot["device_traces"] + [trace for trace in snapshot.get("host_traces", []) if isinstance(trace, list)]
    entries = [entry for trace in traces for entry in trace]
    entries += [entry for entry in snapshot.get("host_traces", []) if isinstance(entry, dict)]
    segments = snapshot["segments"] + snapshot.get("host_segments", [])
    entries += segments + [block for segment in segments for block in segment["blocks"]]
    stacks = {id(entry["frames"]): entry["frames"] for entry in entries if "frames" in entry}
    for frames in stacks.values():
        frames[:] = [frame for frame in frames if not frame["filename"].startswith(str(HERE) + "/")]
    for frame in {id(frame): frame for frames in stacks.values() for frame in frames}.values():
        generated, origin, file = frame["filename"].rpartition(" from ")
        frame["filename"] = generated + origin + neutral(INTERPRETER.sub("", file), folders)


def record(name: str) -> bool:
    truth = truth_of(name)
    holders = RECORDED / f"{name}.holders" if truth.pop("dump", False) else None
    try:
        snapshot = run(name, unmarked(source(name)), holders=holders)
    except (RuntimeError, SystemExit) as error:
        print(f"{name}: FAILED\n{error}")
        return False
    write(RECORDED / f"{name}.pickle.gz", pickle.dumps(snapshot))
    if holders:
        write(RECORDED / f"{name}.holders.gz", holders.read_bytes())
        holders.unlink()
    import torch
    (RECORDED / f"{name}.truth.json").write_text(json.dumps(dict(truth, torch=torch.__version__), indent=1) + "\n")
    events = sum(len(trace) for trace in snapshot["device_traces"])
    print(f"{name}: {truth['verdict']}, {events} events, {(RECORDED / f'{name}.pickle.gz').stat().st_size / 1024:.0f} KiB", flush=True)
    return True


def write(path: pathlib.Path, content: bytes) -> None:
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)


if __name__ == "__main__":
    sys.exit(main())
