#!/usr/bin/env python3
"""Runs scenarios and leaves the holder dump of each: OUT/NAME.holders.gz, for the analysis of holders.

    hold_scenarios.py OUT FOLDER [NAME ...]

FOLDER holds scenarios (modules with TRUTH and main()) and may hold lib/ and site-packages/, or models.py in its parent. Each runs in a process of
its own, from a copy without the marks of the truth. The dump is taken inside the run, where the leak is: when main() is about to return, its
frame and locals still there (a profile function sees the return), or at the first out-of-memory error, before the exception unwinds. Scenarios
whose leak ends with another function are named with it, NAME:FUNCTION, here deferred_log_lines:score."""
import gzip
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

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
        path = os.pathsep.join([str(app), str(folder / "site-packages"), str(HERE.parent)])
        ran = subprocess.run([sys.executable, str(HERE / "hold_scenarios.py"), "--inside", name, str(out / f"{name}.holders"), function or "main"],
                             env=dict(os.environ, PYTHONPATH=path), capture_output=True, text=True)
    if ran.returncode or not (out / f"{name}.holders").exists():
        print(f"{name}: FAILED {ran.returncode}\n{ran.stderr[-2000:]}")
        return False
    content = (out / f"{name}.holders").read_bytes()
    with open(out / f"{name}.holders.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(content)
    (out / f"{name}.holders").unlink()
    print(f"{name}: {len(content)} bytes, {(out / f'{name}.holders.gz').stat().st_size} packed{ran.stdout.strip()[:100]}")
    return True


def hold_here(name, path, function):
    import torch
    import leakline_probe
    torch.backends.cudnn.enabled = False
    torch.cuda.init()
    scenario = importlib.import_module(name)
    code = getattr(scenario, function).__code__
    torch._C._cuda_attach_out_of_memory_observer(lambda *_: leakline_probe.dump(path, "oom"))

    def see(frame, event, _):
        if event == "return" and frame.f_code is code:
            sys.setprofile(None)
            if not os.path.exists(path):
                leakline_probe.dump(path)

    sys.setprofile(see)
    try:
        scenario.main()
    except torch.cuda.OutOfMemoryError:
        pass
    sys.setprofile(None)


if __name__ == "__main__":
    sys.exit(main())
