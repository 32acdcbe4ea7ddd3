"""`golpae playground`: calls that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.cli.rules import playground
from golpae.playground.write import BUILD, PAGE, SCRIPTS, VENDOR, is_playground


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "jjk"], "no game `jjk` comes with golpae"),
        (["--port", "70000"], "`--port` must be a number from 0 to 65535, not `70000`"),
    ],
)
def test_a_wrong_call_is_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playground", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_files_of_somebody_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("mine", "utf-8")
    assert main(["playground", "-o", str(tmp_path)]) == 2
    assert "has files in it, and is no playground" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]


def test_what_belongs_to_a_site_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(playground, "write", lambda folder, game: [PAGE])
    (tmp_path / ".git").mkdir()
    for name in (".nojekyll", "CNAME"):
        (tmp_path / name).write_text("mine", "utf-8")
    assert main(["playground", "-o", str(tmp_path)]) == 0
    (tmp_path / "vendor").mkdir()
    assert main(["playground", "-o", str(tmp_path)]) == 2
    assert "has files in it, and is no playground" in capsys.readouterr().err


def test_no_file_of_a_playground_is_one_of_a_site() -> None:
    names = {PAGE, BUILD, VENDOR, *SCRIPTS}
    assert playground.SITE not in names
    assert not [name for name in names if name.startswith(".")]


def test_an_older_playground_is_known_by_its_files(tmp_path: Path) -> None:
    build = tmp_path / "build.json"
    assert not is_playground(tmp_path)
    for content, is_one in (("{", False), ("[1]", False), ('{"build":"x","wheels":[],"patterns":[]}', True)):
        build.write_text(content, "utf-8")
        assert is_playground(tmp_path) == is_one
