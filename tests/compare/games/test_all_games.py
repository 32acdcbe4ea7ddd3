"""Rule sets whose games are few: all of them are gone through, which decides."""

from __future__ import annotations

import pytest

from golpae.compare.games import table_comparison
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.stakes import stakes_to_try
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import PROVED, QUESTIONS, REFUTED, UNKNOWN, AtTable, QuestionResult
from golpae.ir.ruleset import RuleSet
from golpae.verify.options import Settings
from tests.differential.texts import RuleText
from tests.verify.shells import SIZED

TEXT = """\
game booth "A booth"
players 2 to 2
tiles
  chips: one of each 1k 2k 3k 4k
zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
  other: seat
  steps: number = 0
  kept: tile or none = none
  each player's lamp: yes or no = no
deal from box
  hands: 1 for everyone
  then mover := first
  then other := first
action turn-dial(digit: one of up, down, aside) by p "turn the dial"
  turn: p = mover and steps < 7 "no"
  then when digit = up: steps := steps + 1
  then when digit /= up: steps := 0
action switch by p "switch the lamps"
  turn: p = mover and steps = 7 "no"
  then for each q in {mover, other}: q's lamp := not q's lamp
  then nobody wins
action look by p "look"
  turn: p = mover and kept is none "no"
  then for each t in chips: kept := t
action stop by p "stop"
  turn: p = mover and kept = 4k "no"
  then nobody wins
end
  due: over "no"
payout
  each: mover scores 1
"""
SCORED = """\
game booth "A booth"
players 2 to 2
tiles
  chips: two of each 1k 2k
zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
shape couple(a, b): a = b
arrangement full: 1 couple
score worth "worth"
  given
    hand: tiles
  hand: hand
  as: full
  total: unimplied
  pattern low 1: couple is couple
  pattern high 3: couple is couple
  low brings high
  high brings low
deal from box
  hands: 2 for everyone
  then mover := first
action stop by p "stop"
  turn: p = mover "no"
  then nobody wins
end
  due: over "no"
payout
  each: mover scores worth(mover's hand) otherwise 0
"""
PATTERNS = "  pattern low 1: couple is couple\n", "  pattern high 3: couple is couple\n"
ORDER = "1k 2k 3k 4k", "4k 3k 2k 1k"


def rules(text: str, *swaps: tuple[str, str]) -> RuleSet:
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return RuleText("booth", text).rule_set()


def compared(a: RuleSet, b: RuleSet) -> AtTable:
    return at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000))


def verdicts(found: AtTable) -> list[str]:
    return [found.answer(question).verdict for question in QUESTIONS]


def test_a_lock_that_chance_does_not_open_is_opened() -> None:
    strict = rules(TEXT, ('due: over "no"', 'due: over "no"\n  lit: other /= mover or kept = 4k "no"'))
    found = compared(rules(TEXT), strict)
    assert verdicts(found) == [REFUTED, PROVED, PROVED]
    assert found.a_in_b.detail == "a game of 10 events; no shorter one exists"
    assert found.b_in_a.detail == "the conditions and everything they depend on are written alike"
    turned = compared(strict, rules(TEXT))
    assert verdicts(turned) == [PROVED, REFUTED, PROVED]


def test_the_order_of_the_set_decides_where_a_loop_follows_it() -> None:
    found = compared(rules(TEXT), rules(TEXT, ORDER))
    assert verdicts(found) == [REFUTED, PROVED, PROVED]
    assert found.a_in_b.game is not None
    assert found.a_in_b.game.events == 3
    sorted_out = ("for each t in chips: kept := t", "kept := 4k")
    found = compared(rules(TEXT, sorted_out), rules(TEXT, sorted_out, ORDER))
    assert verdicts(found) == [PROVED, PROVED, PROVED]


def test_where_games_are_many_another_order_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_comparison, "MOST_POSITIONS", 0)
    found = compared(rules(TEXT), rules(TEXT, ORDER))
    assert verdicts(found) == [UNKNOWN, UNKNOWN, UNKNOWN]
    assert found.paid.detail == "the tiles are listed in another order, which `look` can follow"


def test_the_order_of_patterns_decides_what_is_paid() -> None:
    turned = rules(SCORED, ("".join(PATTERNS), "".join(PATTERNS[::-1])))
    found = compared(rules(SCORED), turned)
    assert verdicts(found) == [PROVED, PROVED, REFUTED]


@pytest.mark.parametrize(
    ("one", "other", "stakes", "verdict"),
    [
        ("stake", "stake * stake", (1, 2, 3), REFUTED),
        ("stake * (stake + 1)", "stake * stake + stake", (1, 2, 3), PROVED),
        ("price", "stake + 2", (1, 2), PROVED),
        ("if over then stake else 0", "stake", (1, 2), PROVED),
    ],
)
def test_payments_are_compared_at_enough_stakes(
    one: str, other: str, stakes: tuple[int, ...], verdict: str
) -> None:
    price = ("deal from", "define price: stake + 2\ndeal from")
    a, b = (rules(TEXT, price, ("scores 1", f"scores {amount}")) for amount in (one, other))
    assert stakes_to_try(a, b) == stakes
    found = compared(a, b)
    assert verdicts(found) == [PROVED, PROVED, verdict]
    if found.paid.game is not None:
        assert found.paid.game.lines[0]["stake"] == 2
        assert found.paid.game.shortest


@pytest.mark.parametrize("amount", ["10 div stake", "if stake > 5 then 1 else 0", "2 ^ stake"])
def test_other_payments_by_the_stake_are_left_to_the_prover(amount: str) -> None:
    assert stakes_to_try(rules(TEXT, ("scores 1", f"scores {amount}")), rules(TEXT)) is None


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        ("if hands-played < 1 then 1 else 2", REFUTED),
        pytest.param("if hands-played < 0 then 2 else 1", PROVED, marks=pytest.mark.slow),
    ],
)
def test_positions_of_later_hands_are_others_if_payments_count_hands(other: str, verdict: str) -> None:
    a, b = (
        rules(TEXT, ("deal from", f"define price: {amount}\ndeal from"), ("scores 1", "scores price"))
        for amount in ("1", other)
    )
    assert verdicts(compared(a, b)) == [PROVED, PROVED, verdict]
    assert verdicts(compared(b, a)) == [PROVED, PROVED, verdict]


def test_large_payments_that_differ_are_a_difference() -> None:
    huge = rules(TEXT, ("scores 1", "scores 10 ^ 2000"))
    assert verdicts(compared(rules(TEXT), huge)) == [PROVED, PROVED, REFUTED]


def test_a_proof_that_a_game_contradicts_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    proved = QuestionResult(PROVED, "by mistake")
    monkeypatch.setattr(RefinementChecker, "all_legal", lambda *_: proved)
    with pytest.raises(RuntimeError, match="a game refutes what is proved"):
        compared(rules(TEXT), rules(TEXT, ("steps < 7", "steps < 6")))


@pytest.mark.parametrize("all_listed", [True, False])
def test_hands_may_be_as_large_as_the_game_says(all_listed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not all_listed:
        monkeypatch.setattr(table_comparison, "MOST_POSITIONS", 0)
    text = RuleText("sized", SIZED)
    same = at_table(TablePair(text.rule_set(), text.rule_set(), 2, {}), Settings())
    assert verdicts(same) == [PROVED, PROVED, PROVED]
    more = at_table(TablePair(text.rule_set(), text.rule_set("more"), 2, {}), Settings())
    assert (more.a_in_b.verdict, more.b_in_a.verdict) == (REFUTED, REFUTED)
