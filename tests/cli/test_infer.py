"""`golpae infer`: what it prints, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from golpae.assets.examples import EXAMPLES
from tests.cli.conftest import Golpae
from tests.cli.hidden_games import OF_BO, game, text
from tests.cli.table import EVENTS


def infer(golpae: Golpae, *words: str, stdin: bytes | None = None) -> Any:
    return golpae("infer", *words, "--spec-path", "rules", stdin=stdin)


def test_what_a_player_could_know_is_printed(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a")))
    done = infer(golpae, "a.jsonl", "--seat", "Bo", "--why")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("a.jsonl:1  `a`  ")
    assert "event 1: An's hand, 2 tiles" in done.out
    same = infer(golpae, "-", "--why", stdin=text(game("a", *OF_BO)).encode())
    assert same.out.splitlines()[1:] == done.out.splitlines()[1:]


def test_json_has_a_line_for_each_game(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a", *OF_BO), game("b")))
    done = infer(golpae, "a.jsonl", "--format", "json")
    first, second = map(json.loads, done.out.splitlines())
    assert (first["id"], first["verdict"], second["hands"]) == ("a", "legal", [])
    [hand] = first["hands"]
    assert hand["places"][0]["key"] == "hands"
    assert hand["places"][0]["seat"] == 0


def test_nothing_is_inferred_of_what_has_a_fault(golpae: Golpae, here: Path) -> None:
    wrong = {**EVENTS[1], "tile": "9-9"}
    games = text(game("a", OF_BO[0], wrong), game("c", *OF_BO))
    done = infer(golpae, "-", stdin=games.encode())
    assert done.status == 2
    assert (
        done.err
        == "golpae: <stdin>:1: left out, because it is malformed at event 2: there is no tile `9-9`\n"
    )
    assert done.out.startswith("<stdin>:4  `c`  ")
    assert infer(golpae, "-", "--at", "0", stdin=b"").status == 2


def test_a_file_that_cannot_be_read_goes_before_a_game_that_is_illegal(golpae: Golpae, here: Path) -> None:
    (here / "a.jsonl").write_text(text(game("a", OF_BO[0], {**EVENTS[1], "by": 1})))
    assert infer(golpae, "a.jsonl").status == 1
    (here / "b.jsonl.gz").write_bytes(b"no archive")
    assert infer(golpae, "a.jsonl", "b.jsonl.gz").status == 2


def test_a_seat_has_to_be_one_of_the_table(golpae: Golpae) -> None:
    assert "no player `Zo`" in infer(golpae, "-", "--seat", "Zo", stdin=text(game("a")).encode()).err


def test_a_reason_may_be_that_there_are_no_more_tiles_of_a_kind(golpae: Golpae, here: Path) -> None:
    example = next(one for examples in EXAMPLES.values() for one in examples if one.name == "hidden")
    (here / "rules" / "parlour.golpae").write_text(example.text(), "utf-8")
    (here / "a.jsonl").write_text(example.game() or "", "utf-8")
    done = infer(golpae, "a.jsonl", "--why")
    assert done.status == 1  # the other game is illegal
    assert "cannot stand together" in done.err
    assert "`evening`" in done.out
