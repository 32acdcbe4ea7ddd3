"""The habits of the tests, as CONTRIBUTING.md describes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.committed import TOP

HELD = sorted([*(TOP / "tests").rglob("*.py"), *(TOP / "benchmarks").rglob("*.py")])
CLOCKS = frozenset(
    "monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time time_ns "
    "getrusage timeit".split()
)
CLOCKS_OF_A_MODULE = {("time", "time"), ("os", "times")}  # names that mean a clock there only


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted name of everything that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_of_tests(tree: ast.AST) -> list[str]:
    """Return what a module imports from modules of tests."""
    return [name for name in imports(tree) if ".test_" in name and name.startswith(("tests.", "benchmarks."))]


def clock_readings(tree: ast.AST) -> list[int]:
    """Return the lines that read a clock."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in CLOCKS or (owner, node.attr) in CLOCKS_OF_A_MODULE:
                lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom):
            names = {(node.module or "", alias.name) for alias in node.names}
            if any(name in CLOCKS for _, name in names) or names & CLOCKS_OF_A_MODULE:
                lines.append(node.lineno)
    return sorted(lines)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_helpers_are_not_in_test_modules() -> None:
    wrong = {path.relative_to(TOP).as_posix(): imports_of_tests(parsed(path)) for path in HELD}
    assert {path: names for path, names in wrong.items() if names} == {}


# Parts of commands, which end a text that takes for ever. `__main__.py` is a command too.
WATCHES = {TOP / "tests/differential/pool.py", TOP / "tests/planted/asked.py"}


def test_no_test_reads_a_clock() -> None:
    """A time depends on the machine; benchmarks/ measures it, beside a yardstick."""
    modules = [p for p in (TOP / "tests").rglob("*.py") if p.name != "__main__.py" and p not in WATCHES]
    wrong = {path.relative_to(TOP).as_posix(): clock_readings(parsed(path)) for path in modules}
    assert {path: lines for path, lines in wrong.items() if lines} == {}


def test_names_of_tests_are_sentences() -> None:
    """A failure has to say what broke: one word, or the name of a function, does not."""
    short = [
        f"{path.relative_to(TOP).as_posix()}: {node.name}"
        for path in (TOP / "tests").rglob("test_*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and node.name.count("_") < 3
    ]
    assert short == []


def test_imports_of_tests_and_clocks_are_noticed() -> None:
    tree = ast.parse(
        "from tests.a import test_b\nimport tests.a.test_b\nfrom tests.test_a import c\nimport b.test_"
    )
    assert imports_of_tests(tree) == ["tests.a.test_b", "tests.a.test_b", "tests.test_a.c"]
    tree = ast.parse(
        "time.monotonic()\nos.times()\nfrom time import perf_counter\nnumber.times()\ntime.sleep(1)"
    )
    assert clock_readings(tree) == [1, 2, 3]
