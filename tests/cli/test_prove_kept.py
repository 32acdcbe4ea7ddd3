"""`golpae prove --write` and `--locked`, from end to end."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from golpae.bundled import spec_dir
from golpae.cli.main import main
from tests.cli.conftest import Golpae
from tests.cli.table import TAKE

Prove = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.process  # what proves is a process of its own
SWITCHES = """
variant first "whoever is dealt first takes"
  replace take.turn: p = mover and mover = p
variant empty "the hand ends when nothing is left"
  replace end.due: no t in heap: yes
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.golpae").write_text(TAKE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ran(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> Prove:
    """Proves `one` in this process, with nothing cached, and returns the status, the output and the messages."""
    monkeypatch.setenv("GOLPAE_CACHE", "off")

    def run(*words: str) -> tuple[int, str, str]:
        done = golpae("prove", "one.golpae", "--jobs", "1", *words)
        assert "Traceback" not in done.err
        return done.status, done.out, done.err

    return run


def ran_by_itself(folder: Path, program: tuple[str, ...], *words: str) -> tuple[int, str, str]:
    """Return the same from a process of its own, which a signal may end."""
    command = [sys.executable, *program, "prove", "one.golpae", *words]
    environment = os.environ | {"GOLPAE_CACHE": "off"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_what_is_written_is_used_until_the_text_changes(folder: Path, ran: Prove) -> None:
    assert ran("--locked")[:2] == (
        1,
        "one.proofs.json: there are no kept proofs\n  help: `golpae prove one.golpae --write` writes it anew\n",
    )
    assert ran("--write")[0] == 0
    written = (folder / "one.proofs.json").read_text(encoding="utf-8")
    assert ran("--locked") == (0, "one.proofs.json: belongs to its text (1 table)\n", "")
    status, out, said = ran("--write", "--format", "json")
    assert (status, said) == (0, "")
    assert out.count('"rechecked": true') == 3
    assert (folder / "one.proofs.json").read_text(encoding="utf-8") == written
    (folder / "one.golpae").write_text(TAKE.replace("hand <= 1", "hand <= 2"), encoding="utf-8")
    status, out, _ = ran("--locked")
    assert status == 1
    assert out.startswith("one.proofs.json: does not belong to its text: `one` changed")
    assert ran()[0] == 0


def test_a_combination_that_is_not_kept_names_the_command_that_writes_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["prove", "jjak", "jjak+relaxed+row", "--locked"]) == 1
    out = capsys.readouterr().out
    assert "`jjak+relaxed+row` changed, or was never written\n" in out
    assert "help: `golpae prove jjak+relaxed+row --write` writes it anew" in out


def test_proofs_of_another_version_are_all_written_anew(folder: Path, ran: Prove) -> None:
    """Also those of a combination, which the game alone does not name."""
    (folder / "one.golpae").write_text(TAKE + SWITCHES, encoding="utf-8")
    assert ran("one.golpae+empty+first", "--write")[0] == 0
    kept = folder / "one.proofs.json"
    kept.write_text(
        re.sub('"golpae": "[^"]*"', '"golpae": "0.0.1"', kept.read_text("utf-8"), count=1), "utf-8"
    )
    status, out, _ = ran("one.golpae+empty+first", "--locked")
    assert status == 1
    advised = "golpae prove one.golpae one.golpae+empty+first --write"
    assert f"help: `{advised}` writes it anew" in out
    assert ran(*advised.split()[3:])[0] == 0
    assert ran("one.golpae+empty+first", "--locked")[0] == 0


def test_a_spoilt_file_is_named_and_changes_nothing(folder: Path, ran: Prove) -> None:
    (folder / "one.proofs.json").write_text('{"format": ', encoding="utf-8")
    status, _, said = ran()
    assert status == 0
    assert said.startswith("golpae: `one.proofs.json` is not used: it is not JSON")
    assert ran("--locked")[0] == 1


