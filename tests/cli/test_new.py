"""`golpae new`: the text that it writes is one to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

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
