"""The settings of a project: `golpae.toml` and `[tool.golpae]`."""

from __future__ import annotations

import json
import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.exit_codes import FAILS, HOLDS, WRONG_INPUT
from golpae.project import LARGEST
from tests.pipes import NO_PIPES, answering_pipe


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project with a text and recorded games, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for folder in ("rules", "games", "games/deep"):
        (tmp_path / folder).mkdir()
    with redirect_stdout(StringIO()):
        main(["new", "harbour", "-o", "rules/harbour.golpae"])
        main(["simulate", "rules/harbour.golpae", "--games", "3", "--traces", "games/all.jsonl"])
    return tmp_path


def settings(folder: Path, text: str, name: str = "golpae.toml") -> None:
    (folder / name).write_text(text, "utf-8")


PATHS = 'rules = ["rules"]\ntraces = "games"\n'


def test_without_settings_a_game_is_not_found_in_another_folder(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "games"]) == WRONG_INPUT
    assert "there is a file `rules/harbour.golpae`: add `--spec-path rules`" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "head"), [("golpae.toml", ""), ("pyproject.toml", "[tool.golpae]\n")], ids=["own", "shared"]
)
@pytest.mark.parametrize("folder", [".", "games/deep"])
def test_files_of_the_project_stand_for_those_that_a_call_does_not_name(
    project: Path,
    name: str,
    head: str,
    folder: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings(project, head + PATHS, name)
    monkeypatch.chdir(project / folder)
    assert main(["check"]) == HOLDS
    assert capsys.readouterr().out == "3 traces: 3 legal\n"
    assert main(["lint"]) == HOLDS
    assert "harbour.golpae: no faults" in capsys.readouterr().out
    assert main(["show", "harbour"]) == HOLDS


def test_options_of_a_call_win(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, PATHS + '[check]\nformat = "json"\nverbose = false\n')
    assert main(["check"]) == HOLDS
    assert [json.loads(line)["verdict"] for line in capsys.readouterr().out.splitlines()] == ["legal"] * 3
    assert main(["check", "--format", "text"]) == HOLDS
    assert capsys.readouterr().out == "3 traces: 3 legal\n"


def test_an_option_may_have_several_values_and_paths(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, '[check]\nspec-path = ["rules"]\n')
    monkeypatch.chdir(project / "games")
    assert main(["check", "all.jsonl"]) == HOLDS
    assert capsys.readouterr().out == "3 traces: 3 legal\n"


def test_settings_can_be_left_out(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, PATHS + "[check]\nexpected = true\n")
    call = ["check", "--write-expected", "--spec-path", "rules", "games"]
    assert main(call) == WRONG_INPUT
    monkeypatch.setenv("GOLPAE_SETTINGS", "off")
    assert main(call) == HOLDS


def test_nothing_above_a_repository_is_read(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, "nonsense = 1\n")
    inner = project / "games" / "deep"
    (inner / ".git").mkdir()
    monkeypatch.chdir(inner)
    assert main(["lint", "../../rules"]) == HOLDS


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("rulez = []", "`golpae.toml` has no setting `rulez`", "did you mean `rules`?"),
        ("[chek]", "`golpae.toml` has no setting `chek`", "did you mean `check`?"),
        ("check = 3", "`check` in `golpae.toml` is no table", "write `[check]`"),
        ('rules = ["nowhere"]', "there is no `nowhere`", "`rules` in `golpae.toml` names it"),
        ("rules = 3", "`rules` in `golpae.toml` is no list of paths", 'write `rules = ["rules"]`'),
        ("a = ", "`golpae.toml` is no TOML: invalid value (at ", "docs/projects.md"),
        ("[check]\nfoo = 1", "`check.foo` in `golpae.toml`: there is no option `--foo`", "--help"),
        ("[check]\ncomplet = true", "there is no option `--complet`", "did you mean `complete`?"),
        ("[check]\ncomplete = 3", "`check.complete` in `golpae.toml` takes no value", "complete = true"),
        ("[check]\njobs = true", "`check.jobs` in `golpae.toml` needs a value", "`--jobs` takes N"),
        ("[check]\njobs = {}", "`check.jobs` in `golpae.toml` has no value for an option", "true, or a list"),
        ('[check]\njobs = "x"', "`--jobs` must be a whole number, not `x`", "options of `golpae.toml` count"),
        ('[check]\noutput = "x"', "`check.output` in `golpae.toml` cannot be a setting", "only a call can"),
        (
            '[check]\nscheduler = "tcp://x"',
            "`check.scheduler` in `golpae.toml` cannot be a setting",
            "only a call",
        ),
        ('[check]\nrulings = "a\\u0000b"', "has a character that nothing can have", "write it anew"),
        ("[check]\nhelp = true", "there is no option `--help`", "lists them"),
    ],
)
def test_a_fault_says_where_it_is_and_what_to_do(
    project: Path, text: str, message: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, text)
    assert main(["check", "games"]) == WRONG_INPUT
    told = capsys.readouterr().err
    assert message in told
    assert advice in told
    assert told.startswith("golpae check: ")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 100_000, b""])
