"""The habits of the tests, as CONTRIBUTING.md describes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.committed import TOP

HELD = sorted([*(TOP / "tests").rglob("*.py"), *(TOP / "benchmarks").rglob("*.py")])


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


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_helpers_are_not_in_test_modules() -> None:
    wrong = {path.relative_to(TOP).as_posix(): imports_of_tests(parsed(path)) for path in HELD}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_imports_of_tests_are_noticed() -> None:
    tree = ast.parse("from tests.a import test_b\nimport tests.a.test_b\nfrom tests.test_a import c\nimport b.test_")
    assert imports_of_tests(tree) == ["tests.a.test_b", "tests.a.test_b", "tests.test_a.c"]
