"""The reference of the library is as its docstrings are, and these tell everything; the library is typed for users."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api

import golpae
from docs.generate import library
from golpae import testing
from tests.committed import TOP

EXAMPLE = TOP / "docs" / "examples" / "library.py"


def test_the_reference_is_current() -> None:
    assert library.page() == library.PAGE.read_text("utf-8"), "run `python -m docs.generate`"


def test_every_name_is_in_one_group() -> None:
    names = [name for group in library.GROUPS.values() for name in group.split()]
    assert sorted(names) == sorted(golpae.__all__)
    of_testing = [name for group in library.TESTING.values() for name in group.split()]
    assert sorted(of_testing) == sorted(testing.__all__)


def test_the_options_of_the_plugin_are_told() -> None:
    told = library.page()
    for name in ("--golpae", "--golpae-prove", "--golpae-spec-path DIR", "golpae_traces"):
        assert f"\n| `{name}` | " in told


def test_docstrings_tell_every_argument_and_attribute() -> None:
    assert library.arguments_without_words() == []
    assert library.attributes_without_words() == []


def test_a_program_that_uses_all_of_it_is_right_for_mypy() -> None:
    told, wrong, status = api.run(["--strict", "--cache-dir", str(TOP / ".mypy_cache"), str(EXAMPLE)])
    assert (told.splitlines()[-1:], wrong, status) == (["Success: no issues found in 1 source file"], "", 0)


def test_a_program_that_uses_all_of_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert ended.value.code == 0


@pytest.mark.slow
def test_a_program_that_uses_all_of_it_is_right_for_pyright() -> None:
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    words = [pyright, "--pythonpath", sys.executable, str(EXAMPLE)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=TOP)
    assert done.returncode == 0, done.stdout
