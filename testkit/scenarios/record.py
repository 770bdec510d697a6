#!/usr/bin/env python3
"""Runs the scenarios of this folder and records each one's memory snapshot and its truth.

    python record.py [NAME ...]        all scenarios, or those named (with or without .py), into recorded/

Needs torch and a GPU with some 24 GB, two of them for the scenarios that say so (GPUS = 2). Any stand-in for the GPU does as well: only
what is allocated matters, never what is computed.

A scenario has TRUTH (a dict) and main(), and may have RECORDING (more options of the recording) or begin to record by itself
(RECORDS_ITSELF = True). Its lines marked '# @site' allocate what the truth speaks of, the line marked '# @holder' is why it
stays. Each scenario runs in a process of its own, from a copy without marks, so that nothing that reads sources learns from them.
Recorded file names are neutral: scenarios and lib/ are under /app, site-packages/ and installed packages under /venv/site-packages, the
standard library under /usr/lib/python3."""
import gc
import gzip
import importlib
import json
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded"
MARK = re.compile(r"[ \t]*# (?:@(?:site|holder)[ \t]*)+$", re.MULTILINE)
NEUTRAL = ("/app/", "/venv/site-packages/", "/usr/lib/python3/")
RECORDING = {"max_entries": 1_000_000, "stacks": "python"}


def main() -> int:
    if sys.argv[1:2] == ["--inside"]:
        record_here(pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4]))
        return 0
    names = [pathlib.Path(name).stem for name in sys.argv[1:]]
    names = names or sorted(path.stem for path in HERE.glob("*.py") if "\nTRUTH = " in path.read_text())
    RECORDED.mkdir(exist_ok=True)
    failed = [name for name in names if not record_apart(name)]
    return 1 if failed else 0


def record_apart(name: str) -> bool:
    """Runs one scenario in its own process on an unmarked copy, then joins the marks' line numbers to the truth that it wrote."""
    source = (HERE / f"{name}.py").read_text()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder).resolve()
        shutil.copytree(HERE / "lib", copy / "app" / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(HERE / "site-packages", copy / "packages", ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "app" / f"{name}.py").write_text(MARK.sub("", source))
        ran = subprocess.run([sys.executable, __file__, "--inside", str(copy), name, str(RECORDED)], capture_output=True, text=True)
    if ran.returncode:
        print(f"{name}: FAILED\n{ran.stderr[-3000:]}")
        return False
    truth_file = RECORDED / f"{name}.truth.json"
    truth = json.loads(truth_file.read_text())
    truth["sites"] = marked(source, name, "@site")
    truth["holders"] = marked(source, name, "@holder")
    truth_file.write_text(json.dumps(truth, indent=1) + "\n")
    print(f"{name}: {truth['verdict']}, {(RECORDED / f'{name}.pickle.gz').stat().st_size / 1024:.0f} KiB")
    return True


def marked(source: str, name: str, mark: str) -> list:
    lines = enumerate(source.splitlines(), 1)
    return [f"{name}.py:{number}" for number, line in lines if (found := MARK.search(line)) and mark in found.group()]


def record_here(copy: pathlib.Path, name: str, out: pathlib.Path) -> None:
    import torch
    torch.backends.cudnn.enabled = False
    sys.path[:0] = [str(copy / "app"), str(copy / "packages")]
    scenario = importlib.import_module(name)
    if torch.cuda.device_count() < getattr(scenario, "GPUS", 1):
        raise SystemExit(f"{name} needs {scenario.GPUS} GPUs")
    torch.cuda.init()
    gc.collect()
    if not getattr(scenario, "RECORDS_ITSELF", False):
        torch.cuda.memory._record_memory_history(**RECORDING, **getattr(scenario, "RECORDING", {}))
    truth = dict(scenario.TRUTH, scenario=name, torch=torch.__version__)
    try:
        scenario.main()
    except torch.cuda.OutOfMemoryError as error:
        truth["oom_message"] = str(error)
    snapshot = torch.cuda.memory._snapshot()
    make_neutral(snapshot, {
        str(copy / "app"): "/app",
        str(copy / "packages"): "/venv/site-packages",
        str(HERE): "/app",
        sysconfig.get_paths()["purelib"]: "/venv/site-packages",
        sysconfig.get_paths()["platlib"]: "/venv/site-packages",
        sysconfig.get_paths()["stdlib"]: "/usr/lib/python3",
    })
    with open(out / f"{name}.pickle.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        pickle.dump(snapshot, packed)
    (out / f"{name}.truth.json").write_text(json.dumps(truth, indent=1))


def make_neutral(snapshot: dict, folders: dict) -> None:
    """Rewrites each file name once (frames are shared between events), and refuses to let any other name of this machine pass."""
    entries = [entry for trace in snapshot["device_traces"] for entry in trace]
    entries += snapshot["segments"] + [block for segment in snapshot["segments"] for block in segment["blocks"]]
    frames = {id(frame): frame for entry in entries for frame in entry.get("frames", ())}
    for frame in frames.values():
        frame["filename"] = neutral(frame["filename"], folders)


def neutral(filename: str, folders: dict) -> str:
    for folder, name in folders.items():
        if filename.startswith(folder + "/"):
            return name + filename[len(folder):]
    if filename.startswith("/") and not filename.startswith(NEUTRAL):
        raise SystemExit(f"no neutral name for {filename}")
    return filename


if __name__ == "__main__":
    sys.exit(main())
