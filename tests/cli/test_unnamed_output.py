"""Pages and modules whose file a call does not name."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from tests.committed import TOP


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "sea"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("call", "name"),
    [(["show", "sea.golpae", "--html"], "sea.html"), (["play", "sea.golpae", "--web"], "sea-match.html")],
)
def test_a_page_is_named_after_the_rules_and_overwrites_nothing(
    call: list[str], name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(call) == 0
    page = (folder / name).read_text("utf-8")
    assert name in capsys.readouterr().out
    assert main(call) == 2
    said = capsys.readouterr().err
    assert f"there is already a file `{name}`" in said
    assert f"`-o {name}` writes it anew" in said
    assert main([*call, "-o", name]) == 0
    assert (folder / name).read_text("utf-8") == page


@pytest.mark.parametrize(
    ("given", "name"),
    [("games.jsonl", "games-pages"), ("./games.v2.jsonl.gz", "games.v2-pages"), ("-", "games-pages")],
)
def test_pages_are_in_a_folder_named_after_the_games(
    given: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from golpae.cli.games.report import _folder

    assert _folder(given) == name


def test_a_report_without_a_folder_makes_a_new_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = TOP / "traces" / "jjak" / "base.jsonl"
    (folder / "night.jsonl").write_bytes(games.read_bytes())
    assert main(["report", "night.jsonl", "--limit", "1"]) == 0
    assert (folder / "night-pages" / "index.html").is_file()
    assert main(["report", "night.jsonl", "--limit", "1"]) == 2
    assert "there is already a folder `night-pages`" in capsys.readouterr().err


def test_a_module_can_be_written_to_a_new_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "sea.golpae", "-o", "modules/"]) == 0
    assert (folder / "modules" / "sea.wasm").is_file()
    assert [path.name for path in folder.glob("*.wasm")] == []
    assert main(["build", "sea.golpae", "-o", "modules", "--only-module"]) == 0
