"""Options and marks of the test run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from golpae.progress import OFF
from tests import costly
from tests.marks import marks_of

os.environ[OFF] = "off"  # on a slow machine it would appear between expected output
for name in ("CI", "COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "LINES", "NO_COLOR"):
    os.environ.pop(name, None)  # each changes what golpae or pytest prints
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell leaves it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


gc.disable()  # until the tests are collected; what they are made of stays


# No test depends on how fast the machine is.
settings.register_profile("golpae", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("golpae")


DEEPEST = sys.getrecursionlimit()  # of Python; what a text that is nested too deeply is told depends on it


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin each test with the same limit, whatever a library left behind in the test before."""
    sys.setrecursionlimit(DEEPEST)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write new golden files instead of comparing")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written, not compared."""
    return bool(request.config.getoption("--renew"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test by what it uses and by what it costs, before `-m` chooses among them."""
    for item in items:
        if isinstance(item, pytest.Function):
            fixtures = tuple(d.func for group in item._fixtureinfo.name2fixturedefs.values() for d in group)
            for name in marks_of(item.obj, fixtures):
                item.add_marker(name)
    for item, names in zip(items, costly.marks(item.nodeid for item in items), strict=True):
        for name in names:
            item.add_marker(name)
    if hasattr(
        config, "workerinput"
    ):  # one of several processes, none of which shall begin a long test at the end
        items.sort(key=lambda item: item.get_closest_marker("whole") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that puts a question to z3 without the mark `solver`."""
    z3: Any = sys.modules.get("z3")
    if z3 is None or item.get_closest_marker("solver") is not None:
        return (yield)
    check = z3.Solver.check
    questions = 0

    def counted(*args: object) -> object:
        nonlocal questions
        questions += 1
        return check(*args)

    z3.Solver.check = counted
    try:
        result = yield
    finally:
        z3.Solver.check = check
    assert not questions, "this test puts questions to z3: mark it with `pytest.mark.solver`"
    return result


def pytest_collection_finish() -> None:
    """Spare the garbage collector what was collected: it would go through it again and again, a fifth of all time."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)
