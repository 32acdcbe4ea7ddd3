"""Rows of definitions by cases, changed one by one; kinds, orders and groups that a variant declares."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check, check_text
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.syntax import tree as t
from golpae.syntax.format import format_decl, format_text
from golpae.syntax.parse import parse
from golpae.trace import Verdict

GAME = """\
game stalls "Stalls"

players 2 to 2

tiles
  plain: four of each 1a 2a
  rare: two of each 3b

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

define price(n: number) by n: 1 5, 2 to 4 7, 6 1, otherwise 0
define worth(t: tile) by t: 1a or 2a 1, otherwise 2

define bonus(n: number)
  when n > 3: 2
  otherwise: 1

effects give(p: seat, tile)
  move tile from p's hand to bag
  next: mover := p's right

deal from bag
  hands: 2 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand
  then give(p, tile)
  then when p's hand is empty: p wins

end
  due: over "the hand is not over"

payout
  won: when winner is not none: winner scores price(2) + worth(1a) + bonus(2)

variant one "two costs nine"
  replace price.2: 9

variant more "more keys"
  replace price.3: 3
  add price.5: 4
  drop price.6
  replace price.otherwise: 8
  replace worth.2a: 6

variant even "no bonus but one of three"
  replace bonus.otherwise: 0
  replace bonus.1: 3

variant all "one price"
  replace price: 1

variant ends "who gives a tile may end the hand"
  add give.last: when bonus(size of bag) > 1: nobody wins

variant words "parts of every kind"
  kind mood: one of calm, wild
  kind level in order: low, high
  circle round: 1a, 2a
  conditions moving(p: seat)
    turn: p = mover "it is not {p}'s turn"
  effects passing(p: seat)
    mover := p's right
    mind: state-of-mind := wild
  state of the hand
    state-of-mind: mood = calm
    height: level = low
  action pass by p "pass"
    requires moving(p)
    calm: state-of-mind = calm and height < high and next after 1a in round = 2a "no"
    then out: passing(p)
"""


def of(switches: str = "") -> Any:
    return check(resolve(f"stalls{switches}", load_text(GAME)))


def written(name: str, switches: str) -> str:
    found = (d for d in resolve(f"stalls{switches}", load_text(GAME)).decls if isinstance(d, t.Define))
    return next(format_decl(d) for d in found if d.name.text == name)


def test_the_text_has_no_faults_and_is_written_as_it_stands() -> None:
    from golpae.diagnostics import Text

    assert not check_text(load_text(GAME))
    assert format_text(parse(Text.of("stalls", GAME))) == GAME


def test_a_row_is_replaced_and_the_other_numbers_of_its_range_stay() -> None:
    assert written("price", "+one") == (
        "define price(n: number) by n\n  1: 5\n  3 or 4: 7\n  2: 9\n  6: 1\n  otherwise: 0"
    )


def test_rows_are_added_dropped_and_replaced() -> None:
    assert written("price", "+more") == (
        "define price(n: number) by n\n  1: 5\n  2 or 4: 7\n  3: 3\n  5: 4\n  otherwise: 8"
    )
    assert written("worth", "+more") == "define worth(t: tile) by t\n  1a: 1\n  2a: 6\n  otherwise: 2"


def test_two_variants_change_two_rows() -> None:
    assert "2: 9" in written("price", "+one+more")
    assert "3: 3" in written("price", "+one+more")


def test_a_row_and_the_whole_clash() -> None:
    with pytest.raises(SpecError, match="`one` and `all` both change `price`"):
        of("+one+all")


def test_rows_that_are_questions_have_numbers() -> None:
    assert written("bonus", "+even") == "define bonus(n: number)\n  when n > 3: 3\n  otherwise: 0"
    dropped = check(resolve("stalls", load_text(f"{GAME}\ndrop bonus.1\n")))
    assert len(dropped.definitions) == len(of().definitions)
    with pytest.raises(SpecError, match="`bonus` has no clause `2`"):
        check(resolve("stalls", load_text(f"{GAME}\nreplace bonus.2: 3\n")))


NUMBERS = """
define prize(n: number)
  when n > 3: 2
  when n > 2: 1
  otherwise: 0

variant a "no first row"
  drop prize.1

variant b "seven for the second row"
  replace prize.2: 7

variant c "the second row, and none before it"
  drop prize.1
  replace prize.2: 7

variant d "a row that is dropped"
  drop prize.1
  replace prize.1: 3
"""


@pytest.mark.parametrize("switches", ["+a+b", "+c"])
def test_rows_keep_the_numbers_of_the_text(switches: str) -> None:
    decls = resolve(f"stalls{switches}", load_text(GAME + NUMBERS)).decls
    (prize,) = (d for d in decls if isinstance(d, t.Define) and d.name.text == "prize")
    assert format_decl(prize) == "define prize(n: number)\n  when n > 2: 7\n  otherwise: 0"


def test_a_row_that_is_dropped_cannot_be_replaced() -> None:
    with pytest.raises(SpecError, match=r"`prize\.1` is dropped by `d`"):
        resolve("stalls+d", load_text(GAME + NUMBERS))


def test_a_row_that_is_a_question_cannot_be_added() -> None:
    with pytest.raises(SpecError, match="the rows of `bonus` are questions"):
        check(resolve("stalls", load_text(f"{GAME}\nadd bonus.2: 3\n")))


def test_an_unknown_row_is_named() -> None:
    with pytest.raises(SpecError, match="`price` has no clause `9`"):
        check(resolve("stalls", load_text(f"{GAME}\nreplace price.9: 3\n")))


def verdict(switches: str, *moves: tuple[int, str], winner: int | None, paid: int) -> Verdict:
    """Return the verdict of a game: who puts which tile, who wins, and what the first player gets."""
    events: list[dict[str, object]] = [
        {"golpae": 1, "rules": "stalls", "players": ["An", "Bo"]},
        {"do": "deal", "first": 0, "hands": [["1a", "1a"], ["2a", "2a"]]},
        *({"do": "put", "by": seat, "tile": tile} for seat, tile in moves),
        {"do": "end", "winner": winner, "pay": [paid, 0]},
    ]
    trace = "".join(json.dumps(event) + "\n" for event in events)
    (report,) = replay(io.BytesIO(trace.encode()), "a trace", Library(lambda _: of(switches)))
    return report.outcome.verdict


@pytest.mark.parametrize(("switches", "paid"), [("", 9), ("+one", 11), ("+all", 3)])
def test_games_are_paid_by_the_changed_rows(switches: str, paid: int) -> None:
    assert verdict(switches, (0, "1a"), (1, "2a"), (0, "1a"), winner=0, paid=paid) == Verdict.LEGAL


def test_a_clause_is_added_to_a_group() -> None:
    assert verdict("+ends", (0, "1a"), winner=None, paid=0) == Verdict.LEGAL
    assert verdict("", (0, "1a"), winner=None, paid=0) == Verdict.ILLEGAL


def test_kinds_orders_and_groups_of_a_variant_are_there_while_it_is_on() -> None:
    assert [a.name for a in of("+words").actions] == ["deal", "put", "end", "pass", "finish"]
    action = next(a for a in of("+words").actions if a.name == "pass")
    assert [c.name for c in action.conditions if c.name in ("turn", "calm")] == ["turn", "calm"]
    assert [a.name for a in of().actions] == ["deal", "put", "end", "finish"]