def ended_after(results: int, how: str) -> tuple[str, ...]:
    """Return a golpae that gets a signal after so many results."""
    return (
        "-c",
        (
            "import os, signal, sys\n"
            "from golpae.cli.main import main\n"
            "from golpae.verify import scheduler\n"
            "report, count = scheduler._Run._report, 0\n"
            "def counted(*given):\n"
            "    global count\n"
            "    report(*given)\n"
            "    count += 1\n"
            f"    if count == {results}: os.kill(os.getpid(), signal.{how})\n"
            "scheduler._Run._report = counted\n"
            "raise SystemExit(main())"
        ),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize(
    ("results", "how", "ends"), [(2, "SIGINT", 130), pytest.param(5, "SIGTERM", 143, marks=pytest.mark.slow)]
)
def test_what_a_run_had_before_it_ended_is_kept(
    folder: Path, ran: Prove, results: int, how: str, ends: int
) -> None:
    text = TAKE.replace("players 2 to 2", "players 2 to 3") + "\nalways heap: size of heap <= 2\n"
    (folder / "one.golpae").write_text(text, encoding="utf-8")
    file = folder / "one.proofs.json"
    assert ran("--write", "--jobs", "2")[0] == 0
    whole = file.read_text(encoding="utf-8")
    file.unlink()
    status, _, said = ran_by_itself(folder, ended_after(results, how), "--write", "--jobs", "1")
    assert status == ends
    assert f"`one.proofs.json` has what was found until then: all of {results // 4} of 2 tables" in said
    part = file.read_text(encoding="utf-8")
    assert 0 < part.count('"verdict"') < whole.count('"verdict"') == 8
    assert part.count('"unfinished"') == (1 if results % 4 else 0)
    status, out, _ = ran("--locked")
    assert status == 1
    assert "help: `golpae prove one.golpae --write`" in out
    assert ran("--locked", "--players", "3")[0] == (0 if results > 4 else 1)
    status, out, said = ran("--write", "--format", "json")
    assert (status, said) == (0, "")
    assert out.count('"rechecked": true') == part.count('"verdict"')
    assert file.read_text(encoding="utf-8") == whole


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_a_variant_that_a_run_did_not_reach_is_written_as_by_one_run(folder: Path, ran: Prove) -> None:
    """What is kept of the game would do for the variant, too, at another cost."""
    text = TAKE.replace("2 of 1 kinds", "24 of 12 kinds").replace("n in 1 to 1", "n in 1 to 12")
    variant = 'variant any "anybody takes"\n  replace take.turn: p in players\n'
    text = text.replace("hand <= 1", "hand <= 24")
    (folder / "one.golpae").write_text(f"{text}\n{variant}", encoding="utf-8")
    file = folder / "one.proofs.json"
    assert ran_by_itself(folder, ended_after(3, "SIGTERM"), "--write", "--jobs", "1")[0] == 143
    part = file.read_text(encoding="utf-8")
    assert '"rules": "one"' in part
    assert '"rules": "one+any"' not in part
    assert ran("--write")[0] == 3  # one property is unknown
    resumed = file.read_text(encoding="utf-8")
    file.unlink()
    assert ran("--write")[0] == 3
    assert resumed == file.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_what_was_kept_stays_if_a_run_ends_before_it_gets_there(folder: Path, ran: Prove) -> None:
    file = folder / "one.proofs.json"
    assert ran("--write")[0] == 0
    whole = file.read_text(encoding="utf-8")
    assert ran_by_itself(folder, ended_after(1, "SIGTERM"), "--write", "--jobs", "1")[0] == 143
    assert file.read_text(encoding="utf-8") == whole
    file.write_text(whole.replace('"z3": "', '"z3": "0'), encoding="utf-8")  # another version, unchecked
    assert ran_by_itself(folder, ended_after(1, "SIGTERM"), "--write", "--jobs", "1")[0] == 143
    assert ran("--locked")[1].startswith("one.proofs.json: is not finished: ")
    assert ran("--write")[0] == 0
    assert file.read_text(encoding="utf-8") == whole


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_what_never_applies_is_not_judged_until_every_table_was_looked_at(folder: Path, ran: Prove) -> None:
    text = TAKE.replace("players 2 to 2", "players 2 to 3")
    text += "\nalways of-two: size of players = 2 implies size of heap <= 2\n"
    (folder / "one.golpae").write_text(text, encoding="utf-8")
    status, out, _ = ran()
    assert (status, "vacuous" in out) == (0, False)
    status, out, _ = ran_by_itself(folder, ended_after(4, "SIGINT"), "--jobs", "1")
    assert status == 130
    assert "proved, but vacuous here; other tables were not reached" in out
    assert out.splitlines()[-1].endswith("proved; 1 undecided")
    status, out, _ = ran("--players", "3")
    assert (status, out.splitlines()[-1].endswith("; 1 not as expected, 1 vacuous")) == (1, True)


@pytest.mark.parametrize("game", ["block-dominoes", "ho-hpai", "jjak", "korean-mahjong", "three-dozen"])
def test_the_kept_proofs_of_a_bundled_game_belong_to_its_text(
    tmp_path: Path, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", game, "--locked"]) == 0
    assert ".proofs.json: belongs to its text" in capsys.readouterr().out
    for file in spec_dir().glob(f"{game}*"):
        shutil.copy(file, tmp_path)
    text = tmp_path / f"{game}.golpae"
    text.write_text(f"{text.read_text('utf-8')}\nalways changed: yes\n", encoding="utf-8")
    assert main(["prove", str(text), "--locked"]) == 1
    assert f"help: `golpae prove {text} --write` writes it anew" in capsys.readouterr().out


def test_a_property_alone_cannot_be_written(folder: Path, ran: Prove) -> None:
    status, _, said = ran("one-each", "--write")
    assert status == 2
    assert "keeps all properties of a table" in said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("--locked", "--seed"),
        ("--locked", "--write"),
        ("--locked", "--anew"),
        ("--locked", "--certificate"),
        ("--seeds", "--write"),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(
    folder: Path, ran: Prove, one: str, other: str
) -> None:
    words = [
        one,
        *(["2"] if one == "--seeds" else []),
        other,
        *{"--certificate": ["made"], "--seed": ["0"]}.get(other, []),
    ]
    status, out, said = ran(*words)
    assert (status, out) == (2, "")
    assert said.startswith(f"golpae: `{one}` and `{other}` do not go together\n  help: `{one}` ")
    assert [path.name for path in folder.iterdir() if path.suffix != ".golpae"] == ["rules"]


def test_a_verdict_that_somebody_has_changed_is_told(folder: Path, ran: Prove) -> None:
    assert ran("--write")[0] == 0
    kept = folder / "one.proofs.json"
    written = kept.read_text(encoding="utf-8")
    assert written.count('"verdict": "proved"') == 3
    kept.write_text(written.replace('"verdict": "proved"', '"verdict": "refuted"', 1), encoding="utf-8")
    status, out, said = ran()
    assert status == 0
    assert out.endswith("3 results on 1 rule set: 3 proved; all as expected\n")
    assert said.startswith(
        "golpae: 1 of 3 properties was decided anew: what `one.proofs.json` says of it does not hold now\n"
    )
