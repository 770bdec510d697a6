#!/usr/bin/env python3
"""Runs scenarios and leaves the holder dump of each, OUT/NAME.holders.gz, and the memory snapshot of the same moment, OUT/NAME.pickle.gz.

    hold_scenarios.py OUT FOLDER [NAME ...]

FOLDER holds scenarios (modules with TRUTH and main()) and may hold lib/ and site-packages/, or models.py in its parent. Each runs in a process of
its own, from a copy without the marks of the truth, and records its memory as testkit's record.py does, with file names that say nothing of the
machine. Both files are written inside the run, where the leak is: when main() is about to return, its frame and locals still there, or at the
first out-of-memory error, before the exception unwinds. Scenarios whose leak ends with another function are named with it, NAME:FUNCTION, here
deferred_log_lines:score."""
import ast
import builtins
import gc
import gzip
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import types

from built import FOLDER, leakline_probe

HERE = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"[ \t]*# (?:@(?:site|holder)[ \t]*)+$|[ \t]*# @(?:site|holder).*$", re.MULTILINE)


def main():
    if sys.argv[1:2] == ["--inside"]:
        return hold_here(*sys.argv[2:5])
    out, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    names = sys.argv[3:] or sorted(path.stem for path in folder.glob("*.py") if "\nTRUTH = " in path.read_text())
    return 1 if [name for name in names if not hold_apart(folder, name, out)] else 0


def hold_apart(folder, name, out):
    name, _, function = name.partition(":")
    with tempfile.TemporaryDirectory() as place:
        app = pathlib.Path(place).resolve() / "app"
        app.mkdir()
        for part in (folder / "lib", folder.parent / "models.py"):
            if part.is_dir():
                shutil.copytree(part, app / "lib", ignore=shutil.ignore_patterns("__pycache__"))
            elif part.exists():
                shutil.copy(part, app)
        (app / f"{name}.py").write_text(MARK.sub("", (folder / f"{name}.py").read_text()))
        path = os.pathsep.join([str(app), str(folder / "site-packages"), FOLDER])
        ran = subprocess.run([sys.executable, str(HERE / "hold_scenarios.py"), "--inside", name, str(out / f"{name}.holders"), function or "main"],
                             env=dict(os.environ, PYTHONPATH=path), capture_output=True, text=True)
    if ran.returncode or not (out / f"{name}.holders").exists():
        print(f"{name}: FAILED {ran.returncode}\n{ran.stderr[-2000:]}")
        return False
    for file in (out / f"{name}.holders", out / f"{name}.pickle"):
        print(f"{file.name}: {pack(file)} KiB packed{ran.stdout.strip()[:100]}")
    return True


def pack(path):
    packed = path.with_name(path.name + ".gz")
    with open(packed, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as stream:
        stream.write(path.read_bytes())
    path.unlink()
    return packed.stat().st_size >> 10


def hold_here(name, path, function):
    import torch
    torch.backends.cudnn.enabled = False
    app = pathlib.Path(os.environ["PYTHONPATH"].partition(os.pathsep)[0])
    scenario = load(app / f"{name}.py", function)
    torch.cuda.init()
    gc.collect()
    if not getattr(scenario, "RECORDS_ITSELF", False):
        options = {"max_entries": 1_000_000, "stacks": "python", **getattr(scenario, "RECORDING", getattr(scenario, "RECORD", {}))}
        torch.cuda.memory._record_memory_history(**options)

    def write(reason):
        if not os.path.exists(path):
            leakline_probe.dump(path, reason)
            pathlib.Path(path).with_suffix(".pickle").write_bytes(pickle.dumps(make_neutral(torch.cuda.memory._snapshot(), app)))

    builtins._hold = write
    torch._C._cuda_attach_out_of_memory_observer(lambda *_: write("oom"))
    try:
        scenario.main()
    except torch.cuda.OutOfMemoryError:
        pass


def load(file, function):
    """The scenario as a module, with a call of _hold where the function ends. A profile function would see that too, but also be seen: in stacks."""
    tree = ast.parse(file.read_text(), str(file))
    (found,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    call = ast.increment_lineno(ast.parse("_hold('request')"), found.end_lineno - 1).body
    found.body = [ast.Try(body=found.body, handlers=[], orelse=[], finalbody=call)]
    module = sys.modules[file.stem] = types.ModuleType(file.stem)
    module.__file__ = str(file)
    exec(compile(ast.fix_missing_locations(tree), str(file), "exec"), module.__dict__)
    return module


def make_neutral(snapshot, app):
    """Rewrites file names, each frame once: the scenario's are under /app, packages under /venv/site-packages, the library's under /usr/lib/python3."""
    paths = sysconfig.get_paths()
    folders = {str(app): "/app", str(HERE): "/app", paths["purelib"]: "/venv/site-packages", paths["stdlib"]: "/usr/lib/python3"}
    folders.update({entry: "/venv/site-packages" for entry in sys.path if entry.endswith("/site-packages")})
    entries = [entry for trace in snapshot["device_traces"] for entry in trace]
    entries += snapshot["segments"] + [block for segment in snapshot["segments"] for block in segment["blocks"]]
    for frame in {id(frame): frame for entry in entries for frame in entry.get("frames", ())}.values():
        folder = max((folder for folder in folders if frame["filename"].startswith(folder + "/")), key=len, default="")
        frame["filename"] = folders.get(folder, "") + frame["filename"][len(folder):]
    return snapshot


if __name__ == "__main__":
    sys.exit(main())
