"""The ledger: what depends on a clause, and what notices its mutants."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golpae.coverage.ledger import Mutant, Mutants, NoMutants, Tried, ledger, mutants_in, mutants_of
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.coverage.picks import MISFIT, PICKS, WON, counted, traces

__all__ = ["cache", "golpae", "here"]
MINE = PICKS.replace(
    "theorem nothing", "always beach-grows after put: beach is not empty  [R1]\ntheorem nothing"
)
FOUND = Mutants(
    1,
    "picks",
    [
        Mutant("put.turn: dropped", "put.turn", "noticed"),
        Mutant("put.turn: p = mover -> p /= mover", "put.turn", "property"),
        Mutant("put.turn: mover -> winner", "put.turn", "unnoticed"),
        Mutant("put.turn: negated", "put.turn", "explained"),
        Mutant("put.turn: worse", "put.turn", "no rules"),
        Mutant("free, put.fits: dropped", "put.fits (free)", "unnoticed"),
        Mutant("passing, put.turn: x", "put.turn (passing)", "noticed"),
        Mutant("players: 2 -> 1", "players", "unnoticed"),
    ],
)


def test_an_entry_has_games_properties_and_mutants(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", WON), ("picks", MISFIT), text=MINE)
    found = ledger(tally, FOUND)
    by_name = {entry.clause.name: entry for entry in found.entries}
    turn = by_name["put.turn"]
    assert (turn.used, turn.broken, turn.about, turn.properties) == (
        2,
        0,
        ("beach-grows",),
        ("beach-grows", "nothing"),
    )
    assert turn.mutants == Tried(2, ["put.turn: mover -> winner"])
    assert by_name["put.fits"].broken == 1
    assert by_name["put.fits"].about == ()  # it cites another number
    assert by_name["price"].properties == ()
    assert by_name["+free"].mutants == Tried(0, ["free, put.fits: dropped"])
    assert by_name["put.turn (passing)"].mutants == Tried(1)
    assert found.elsewhere == Tried(0, ["players: 2 -> 1"])


def test_only_mutants_of_the_game_count() -> None:
    class Tally:
        class book:  # noqa: N801
            game = "other"

    assert mutants_of(Tally(), [FOUND]) is None  # type: ignore[arg-type]
    for content in (b"", b'{"format":2,"game":"a","mutants":[]}', b'{"format":1}'):
        with pytest.raises(NoMutants):
            mutants_in(content)


def test_mutants_of_a_run_are_put_beside_the_clauses(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "picks.golpae").write_text(MINE)
    (here / "games.jsonl").write_bytes(traces(("picks", WON), ("picks", MISFIT)))
    rules = ("--spec-path", "rules")
    tried = golpae("mutate", "picks", "--traces", "games.jsonl", "--jobs", "1", "--format", "json", *rules)
    (here / "mutants.json").write_text(tried.out)
    call = ("coverage", "games.jsonl", "--mutants", "mutants.json", *rules)
    rows = [line.split() for line in golpae(*call, "--ledger").out.splitlines()]
    (turn,) = (row for row in rows if row[0] == "put.turn" and "R1" in row)
    assert turn[:6] == ["put.turn", "R1", "2", "0", "1", "2"]
    assert turn[7] == "of"
    (clause,) = (
        clause
        for clause in json.loads(golpae(*call, "--format", "json").out)["games"][0]["clauses"]
        if clause["name"] == "put.turn"
    )
    assert clause["about"] == ["beach-grows"]
    assert f"{clause['mutants']['noticed']}" == turn[6]
    assert golpae(*call, "--html", "page.html").status == 0
    page = (here / "page.html").read_text("utf-8")
    assert '<table id="ledger">' in page
    assert "properties about it: <code>beach-grows</code>" in page
    refused = golpae("coverage", "games.jsonl", "--mutants", "games.jsonl", *rules)
    assert refused.status == 2
