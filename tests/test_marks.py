"""Tests get their marks by what they use, and the quick check leaves the marked ones out."""

from __future__ import annotations

import random
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golpae.prove.theorem import Theorems
from golpae.verify.scheduler import tables
from tests import __main__ as checks
from tests.__main__ import LONG_FOLDERS, LONG_MARKS, TIMES, TOP, first_line, main, pytest_arguments
from tests.committed import committed_files
from tests.marks import loads_solver, marks_of, used_modules


def draws() -> float:
    return random.random()


class Deck:
    def __init__(self) -> None:
        self.theorems = Theorems

    @property
    def top(self) -> float:
        return draws()


def through_a_helper() -> float:
    return Deck().top


def within_itself() -> Any:
    from golpae.prove import theorem

    return theorem


def starts_a_program() -> object:
    return subprocess.run


def nothing_special() -> bool:
    return bool(committed_files())


@given(st.integers())
def with_hypothesis(number: int) -> None:
    assert [tables, number]


def test_a_function_uses_what_its_helpers_use() -> None:
    used = set(used_modules([through_a_helper]))
    assert {"random", "golpae.prove.theorem"} <= used
    assert "golpae.verify.scheduler" not in used
    assert "golpae.verify.scheduler" in set(used_modules([with_hypothesis]))


def test_a_function_uses_what_it_imports_itself() -> None:
    assert any(loads_solver(module) for module in used_modules([within_itself]))


@pytest.mark.parametrize("module", ["golpae.prove.theorem", "golpae.prove.solving.solver", "z3"])
def test_modules_that_load_a_solver_are_recognised(module: str) -> None:
    assert loads_solver(module)


@pytest.mark.parametrize("module", ["golpae.verify.scheduler", "golpae.trace", "golpae.cli.main", "json"])
def test_modules_that_load_no_solver_are_recognised(module: str) -> None:
    assert not loads_solver(module)


def test_a_test_is_marked_by_what_it_and_its_fixtures_use() -> None:
    assert list(marks_of(nothing_special)) == []
    assert list(marks_of(with_hypothesis)) == ["property"]
    assert list(marks_of(through_a_helper)) == ["property", "solver"]
    assert list(marks_of(starts_a_program)) == ["process"]
    assert list(marks_of(nothing_special, (draws,))) == ["property"]


def test_the_quick_check_leaves_the_long_marks_out_and_passes_its_arguments_on() -> None:
    assert pytest_arguments(["tests/trace", "-x"]) == ["tests/trace", "-x"]
    mark, expression, *more = pytest_arguments(["quick", "-k", "deal"])
    assert (mark, more[-2:]) == ("-m", ["-k", "deal"])
    assert expression.split(" and ") == [f"not {long}" for long in LONG_MARKS]


def test_what_takes_longest_waits_for_the_whole_check() -> None:
    usual = ["-m", "not whole and not slow and not fuzz"]
    assert pytest_arguments([]) == usual
    assert pytest_arguments(["-k", "deal"]) == [*usual, "-k", "deal"]
    whole = pytest_arguments(["whole", "-k", "deal"])
    assert whole == ["-m", "not slow and not fuzz", "-k", "deal"]


def test_the_whole_check_runs_what_pytest_runs_by_itself(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.getini("addopts")[-2:] == pytest_arguments(["whole"])


@pytest.mark.parametrize(("words", "form"), [([], ""), (["quick"], "quick"), (["whole"], "whole")])
def test_the_first_line_says_how_long_the_checks_take(words: list[str], form: str) -> None:
    assert first_line(words).startswith(f"python -m tests: {TIMES[form]} on two idle cores")
    assert first_line([*words, "-x"]).startswith(f"python -m tests: at most {TIMES[form]} on two idle cores")
    guide = (TOP / "CONTRIBUTING.md").read_text("utf-8")
    [row] = [
        line
        for line in guide.splitlines()
        if line.startswith(f"| `{' '.join(['python -m tests', *words])}` |")
    ]
    assert f"| {TIMES[form]}" in row


def test_the_first_line_says_what_is_skipped_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "found", lambda: ("chromedriver", "chromium"))
    assert "skipped" not in first_line([])
    monkeypatch.setattr(checks, "found", lambda: None)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name == "brew" else None)
    said = "; without a browser, tests in tests/pages are skipped: "
    line = "`brew install --cask google-chrome chromedriver` installs it"
    assert all(first_line(words).endswith(said + line) for words in ([], ["whole"], ["tests/pages"]))
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert first_line([]).endswith(f"{said}CONTRIBUTING.md says what to install")


def test_the_quick_check_leaves_out_folders_that_are_there() -> None:
    ignored = [word.removeprefix("--ignore=") for word in pytest_arguments(["quick"])[2:]]
    assert ignored == [*LONG_FOLDERS]
    assert all((TOP / folder).is_dir() for folder in ignored)


def test_an_unknown_first_word_is_refused_before_any_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quikc", "-x"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("python -m tests: there is no `quikc`\n  help: write `quick`, `whole`, ")


def test_every_mark_is_described(pytestconfig: pytest.Config) -> None:
    described = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    guide = (TOP / "CONTRIBUTING.md").read_text("utf-8")
    for mark in LONG_MARKS:
        assert mark in described
        assert f"| `{mark}` |" in guide
