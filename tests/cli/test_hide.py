"""`golpae hide`, and `golpae check` with `--seat` and `--complete-with`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import golpae as library
from tests.cli.conftest import Golpae
from tests.cli.hidden_games import OF_BO, game, text
from tests.cli.table import EVENTS, HEADER


def hide(golpae: Golpae, *words: str, stdin: bytes | None = None) -> Any:
    return golpae("hide", *words, "--spec-path", "rules", stdin=stdin)


def test_games_are_written_as_a_player_saw_them(golpae: Golpae, here: Path) -> None:
    packed = here / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(text(game("a", note="n"), game("b")).encode()))
    done = hide(golpae, "a.jsonl.gz", "--seat", "Bo")
    assert (done.status, done.err) == (0, "")
    assert done.out == text(game("a", *OF_BO, note="n"), game("b", *OF_BO))
    checked = golpae("check", "-", stdin=done.out.encode())
    assert (checked.status, checked.out) == (0, "2 traces: 2 legal\n")
    assert hide(golpae, "a.jsonl.gz", "--seat", "1", "-o", "b.jsonl").out == "2 games\n"
    assert (here / "b.jsonl").read_text() == done.out


def test_games_that_cannot_be_hidden_are_left_out_with_a_word(golpae: Golpae, here: Path) -> None:
    wrong = {**EVENTS[1], "tile": "9-9"}
    games = text(game("a", EVENTS[0], wrong), game("b", players=["An", "Cho"]), game("c"))
    done = hide(golpae, "-", "--seat", "Bo", stdin=games.encode())
    assert (done.status, done.out) == (2, text(game("c", *OF_BO)))
    assert done.err.splitlines() == [
        "golpae: <stdin>:1: left out, because it is malformed at event 2: there is no tile `9-9`",
        "golpae: <stdin>:4: left out: there is no player `Bo` at this table; the players are `An`, `Cho`",
    ]
    assert "no trace in it" in hide(golpae, "-", "--seat", "Bo", stdin=b"\n").err


def test_games_do_not_take_the_place_of_those_that_are_read(golpae: Golpae, here: Path) -> None:
    (here / "games").mkdir()
    (here / "games" / "a.jsonl").write_text(text(game("a")))
    for paths, name in ((["games/a.jsonl"], "games/../games/a.jsonl"), (["games"], "games/a.jsonl")):
        done = hide(golpae, *paths, "--seat", "Bo", "-o", name)
        assert (done.status, done.out) == (2, "")
        assert f"`{name}` is one of the files to read" in done.err
        done = golpae("check", *paths, "--complete-with", name)
        assert done.status == 2
        assert f"`{name}` is one of the files to read" in done.err
    assert (here / "games" / "a.jsonl").read_text() == text(game("a"))


def test_a_call_says_who_sees_or_how_many_tiles_are_hidden(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a")))
    for words, message in (
        ((), "`--seat` is missing: who sees the games?"),
        (("--seat", "0", "--seed", "2"), "`--seed` goes with `--chance`"),
        (("--seat", "0", "--chance", "0.5"), "it does not go with `--seat`"),
        (("--chance", "1.5"), "`--chance` must be more than 0 and at most 1, not `1.5`"),
    ):
        done = hide(golpae, "a.jsonl", *words)
        assert (done.status, done.out) == (2, "")
        assert message in done.err
    found = [hide(golpae, "a.jsonl", "--chance", "0.5", "--seed", seed).out for seed in ("1", "1", "2")]
    assert found[0] == found[1] != found[2]
    assert '"?"' in found[0]


def test_a_check_from_a_seat_finds_what_its_player_could_tell(golpae: Golpae, here: Path) -> None:
    unseen = [EVENTS[0], {**EVENTS[1], "tile": "5-5"}, *EVENTS[2:]]  # An never had it
    (here / "a.jsonl").write_text(text(game("a"), game("b", *unseen), game("c", players=["An", "Cho"])))
    done = golpae("check", "a.jsonl", "--seat", "Bo", "--format", "json")
    one, two, three = map(json.loads, done.out.splitlines())
    assert (one["verdict"], one["completion"][1:]) == ("legal", [*EVENTS[1:]])
    assert (two["verdict"], two["line"]) == ("legal", 7)
    assert (three["verdict"], three["event"]) == ("malformed", 0)
    alone = json.loads(golpae("check", "a.jsonl", "--seat", "An", "--format", "json").out.splitlines()[1])
    assert (alone["verdict"], alone["event"], alone["at"]) == ("illegal", 2, 9)
    for option in ("--expected", "--write-expected"):
        assert golpae("check", "a.jsonl", "--seat", "An", option).status == 2


def test_several_processes_check_from_a_seat_as_one_does(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a"), game("b", EVENTS[0], EVENTS[2])))
    words = ("check", "a.jsonl", "--seat", "Bo", "--format", "json")
    alone = golpae(*words)
    assert golpae(*words, "--jobs", "2").out == alone.out
    assert golpae("check", "a.jsonl", "--seat", "Bo", "-o", "v.jsonl").status == 1
    assert (here / "v.jsonl").read_text() == alone.out


def test_completed_games_are_written_as_a_file_of_traces(golpae: Golpae, here: Path) -> None:
    illegal = game("b", EVENTS[0], EVENTS[2])
    (here / "a.jsonl").write_text(text(game("a", *OF_BO), illegal, game("c"), game("d", *OF_BO[:3])))
    done = golpae("check", "a.jsonl", "--complete-with", "b.jsonl")
    assert done.status == 1
    assert done.out.endswith("3 games in `b.jsonl`\n")
    lines = [json.loads(line) for line in (here / "b.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines if "id" in line] == ["a", "c", "d"]
    assert lines[6:12] == game("c")
    assert golpae("check", "b.jsonl").out.endswith("\n3 traces: 2 legal, 1 incomplete\n")
    assert golpae("check", "a.jsonl", "--seat", "An", "--complete-with", "c.jsonl").status == 1
    assert golpae("check", "c.jsonl").status == 0


def test_a_file_of_completed_games_is_written_whole_or_not_at_all(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a", *OF_BO)))
    for words, message in (
        (("--complete-with", "a.jsonl"), "`a.jsonl` is one of the files to read"),
        (("--complete-with", "-"), "`--complete-with` needs the name of a file"),
        (("--complete-with", "no/b.jsonl"), "`no/b.jsonl` cannot be written to"),
        (("--complete-with", "b.jsonl", "-o", "c.jsonl"), "`--output` does not go with `--complete-with`"),
    ):
        done = golpae("check", "a.jsonl", *words)
        assert done.status == 2
        assert message in done.err
    assert golpae("check", "nowhere.jsonl", "--complete-with", "b.jsonl").status == 2
    assert sorted(path.name for path in here.iterdir()) == ["a.jsonl", "rules"]


def test_the_library_tells_completions_and_conflicts(here: Path, golpae: Golpae) -> None:
    events = [{**EVENTS[0], "hands": [2, ["3-3", "?"]]}, *EVENTS[1:]]
    rules = library.load(here / "rules" / "put.golpae")
    found = library.check([HEADER, *events], rules=rules)
    assert found.verdict == "legal"
    assert found.completion is not None
    assert found.completion[2] == EVENTS[2]
    assert found.to_json()["completion"][1:] == [*EVENTS[1:]]
    events[2] = {**events[2], "by": 0}
    wrong = library.check([HEADER, *events], rules=rules)
    assert (wrong.verdict, wrong.completion) == ("illegal", None)
    assert wrong.to_json().get("conflict", []) == [one.to_json() for one in wrong.conflict]
