"""`golpae new`: the text that it writes is one to begin with."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from golpae.assets.beginnings import KINDS
from golpae.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_text_is_faultless_and_formatted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "sea-side"]) == 0
    text = (folder / "sea-side.golpae").read_text("utf-8")
    assert 'game sea-side "Sea side"' in text
    assert "NAME" not in text
    assert main(["lint", "sea-side.golpae"]) == 0
    assert main(["format", "--check", "sea-side.golpae"]) == 0
    assert main(["simulate", "sea-side.golpae", "--games", "20"]) == 0
    assert "golpae play sea-side.golpae" in capsys.readouterr().out


def test_no_file_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.golpae").write_text("mine")
    assert main(["new", "mine"]) == 2
    assert (folder / "mine.golpae").read_text() == "mine"
    assert "there is already a file `mine.golpae`" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["my game", "1st", "../out", "", "ㅎ"])
def test_a_game_needs_a_name_of_letters(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == 2
    assert "a name consists of the letters a to z" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_the_file_may_be_in_another_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "texts").mkdir()
    assert main(["new", "mine", "-o", "texts/mine.golpae"]) == 0
    assert main(["lint", "texts/mine.golpae"]) == 0
    assert main(["new", "mine", "-o", "texts/other.golpae"]) == 2
    assert "the text of `mine` is called `mine.golpae`" in capsys.readouterr().err
    assert main(["new", "mine", "-o", "nowhere/mine.golpae"]) == 2


@pytest.mark.parametrize(
    ("kind", "tiles"), [(kind, one) for kind, (_, sets) in KINDS.items() for one in sets]
)
def test_each_small_game_is_faultless_formatted_and_ends(kind: str, tiles: str, folder: Path) -> None:
    assert main(["new", "mine", "--kind", kind, "--set", tiles]) == 0
    assert "NAME" not in (folder / "mine.golpae").read_text("utf-8")
    assert main(["lint", "mine.golpae"]) == 0
    assert main(["format", "--check", "mine.golpae"]) == 0
    assert main(["simulate", "mine.golpae", "--games", "20", "--traces", "games.jsonl"]) == 0
    assert main(["check", "--complete", "games.jsonl"]) == 0


def test_a_set_alone_chooses_a_game_with_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "mine", "--set", "dominoes"]) == 0
    assert "include dominoes" in (folder / "mine.golpae").read_text("utf-8")
    assert main(["new", "other", "--kind", "line", "--set", "cards"]) == 2
    assert "write `--set dominoes`" in capsys.readouterr().err
    assert not (folder / "other.golpae").exists()


class Terminal(StringIO):
    """What somebody types, or sees, at a terminal."""

    def isatty(self) -> bool:
        return True


def test_at_a_terminal_golpae_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal("chess\ndiscard\ncards\n"))
    monkeypatch.setattr(sys, "stdout", shown)
    assert main(["new", "mine"]) == 0
    assert "write one of these words: shed, discard, tricks, line" in shown.getvalue()
    assert "include cards" in (folder / "mine.golpae").read_text("utf-8")
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert main(["new", "other"]) == 0  # the usual one


@pytest.mark.process
def test_a_project_whose_games_cannot_be_recorded_is_not_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("golpae.cli.rules.new.GAMES", "no")
    assert main(["new", "mine", "--project"]) == 2
    told = capsys.readouterr().err
    assert "`golpae simulate` does not work for the new project: " in told
    assert "`--games` must be a whole number, not `no`" in told
    assert list(folder.iterdir()) == []


@pytest.mark.process
def test_a_new_project_needs_no_settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_SETTINGS", "off")
    assert main(["new", "mine", "--project"]) == 0
    assert (folder / "mine" / "games" / "first.jsonl").is_file()


@pytest.mark.process
def test_a_new_project_is_checked_and_tested(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "sea-side", "--project"]) == 0
    assert {file.name for file in folder.iterdir()} == {"sea-side"}

    def called(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=folder / "sea-side",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert called("golpae", "check", "--expected") == "3 traces: 3 legal; all as expected\n"
    assert called("golpae", "watch", "--once").startswith("rules/sea-side.golpae: no faults\n")
    assert "6 passed" in called("pytest", "-q", "-p", "no:cacheprovider")
    assert main(["new", "sea-side", "--project"]) == 2
    assert "there is already `sea-side`" in capsys.readouterr().err