def test_a_file_that_is_no_text_is_a_fault_and_an_empty_one_is_none(
    project: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "golpae.toml").write_bytes(content)
    assert main(["lint", "rules"]) == (WRONG_INPUT if content else HOLDS)


def test_a_shared_file_of_another_program_is_left_alone(project: Path) -> None:
    settings(project, "[tool.golpae-of-somebody]\nx = 1\n", "pyproject.toml")
    assert main(["lint", "rules"]) == HOLDS
    settings(project, "[tool.golpae\n", "pyproject.toml")
    assert main(["lint", "rules"]) == HOLDS


@pytest.mark.skipif(NO_PIPES, reason="there are no named pipes here")
@pytest.mark.parametrize(
    ("name", "text"),
    [("golpae.toml", b"nonsense = 1\n"), ("pyproject.toml", b"[tool.golpae]\nnonsense = 1\n")],
)
def test_a_pipe_with_the_name_of_settings_is_not_opened(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: bytes
) -> None:
    monkeypatch.chdir(project / "games")
    with answering_pipe(project / name, text):
        assert main(["lint", "../rules"]) == HOLDS


def test_a_folder_with_the_name_of_settings_has_none(project: Path) -> None:
    (project / "golpae.toml").mkdir()
    assert main(["lint", "rules"]) == HOLDS


def test_settings_that_are_too_long_are_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, "#" * LARGEST + "\n")
    assert main(["lint", "rules"]) == WRONG_INPUT
    assert "`golpae.toml` is too long" in capsys.readouterr().err


def test_everything_is_linted_and_checked_once(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    settings(project, PATHS)
    assert main(["watch", "--once"]) == HOLDS
    assert capfd.readouterr().out == "rules/harbour.golpae: no faults\n3 traces: 3 legal\n"
    games = project / "games" / "all.jsonl"
    lines = games.read_text("utf-8").splitlines(keepends=True)
    games.write_text("".join([*lines[:2], *lines[3:]]), "utf-8")
    assert main(["watch", "--once"]) == FAILS
    with (project / "rules" / "harbour.golpae").open("a", encoding="utf-8") as text:
        text.write("nonsense\n")
    capfd.readouterr()
    assert main(["watch", "--once"]) == WRONG_INPUT
    assert "1 trace" not in capfd.readouterr().out


def test_what_is_not_there_cannot_be_watched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "nowhere"]) == WRONG_INPUT
    assert "there is no `nowhere`" in capsys.readouterr().err


def test_a_folder_without_texts_and_games_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project / "games" / "deep")
    assert main(["watch", "--once"]) == HOLDS
    assert capfd.readouterr().out.startswith("nothing to watch yet: neither rule texts")


def of_another_user(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file belong to somebody who neither calls golpae nor is the system's user."""
    if os.geteuid() == 0:
        os.chown(file, 12345, -1)
    else:
        mine = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no users here")
def test_settings_of_another_user_are_passed_over_and_this_is_said_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, "nonsense = 1\n")
    of_another_user(project / "golpae.toml", monkeypatch)
    monkeypatch.chdir(project / "games")
    assert main(["lint", "../rules"]) == HOLDS
    told = capsys.readouterr().err
    assert told.count("golpae lint: `../golpae.toml` belongs to another user, and is not used\n") == 1
    monkeypatch.setenv("GOLPAE_SETTINGS", "any")
    assert main(["lint", "../rules"]) == WRONG_INPUT
    assert "`golpae.toml` has no setting `nonsense`" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no users here")
def test_a_shared_file_of_another_user_is_of_interest_only_with_settings(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, "[project]\nname = 'golpae-of-somebody'\n", "pyproject.toml")
    of_another_user(project / "pyproject.toml", monkeypatch)
    assert main(["lint", "rules"]) == HOLDS
    assert capsys.readouterr().err == ""
    settings(project, "[tool.golpae]\nnonsense = 1\n", "pyproject.toml")
    assert main(["lint", "rules"]) == HOLDS
    assert "`pyproject.toml` belongs to another user" in capsys.readouterr().err


@pytest.mark.parametrize("rules", ["harbour", "rules/harbour.golpae"])
def test_rules_are_named_as_a_file_from_the_folder_of_the_settings(
    rules: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(project, f'{PATHS}[coverage]\nrules = "{rules}"\n')
    monkeypatch.chdir(project / "games")
    assert main(["coverage", "all.jsonl"]) == HOLDS
    assert "harbour" in capsys.readouterr().out
