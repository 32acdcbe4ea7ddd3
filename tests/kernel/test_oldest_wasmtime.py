"""The oldest wasmtime that golpae allows runs the compiled path as the installed one does."""

from __future__ import annotations

import re
import sys
import venv
from pathlib import Path

import pytest

from tests.as_a_user import run, succeed
from tests.committed import TOP


def oldest() -> str:
    """Return the lowest version that the project's file allows."""
    [found] = re.findall(r'"wasmtime>=([0-9.]+)"', (TOP / "pyproject.toml").read_text("utf-8"))
    return str(found)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["jjak", "korean-mahjong"])
def test_the_oldest_wasmtime_plays_and_checks_the_same_games(tmp_path: Path, rules: str) -> None:
    venv.create(tmp_path / "old", with_pip=True)
    scripts = tmp_path / "old" / ("Scripts" if sys.platform == "win32" else "bin")
    succeed(
        scripts / "python", "-m", "pip", "install", "--quiet", TOP, f"wasmtime=={oldest()}.*", cwd=tmp_path
    )

    said = []
    ours: list[list[str | Path]] = [[scripts / "golpae"], [sys.executable, "-m", "golpae"]]
    for number, golpae in enumerate(ours):
        folder = tmp_path / str(number)
        folder.mkdir()
        simulate = ["simulate", rules, "--games", "1200", "--seed", "1", "--format", "json"]
        played = run(*golpae, *simulate, "--traces", "games.jsonl", cwd=folder)
        checked = run(*golpae, "check", "--verbose", "games.jsonl", cwd=folder)
        assert (played.returncode, checked.returncode) == (0, 0), (played.stderr, checked.stderr)
        assert "1,200 legal or incomplete games on the compiled path" in checked.stdout + checked.stderr
        said.append([(folder / "games.jsonl").read_text("utf-8"), played.stdout, checked.stdout])
    assert said[0] == said[1]
