"""`golpae play`: a game at the terminal, saved as a trace."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.cli.terminal import conversation
from golpae.cli.terminal.person import clear
from golpae.cli.terminal.streams import Clean
from tests.cli.conftest import Golpae
from tests.cli.table import SCORED

HERE = ("--spec-path", "rules")
PLAY = ("play", "put", "--seed", "1", *HERE)


def saved(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


def test_a_game_is_played_and_saved_and_check_judges_it_alike(golpae: Golpae, here: Path) -> None:
    done = golpae(*PLAY, "-o", "game.jsonl", stdin=b"1\n1\n1\n1\n")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Put: An person, Bo greedy; --seed 1\n")
    assert "end with winner" in done.out
    assert "Enter deals the next hand" in done.out
    events = len(saved("game.jsonl")) - 1
    assert done.out.endswith(f"game.jsonl: {events} events\n")
    checked = golpae("check", "--verbose", "game.jsonl")
    assert checked.out.endswith("1 trace: 1 legal\n")


def test_several_hands_are_one_match(golpae: Golpae, here: Path) -> None:
    golpae(*PLAY, "-o", "game.jsonl", "--hands", "2", stdin=b"1\n" * 2 + b"\n" + b"1\n" * 9)
    assert [line.get("do") for line in saved("game.jsonl")].count("deal") == 2
    assert golpae("check", "--verbose", "game.jsonl").out.endswith("1 trace: 1 legal\n")


def test_others_hands_are_not_shown(golpae: Golpae, here: Path) -> None:
    out = golpae(*PLAY, "--policy", "person,person", stdin=b"1\nquit\n").out
    turns = out.split("> ")[:-1]
    assert len(turns) == 2
    for turn, name in zip(turns, ("An", "Bo"), strict=True):
        assert f"* {name}" in turn
        assert turn.count("face down") == 2  # the pile and the other hand


def test_hints_undo_and_what_is_refused(golpae: Golpae, here: Path) -> None:
    typed = b"undo\nhint\nhint gredy\nput 9-9\nput 1-1\nhelpp\n7\n\n1\nundo\nhelp\ntable\n/quit\n"
    done = golpae(*PLAY, stdin=typed)
    answers = [part.split("\n")[1] for part in done.out.split("An> ")[1:]]
    assert answers[0] == "there is nothing to take back"
    assert answers[1].startswith("greedy: ")
    assert answers[2] == "there is no policy `gredy`: did you mean `greedy`?"
    assert answers[3] == "there is no tile `9-9`"
    assert answers[4] == "An does not hold 1-1"
    assert "  broken: put.put.held in put\n" in done.out
    assert "  did you mean `help`?\n" in done.out
    assert "there is no choice 7\n" in done.out
    assert "choose by number or in words\n" in done.out
    assert done.out.count("\n* An +mover+\n") == 3  # at first, after `undo`, and with `table`


@pytest.mark.parametrize(("fault", "status"), [(KeyboardInterrupt(), 130), (RuntimeError("a fault"), 4)])
def test_a_game_that_is_broken_off_is_saved(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    fault: BaseException,
    status: int,
) -> None:
    class Interrupting(io.StringIO):
        def readline(self, *size: int) -> str:  # type: ignore[override]
            return super().readline() or raises()

    def raises() -> str:
        raise fault

    monkeypatch.setattr(sys, "stdin", Interrupting("1\n"))
    assert main([*PLAY, "-o", "game.jsonl"]) == status
    assert [line.get("do") for line in saved("game.jsonl")] == [None, "deal", "put", "put"]
    assert capsys.readouterr().out.endswith("game.jsonl: 3 events\n")


def test_several_people_have_the_screen_for_themselves(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "is_typed", lambda: True)
    monkeypatch.setattr(conversation, "clear", lambda: sys.stdout.write("<cleared>"))
    out = golpae(*PLAY, "--policy", "person", stdin=b"\n1\n\n1\n").out
    first, between, *_ = out.split("<cleared>")[1:]
    assert first == "It is An's turn. An, press Enter when nobody else looks. "
    assert between.startswith("\ndeal\n* An")
    assert "<cleared>It is Bo's turn. Bo, press Enter when nobody else looks. <cleared>" in out


@pytest.mark.parametrize("at_terminal", [True, False])
def test_a_screen_is_cleared_where_there_is_one(monkeypatch: pytest.MonkeyPatch, at_terminal: bool) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: at_terminal)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Clean(out))
        clear()
    assert out.getvalue() == "\x1b[H\x1b[2J\x1b[3J" * at_terminal


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--policy", "gredy"), "there is no policy `gredy`"),
        (("--policy", "person,greedy,greedy"), "`--policy` names 3 policies for 2 players"),
        (("--names", "An"), "`--names` has 1 names for 2 players"),
        (("--seed", "-1"), "`--seed` must be a whole number"),
        (("-o", "rules"), "`rules` is there already"),
        (("-o", "none/game.jsonl"), "`none/game.jsonl` cannot be written to"),
    ],
)
def test_a_wrong_call_is_told(golpae: Golpae, here: Path, words: tuple[str, ...], message: str) -> None:
    done = golpae(*PLAY, *words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"golpae: {message}")


def test_policies_alone_play_a_hand(golpae: Golpae, here: Path) -> None:
    done = golpae(*PLAY, "--policy", "random,greedy", "--names", "Eo,Ra")
    assert done.status == 0
    assert "Eo: put " in done.out
    assert "> " not in done.out


def test_a_hand_that_wins_is_told_with_what_it_counts(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "put.golpae").write_text(SCORED, encoding="utf-8")
    out = golpae(*PLAY, "--policy", "person", stdin=b"1\n2\nshow\nundo\nshow\n").out
    won = [line for line in out.split("\n") if line.startswith("  worth: ")]
    assert won == ["  worth: 3 (plain 1, high 2): 6-6"] * 2
