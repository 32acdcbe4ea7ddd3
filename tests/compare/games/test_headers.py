"""Headers that only one rule set takes, and the tables at which games are compared."""

from __future__ import annotations

import pytest

from golpae.compare.comparison import Comparison
from golpae.compare.games.compare import compare_games
from golpae.compare.games.headers import headers_of
from golpae.compare.games.verdict import A_IN_B, B_IN_A, Covered, Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.text.diff import Difference, TextComparison
from golpae.ir.ruleset import RuleSet
from golpae.workers import OuterLimits
from tests.differential.texts import RuleText

TEXT = """\
game stall "A stall"
players 2 to 3
option price: 1 to 3, normally 2
tiles
  coins: one of each "{size}c" for size in 1 to 5
zones
  stall: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
deal from stall
  hands: 1 for everyone
  then mover := first
action stop by p "stop"
  turn: p = mover "not yours"
  then nobody wins
end
  due: over "not over"
payout
  each: mover scores 0
"""
STRICT = ("  then nobody", '  dear: price <= 2 or p = mover\'s right "no"\n  then nobody')
DIFFERENCE = Difference("players", "replaced", "rules", "players", None, None)
DIFFERS = TextComparison("a", "b", ("", ""), (DIFFERENCE,), {}, ())
ONLY_A, ONLY_B, BOTH = (A_IN_B,), (B_IN_A,), (A_IN_B, B_IN_A)


def rules(*swaps: tuple[str, str]) -> RuleSet:
    text = TEXT
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return RuleText("stall", text).rule_set()


def players(words: str) -> tuple[str, str]:
    return "players 2 to 3", f"players {words}"


def price(words: str) -> tuple[str, str]:
    return "option price: 1 to 3, normally 2", words


def test_an_option_that_no_rule_reads_is_covered_at_one_table_for_each_number_of_players() -> None:
    found = headers_of(rules(), rules(("scores 0", "scores 1")), CompareOptions())
    assert found.tables == ((2, {"price": 2}), (3, {"price": 2}))
    assert found.covered == (Covered("price", 1, 3),)
    assert found.differences == ()


def test_every_value_of_an_option_that_a_rule_reads_has_tables() -> None:
    found = headers_of(rules(), rules(STRICT), CompareOptions(players=2))
    assert found.tables == tuple((2, {"price": n}) for n in (1, 2, 3))
    assert found.covered == (Covered("price", 1, 3),)


def test_of_many_values_the_usual_one_is_covered() -> None:
    wide = price("option price: 1 to 300, normally 7")
    found = headers_of(rules(wide), rules(wide, STRICT), CompareOptions())
    assert found.tables == ((2, {"price": 7}), (3, {"price": 7}))
    assert found.covered == (Covered("price", 1, 300, (7,)),)
    found = headers_of(rules(wide), rules(wide, STRICT), CompareOptions(options={"price": 300}))
    assert found.covered == (Covered("price", 300, 300),)


@pytest.mark.parametrize(
    ("swap", "questions", "words"),
    [
        (players("2 to 4"), ONLY_B, "only {b} is for 4 players"),
        (players("3 to 3"), ONLY_A, "only {a} is for 2 players"),
        (players("2 to price"), ONLY_A, "only {a} is for 3 players"),
        (price("option price: 0 to 3, normally 2"), ONLY_B, "only in {b} can `price` be 0"),
        (price("option price: 2 to 2, normally 2"), ONLY_A, "only in {a} can `price` be 1 or 3"),
        (price("option price: 1 to 3, normally 3"), BOTH, "`price` is normally 2 in {a} and 3 in {b}"),
        (price(""), ONLY_A, "only {a} has the option `price`"),
    ],
)
def test_headers_are_a_difference(swap: tuple[str, str], questions: tuple[str, ...], words: str) -> None:
    read = ("scores 0", "scores 0 * price") if swap[1].endswith("price") else ("scores 0", "scores 0")
    a, b = rules(read), rules(read, swap)
    found = headers_of(a, b, CompareOptions()).differences
    assert (questions, words) in [(d.questions, d.words) for d in found]
    turned = headers_of(b, a, CompareOptions()).differences
    assert {q for d in turned for q in d.questions} == {
        {A_IN_B: B_IN_A, B_IN_A: A_IN_B}[q] for d in found for q in d.questions
    }


def test_a_difference_of_headers_decides_the_verdict() -> None:
    a = rules()
    for b, verdict in (
        (rules(players("2 to 4")), "wider"),
        (rules(players("2 to 2")), "narrower"),
        (rules(players("4 to 4")), "different"),
        (rules(price("")), "narrower"),
        (rules(price("option price: 1 to 3, normally 1")), "different"),
    ):
        [meaning] = compare_games([(a, b)], CompareOptions(cached=False))
        assert isinstance(meaning, Meaning)
        assert not meaning.same
        comparison = Comparison("a", "b", ("meaning",), DIFFERS, meaning)
        assert (comparison.games, comparison.paid) == (verdict, True)
        assert comparison.expected("same") is False


def test_a_table_that_exceeds_an_outer_limit_has_no_answer() -> None:
    options = CompareOptions(players=2, cached=False, limits=OuterLimits(seconds=0))
    [meaning] = compare_games([(rules(), rules(STRICT))], options)
    assert isinstance(meaning, Meaning)
    assert {(t.a_in_b.verdict, t.a_in_b.detail, t.fault) for t in meaning.tables} == {
        ("unknown", "out of time", None)
    }


def test_a_value_of_an_option_can_be_a_difference() -> None:
    [meaning] = compare_games([(rules(), rules(STRICT))], CompareOptions(players=2, cached=False))
    assert isinstance(meaning, Meaning)
    verdicts = {table.options["price"]: table.a_in_b.verdict for table in meaning.tables}
    assert verdicts == {1: "proved", 2: "proved", 3: "refuted"}
