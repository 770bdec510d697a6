"""The report of this process as a page: in a notebook (%leakline page), and in the run of W&B, MLflow or TensorBoard that a job has open.

LeaklineCallback(page=True) records PyTorch's memory history from the begin of training, and logs the page when training ends, with what runs are
filtered by: leakline.verdict, leakline.line and leakline.rate, in bytes per step. The program leakline makes it, in a process of its own, from a
snapshot in a private folder that is gone afterwards: it has to be on the PATH, or named by LEAKLINE.
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple, Optional, Union

from leakline_probe import entry, own_files

own_files.add(__file__)
MOST_EVENTS = 1_000_000  # of the history: what leakline reads in a second or two
MOST_SECONDS = 600
FOUND = 1  # an exit code that means no failure


class Page(NamedTuple):
    """A page in HTML, and what runs are filtered by."""

    html: str
    tags: dict[str, Union[str, float]]


@entry
def record() -> None:
    """Begins to record what the allocator does, where there is a GPU."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.memory._record_memory_history(max_entries=MOST_EVENTS)


def page(snapshot: Optional[str] = None) -> Page:
    """The page of a snapshot, or of this process as it is now. Raises RuntimeError where it cannot be made."""
    program = os.environ.get("LEAKLINE") or shutil.which("leakline")
    if program is None:
        raise RuntimeError("leakline is not on the PATH, and LEAKLINE does not name it")
    with tempfile.TemporaryDirectory(prefix="leakline-") as folder:
        html = os.path.join(folder, "leakline.html")
        ran = subprocess.run([program, "report", "--format", "brief", "--html", html, snapshot or _dumped(folder)], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=MOST_SECONDS)
        if ran.returncode not in (0, FOUND) or not os.path.exists(html):
            raise RuntimeError("leakline report: " + ran.stderr.strip())
        with open(html, encoding="utf-8") as file:
            return Page(file.read(), _tags(json.loads(ran.stdout)))


def _dumped(folder: str) -> str:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        raise RuntimeError("this process uses no GPU; leakline report makes the page of a file")
    snapshot = os.path.join(folder, "snapshot.pickle")
    torch.cuda.memory._dump_snapshot(snapshot)
    return snapshot


def _tags(brief: dict[str, Any]) -> dict[str, Union[str, float]]:
    tags: dict[str, Union[str, float]] = {"leakline.verdict": brief["verdict"]}
    finding = brief.get("finding") or {}
    if finding.get("file"):
        tags["leakline.line"] = f"{finding['file']}:{finding['line']}"
    if finding.get("bytes_per_step") is not None:
        tags["leakline.rate"] = finding["bytes_per_step"]
    return tags


@entry
def log_page(tensorboard: Optional[Any] = None, snapshot: Optional[str] = None) -> None:
    """Makes the page and logs it to a run of W&B or MLflow that is open, and its verdict to a SummaryWriter; does nothing where there is none."""
    wandb, mlflow = sys.modules.get("wandb"), sys.modules.get("mlflow")
    run = getattr(wandb, "run", None)
    is_logged = mlflow is not None and getattr(mlflow, "active_run", lambda: None)() is not None
    if run is None and not is_logged and tensorboard is None:
        return
    html, tags = page(snapshot)
    if run is not None:
        run.log({"leakline": wandb.Html(html, inject=False)}, commit=False)  # type: ignore[union-attr]
        run.summary.update(tags)
    if is_logged:
        mlflow.log_text(html, "leakline.html")  # type: ignore[union-attr]
        mlflow.set_tags(tags)  # type: ignore[union-attr]
    if tensorboard is not None:
        tensorboard.add_text("leakline", ", ".join([f"{name}: {value}" for name, value in tags.items()]))


def framed(html: str) -> str:
    """The page in a frame of its own, whose script can reach nothing of the notebook."""
    escaped = html.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe title="Leakline" sandbox="allow-scripts" style="width: 100%; height: 80vh; border: 0" srcdoc="{escaped}"></iframe>'
