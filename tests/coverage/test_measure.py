"""What counts as held, broken, asked and done, and in how many games."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from golpae.coverage.clauses import Book
from golpae.coverage.kept import UselessCounts, add, schema, to_json
from golpae.coverage.tally import Share
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from tests.committed import TOP
from tests.coverage.picks import (
    MISFIT,
    NOT_MOVER,
    PICKS,
    WON,
    counted,
    coverage,
    folder,
    games_of,
    put,
    traces,
)


def test_a_text_has_these_clauses(tmp_path: Path) -> None:
    places = [folder(tmp_path)]
    book = Book(load("picks", places), lambda rules: elaborate(rules, places))
    assert [(c.name, c.kind) for c in book.clauses if c.stated] == [
        ("fits.like", "case"),
        ("fits.star", "case"),
        ("price", "definition"),
        ("deal", "action"),
        ("deal.hands", "condition"),
        ("deal.then", "effect"),
        ("put", "action"),
        ("put.turn", "condition"),
        ("put.held", "condition"),
        ("put.fits", "condition"),
        ("put.then", "effect"),
        ("put.then 2", "effect"),
        ("put.then 3", "effect"),
        ("put.then 3 when", "when"),
        ("end", "action"),
        ("end.due", "condition"),
        ("payout.then", "effect"),
        ("payout.then when", "when"),
        ("finish", "action"),
        ("+passing", "switch"),
        ("put.turn (passing)", "condition"),
        ("+free", "switch"),
    ]
    assert "lonely" not in {c.name for c in book.clauses}  # only a theorem asks it
    assert {c.name for c in book.clauses if not c.stated} >= {"put.open", "end.pay", "deal.set"}


def test_clauses_know_their_lines_and_numbers(tmp_path: Path) -> None:
    places = [folder(tmp_path)]
    book = Book(load("picks", places), lambda rules: elaborate(rules, places))
    text = PICKS.splitlines()
    for name, begins in (
        ("fits.star", "  star:"),
        ("put.turn (passing)", "  replace put.turn"),
        ("+free", "variant free"),
    ):
        (clause,) = (c for c in book.clauses if c.name == name)
        assert text[clause.line - 1].startswith(begins)
    by_name = {c.name: c for c in book.clauses}
    assert by_name["fits.star"].ids == ("R2",)
    assert by_name["put.turn"].ids == ("R1",)
    assert by_name["put.turn (passing)"].ids == ("R4",)
    assert by_name["+free"].ids == ("R4",)  # what it drops is cited


def test_a_legal_game_holds_its_conditions_and_breaks_none(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", WON))
    for name in ("put.turn", "put.held", "put.fits", "end.due", "deal.hands"):
        assert (games_of(tally, name, "held"), games_of(tally, name, "broken")) == (1, 0)
    (turn,) = (c for c in tally.book.clauses if c.name == "put.turn")
    assert tally.count(turn, "held").events == 3
    assert tally.count(turn, "held").examples == ["games.jsonl:1"]
    assert games_of(tally, "fits.like", "held") == games_of(tally, "fits.star", "held") == 1
    assert games_of(tally, "put.then 3 when", "yes") == games_of(tally, "put.then 3 when", "no") == 1
    assert games_of(tally, "payout.then", "done") == games_of(tally, "price", "asked") == 1
    assert games_of(tally, "finish", "happened") == 0


def test_a_refused_event_breaks_one_condition_and_holds_those_before_it(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", MISFIT))
    assert games_of(tally, "put.fits", "broken") == 1
    (held,) = (c for c in tally.book.clauses if c.name == "put.held")
    assert tally.count(held, "held").events == 2
    assert games_of(tally, "fits.like", "held") == games_of(tally, "fits.star", "held") == 0


def test_what_an_explanation_asks_is_not_counted(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", (put(0, "1c"), put(0, "1s"))))
    assert games_of(tally, "put.turn", "broken") == 1
    assert games_of(tally, "fits.like", "held") == 0  # Bo could put 1c now, as the explanation says


def test_a_malformed_event_counts_for_nothing(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", (put(0, "1c"), {"do": "put"})))
    (turn,) = (c for c in tally.book.clauses if c.name == "put.turn")
    assert tally.count(turn, "held").events == 1


def test_what_a_variant_replaces_counts_for_its_own_clause(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks+passing", NOT_MOVER), ("picks", NOT_MOVER))
    assert games_of(tally, "put.turn (passing)", "held") == 1
    assert games_of(tally, "put.turn", "held") == 0
    assert games_of(tally, "put.turn", "broken") == 1
    assert games_of(tally, "put.held", "held") == 1
    assert (games_of(tally, "+passing", "played"), games_of(tally, "+free", "played")) == (1, 0)


def test_a_variant_may_have_the_name_of_an_action_that_it_adds(tmp_path: Path) -> None:
    skip = 'variant skip "a player may skip"\n  action skip by p\n    turn: p = mover\n    then mover := p\'s right\n'
    tally = counted(tmp_path, ("picks+skip", ({"do": "skip", "by": 0},)), text=f"{PICKS}\n{skip}")
    assert (games_of(tally, "skip (skip)", "happened"), games_of(tally, "+skip", "played")) == (1, 1)


def test_a_shared_condition_is_counted_under_each_action(tmp_path: Path) -> None:
    turn = '  turn: p = mover "it is not {p}\'s turn"\n'
    shared = f"conditions moving(p: seat)\n{turn}\n"
    skip = "action skip by p\n  requires moving(p)\n  then mover := p's right\n\n"
    text = PICKS.replace(turn, "  requires moving(p)\n").replace("action put", f"{shared}{skip}action put")
    tally = counted(tmp_path, ("picks", (put(1, "1c"),)), ("picks", ({"do": "skip", "by": 0},)), text=text)
    names = ("put.turn", "skip.turn")
    assert [games_of(tally, name, "broken") for name in names] == [1, 0]
    assert [games_of(tally, name, "held") for name in names] == [0, 1]
    first, second = (next(c for c in tally.book.clauses if c.name == name) for name in names)
    assert first.span == second.span


def test_a_condition_with_the_name_of_a_key_is_not_what_is_asked_of_the_key(tmp_path: Path) -> None:
    sizes = 'sizes: no q in players: q\'s sizes = 0 "somebody has nothing"'
    tell = f"action tell(sizes: each player's number) by p\n  {sizes}\n  then mover := p\n\n"
    text = PICKS.replace("action put", f"{tell}action put")
    tally = counted(tmp_path, ("picks", ({"do": "tell", "by": 0, "sizes": [1, 0]},)), text=text)
    assert games_of(tally, "tell.sizes", "broken") == 1
    assert [c.path for c in tally.book.clauses if c.name == "tell.sizes #2"] == ["tell.sizes"]


def test_a_rule_is_used_in_a_game_and_broken_in_a_game(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", WON), ("picks", MISFIT), ("picks+free", ()))
    assert tally.numbers["R2"] == {"used": 2, "broken": 1}
    assert tally.numbers["R4"] == {"used": 1, "broken": 0}
    assert tally.cited()["R5"] == []


def test_one_definition_with_a_table_is_asked(tmp_path: Path) -> None:
    text = PICKS.replace("star: a in stars", "star: starry(a)").replace(
        "define price", "define starry(a: tile): a in stars\ndefine price"
    )
    assert games_of(counted(tmp_path, ("picks", WON), text=text), "starry", "asked") == 1


# ------------------------------------------------------------------ sums


def test_counts_of_two_runs_are_those_of_one(tmp_path: Path) -> None:
    both = coverage(tmp_path)
    parts = [coverage(tmp_path), coverage(tmp_path)]
    for part, games in zip(parts, (("picks", WON), ("picks+passing", MISFIT)), strict=True):
        for name, one in (("a.jsonl", part), ("a.jsonl", both)):
            assert [r.outcome.rules for r in one.file(io.BytesIO(traces(games)), name)] == [games[0]]
    for part in parts[1:]:
        assert add(parts[0], json.dumps(to_json(part)).encode()).games == 1
    assert to_json(parts[0]) == to_json(both)


def test_counts_of_a_clause_that_changed_are_left_out(tmp_path: Path) -> None:
    old = coverage(tmp_path)
    list(old.file(io.BytesIO(traces(("picks", WON))), "a.jsonl"))
    kept = json.dumps(to_json(old)).encode()
    new = coverage(tmp_path)
    (tmp_path / "picks.golpae").write_text(PICKS.replace("star: a in stars", "star: b in stars"))
    assert add(new, kept).changed == ["fits.star"]
    assert games_of(new.game("picks"), "fits.like", "held") == 1
    assert games_of(new.game("picks"), "fits.star", "held") == 0


@pytest.mark.parametrize("content", [b"", b"[]", b'{"format":2,"unplayed":0,"games":[]}', b"\xff\xfe"])
def test_a_file_that_holds_no_counts_cannot_be_added(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UselessCounts):
        add(coverage(tmp_path), content)


def test_the_schema_is_committed() -> None:
    file = TOP / "docs" / "coverage.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


def test_the_share_is_of_what_lines_state(tmp_path: Path) -> None:
    tally = counted(tmp_path, ("picks", WON))
    assert tally.shares()["action", "happened"] == Share(3, 4)
    assert tally.shares()["condition", "broken"] == Share(0, 6)
    whole = tally.share()
    assert whole.of == sum(len(c.sides) for c in tally.stated)
    assert whole.covered == whole.of - len(tally.missing())
