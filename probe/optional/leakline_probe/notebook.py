"""%load_ext leakline_probe, in IPython and Jupyter:

    %leakline            who in this kernel holds GPU memory, and the command that frees it
    %%leakline           runs the cell, then the same for what the cell left
    %leakline cpu        CPU tensors; they are shown as well where no GPU is used
    %leakline page       what this process's memory history says, as the page of leakline report
    %leakline free out, %leakline free traceback      let IPython forget the results of cells, and the last error

Nothing is collected or freed but by these two.
"""
from __future__ import annotations

import gc
import sys
from typing import Any, Optional

from leakline_probe import Dump, allocator_rows, own_files, run_alone

from .kernel_names import LAST_ERROR, Holding, holdings
from .live import begin_peak, live_storages, peak_above, size_text
from .pages import framed, page

own_files.add(__file__)
MOST_ROWS = 12
USAGE = "usage: %leakline [cpu|cuda], %leakline page, %leakline free out, %leakline free traceback, %%leakline [cpu|cuda]"


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(leakline, "line_cell", "leakline")


def unload_ipython_extension(shell: Any) -> None:
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("leakline", None)


def leakline(line: str, cell: Optional[str] = None) -> None:
    """%leakline [cpu|cuda]: who in this kernel holds the memory of tensors, and what frees it. %%leakline: what this cell left."""
    asked = " ".join(line.split())
    if asked in _doing and cell is None:
        _doing[asked](sys.modules["IPython"].get_ipython())
    elif asked not in ("", "cpu", "cuda"):
        print(USAGE)
    elif cell is None:
        _show(asked or _device_kind(), None)
    else:
        _run(asked, cell)


def _free_outputs(shell: Any) -> None:
    """As %reset -f out, which in IPython 9 leaves the last three results in the hidden names."""
    shell.displayhook.flush()
    shell.user_ns_hidden.update({name: "" for name in ("_", "__", "___") if name in shell.user_ns_hidden})


def _free_traceback(shell: Any) -> None:
    for name in LAST_ERROR:
        if hasattr(sys, name):
            setattr(sys, name, None)
    for shower in (shell.InteractiveTB, shell.SyntaxTB):
        if getattr(shower, "tb", None) is not None:
            shower.tb = None
    gc.collect()  # an error and IPython's calls that it has passed are a cycle


def _show_page(_: Any) -> None:
    try:
        shown = sys.modules["IPython"].display.HTML(framed(page().html))
    except RuntimeError as problem:
        print(f"leakline: {problem}")
    else:
        sys.modules["IPython"].display.display(shown)


_doing = {"free out": _free_outputs, "free traceback": _free_traceback, "page": _show_page}


def _run(asked: str, cell: str) -> None:
    before = {kind: set(live_storages(kind)) for kind in ("cuda", "cpu")}
    levels = begin_peak()
    sys.modules["IPython"].get_ipython().run_cell(cell)
    peak, kind = peak_above(levels), asked or _device_kind()
    if kind == "cuda" and peak > 0:
        print(f"This cell allocated {size_text(peak)} of GPU memory at its peak.")
    _show(kind, before[kind])


def _device_kind() -> str:
    return "cuda" if allocator_rows() else "cpu"


def _show(kind: str, before: Optional[set[int]]) -> None:
    noun = "GPU" if kind == "cuda" else "CPU tensors"
    dump = Dump("request", kind, None)
    if "torch" not in sys.modules or not run_alone(dump):
        print("This kernel has not imported torch." if "torch" not in sys.modules else "leakline: a dump is being made already")
        return
    found = [holding for holding in holdings(dump.columns, before or set())]
    total = sum([holding.size for holding in found])
    if not found:
        print("This cell left no new tensors." if before is not None else f"No tensor of this kernel holds memory ({noun}).")
        return
    print(f"{'This cell left' if before is not None else 'Tensors of this kernel hold'} {size_text(total)} ({noun}):")
    shown = found[:MOST_ROWS]
    width = max([len(holding.names) for holding in shown])
    for holding in shown:
        print(f"{size_text(holding.size):>9}  {holding.names:<{width}}  {_advice(holding)}")
    if len(found) > MOST_ROWS:
        print(f"{size_text(sum([holding.size for holding in found[MOST_ROWS:]])):>9}  in {len(found) - MOST_ROWS} more")
    reserved = sum([row[2] - row[1] for row in allocator_rows()])
    if kind == "cuda" and before is None and reserved:
        print(f"PyTorch's cache has {size_text(reserved)} more, which it reuses; torch.cuda.empty_cache() returns what is free to the GPU.")


def _advice(holding: Holding) -> str:
    return "free with: " + holding.cure if holding.cure else holding.remark
