"""A plugin of pytest: limits what a test may leak and take of GPU memory, or of CPU tensors where it uses no GPU.

    @pytest.mark.leakline(leaks="1 MB", warmups=2, peak="2 GB")
    pytest --leakline          the tests that took and left most, at the end

The mark runs the test function several times (warmups=1, then runs=4); fixtures are set up once. Nothing here imports torch, and nothing but pytest
is imported where no test asks for it: pytest imports this module wherever the wheel is installed.
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Generator
from typing import Any, Optional

import pytest

MOST_TESTS = 10
_figures = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("leakline").addoption("--leakline", action="store_true", help="show the tests that took and left most GPU memory or CPU tensors")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "leakline(leaks='1 MB', peak='2 GB', warmups=1, runs=4): runs the test several times; fails where it leaks more "
                            "per run, or allocates more at its peak, of GPU memory, or of CPU tensors where it uses no GPU")
    if config.getoption("leakline") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Table(), "leakline-table")


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    mark = item.get_closest_marker("leakline")
    if not isinstance(item, pytest.Function) or not mark and not item.config.getoption("leakline"):
        yield
        return
    function = item.obj
    inner = _measured(function, item) if item.config.getoption("leakline") else function
    item.obj = inner if mark is None else _limited(inner, mark)
    try:
        yield
    finally:
        item.obj = function


def _limited(function: Any, mark: pytest.Mark) -> Any:
    from leakline_probe.limits import Limits, failure_of
    try:
        limits = Limits.of(*mark.args, **mark.kwargs)
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"pytest.mark.leakline: {error}") from None

    @functools.wraps(function)
    def limited(*arguments: Any, **named: Any) -> None:
        __tracebackhide__ = True
        if inspect.iscoroutinefunction(function):
            pytest.fail("leakline: an async test cannot be repeated; call the coroutine with asyncio.run() in a plain test", pytrace=False)
        text = failure_of(lambda: function(*arguments, **named), limits)
        if text is not None:
            pytest.fail(text, pytrace=False)
    return limited


def _measured(function: Any, item: pytest.Item) -> Any:
    """The same function, with what its last run left and the peak of that noted. Of CPU tensors there is no peak."""
    from leakline_probe.live import left_by, levels_now

    @functools.wraps(function)
    def measured(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        before = levels_now()
        try:
            return function(*arguments, **named)
        finally:
            item.stash[_figures] = dict(left_by(before), test=item.nodeid)
    return measured


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: object) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" and _figures in item.stash:
        report.leakline = item.stash[_figures]  # xdist sends it to the process that prints


class Table:
    """The tests that took and left most."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        figures: Optional[dict[str, Any]] = getattr(report, "leakline", None)
        if figures is not None:
            self.rows.append(figures)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        from leakline_probe.live import size_text
        rows = [row for row in self.rows if row["left"] or row["peak"]]
        terminalreporter.section("leakline: tests by peak and by what they left allocated")
        if not rows:
            terminalreporter.write_line("no test allocated GPU memory or left CPU tensors")
            return
        terminalreporter.write_line(f"{'peak':>9}  {'left':>9}  memory  test")
        for row in sorted(rows, key=lambda row: (-(row["peak"] or 0), -row["left"]))[:MOST_TESTS]:
            peak = "-" if row["peak"] is None else size_text(row["peak"])
            terminalreporter.write_line(f"{peak:>9}  {size_text(row['left']):>9}  {row['memory']:<6}  {row['test']}")
