"""The table of what tests cost names tests, and says which of their cases wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.__main__ import TOP
from tests.costly import FOLDER, LONG, WHOLE, marks


def names_in(file: str) -> set[str]:
    """Return the names of the tests in a module."""
    tree = ast.parse((TOP / FOLDER / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("table", [WHOLE, LONG], ids=["whole", "long"])
def test_every_name_is_that_of_a_test(table: dict[str, dict[str, int] | tuple[str, ...]]) -> None:
    unknown = {file: sorted(set(names) - names_in(file)) for file, names in table.items()}
    assert {file: names for file, names in unknown.items() if names} == {}
    assert [*table] == sorted(table)


def marked(test: str, cases: int) -> Iterator[tuple[str, ...]]:
    return marks(f"{FOLDER}{test}[{case}]" for case in range(cases))


def test_every_so_many_cases_of_a_test_are_run_and_the_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WHOLE, "a.py", {"test_some": 3, "test_none": 0})
    monkeypatch.setitem(LONG, "a.py", ("test_some", "test_unit"))
    assert [*marked("a.py::test_some", 5)] == [
        ("long",),
        ("whole", "long"),
        ("whole", "long"),
        ("long",),
        ("whole", "long"),
    ]
    assert [*marked("a.py::test_none", 2)] == [("whole",), ("whole",)]
    assert [*marked("a.py::test_unit", 1)] == [("long",)]
    assert [*marked("a.py::test_other", 1)] == [*marked("b.py::test_some", 1)] == [()]


def test_cases_are_counted_test_by_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WHOLE, "a.py", {"test_one": 2, "test_two": 2})
    names = [f"{FOLDER}a.py::{test}" for test in ("test_one[0]", "test_two[0]", "test_one[1]", "test_two[1]")]
    assert [*marks(names)] == [(), (), ("whole",), ("whole",)]


def test_a_case_that_waits_has_the_mark(request: pytest.FixtureRequest) -> None:
    """The marks of this run are those of the table."""
    items = request.session.items
    for item in items:
        test = item.nodeid.partition("[")[0].removeprefix(FOLDER)
        file, _, function = test.partition("::")
        if item.get_closest_marker("whole") is not None:
            assert function in WHOLE[file]
        assert (item.get_closest_marker("long") is not None) == (function in LONG.get(file, ()))
