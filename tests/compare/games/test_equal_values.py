"""Values that are equal are the same to `compare`: words and bags in another order, keys that cannot hold more than the
set, and melds that a state holds.
"""

from __future__ import annotations

import pytest

from golpae.compare.games import table_comparison
from golpae.compare.games.alignment import why_incomparable
from golpae.compare.games.all_games import MOST_POSITIONS
from golpae.compare.games.compare import compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import PROVED, QUESTIONS, REFUTED, UNKNOWN, AtTable, Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.text.diff import compare_texts
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.verify.options import Settings
from tests.differential.texts import RuleText

TEXT = """\
game fair "A fair"
players 2 to 2
tiles
  tokens: one of each 1k 2k 3k
zones
  box: tiles seen by nobody, holds the set
  line: row seen by everyone
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
  lamp: one of green, amber, red = green
  seen: tiles = {}
deal from box
  hands: 1 for everyone
  then mover := first
action turn-on(colour: one of green, amber, red) by p "turn a lamp on"
  turn: p = mover and lamp /= colour "no"
  then lamp := colour
action show(tile) by p "show a tile"
  turn: p = mover and tile in p's hand "no"
  then seen := seen + tile
  then move tile from p's hand to line
  then mover := p's right
action name(tiles) by p "name tiles"
  turn: p = mover and size of seen = 2 "no"
  then when size of tiles > 2: nobody wins
action gather by p "gather"
  turn: p = mover and size of seen = 2 "no"
  then move seen from line to p's hand
  then for each t in seen: mover := if t = 3k then p else p's right
  then nobody wins
end
  due: over "no"
payout
  each: mover scores 1
"""
NO_NAMES = (
    """action name(tiles) by p "name tiles"
  turn: p = mover and size of seen = 2 "no"
  then when size of tiles > 2: nobody wins
""",
    "",
)
NO_LOOP = ("  then for each t in seen: mover := if t = 3k then p else p's right\n", "")
ORDER = "one of green, amber, red", "one of red, green, amber"
LOOP = "then lamp := colour", "then for each c in {colour, lamp}: lamp := c"


def text(*swaps: tuple[str, str]) -> str:
    out = TEXT
    for old, new in swaps:
        assert old in out, old
        out = out.replace(old, new)
    return out


def rules(*swaps: tuple[str, str]) -> RuleSet:
    return RuleText("fair", text(*swaps)).rule_set()


def compared(a: RuleSet, b: RuleSet) -> AtTable:
    assert why_incomparable(a, b) is None
    return at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000))


def verdicts(found: AtTable) -> list[str]:
    return [found.answer(question).verdict for question in QUESTIONS]


@pytest.mark.parametrize("most", [0, MOST_POSITIONS])
def test_the_order_of_words_is_no_difference(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_comparison, "MOST_POSITIONS", most)
    assert verdicts(compared(rules(), rules(ORDER))) == [PROVED, PROVED, PROVED]


def test_words_in_another_order_are_matched_by_name() -> None:
    other = rules(NO_NAMES, ORDER, ("lamp /= colour", "lamp /= colour and colour /= amber"))
    found = compared(rules(NO_NAMES), other)
    assert verdicts(found) == [REFUTED, PROVED, PROVED]
    assert found.a_in_b.game is not None
    assert '"colour":"amber"' in str(found.a_in_b.game.lines[-1]).replace(" ", "").replace("'", '"')


def test_the_order_of_words_decides_where_a_loop_follows_it() -> None:
    found = compared(rules(LOOP, NO_NAMES), rules(LOOP, NO_NAMES, ORDER))
    assert verdicts(found) == [REFUTED, REFUTED, PROVED]


def test_where_games_are_many_a_loop_over_words_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_comparison, "MOST_POSITIONS", 0)
    found = compared(rules(LOOP, NO_NAMES), rules(LOOP, NO_NAMES, ORDER))
    assert verdicts(found) == [UNKNOWN, UNKNOWN, UNKNOWN]
    assert found.paid.detail == (
        "the words of a choice are listed in another order, which `turn-on` can follow"
    )


def test_other_words_cannot_be_compared() -> None:
    why = why_incomparable(rules(), rules((ORDER[0], "one of green, amber, white, red")))
    assert why == "`lamp` is declared differently in fair and fair"


@pytest.mark.parametrize("loop", [False, True])
def test_texts_show_the_order_of_words_only_where_a_loop_can_follow_it(loop: bool) -> None:
    swaps = [] if loop else [NO_LOOP]
    texts = [RuleText("fair", text(*swaps, *more)) for more in ((), (ORDER,))]
    a, b = (resolve("fair", words.loaded) for words in texts)
    assert (compare_texts(a, b).differences != ()) is loop


def test_a_bag_has_no_order() -> None:
    found = compared(rules(NO_LOOP), rules(NO_LOOP, ("seen + tile", "{tile} + seen")))
    assert verdicts(found) == [PROVED, PROVED, PROVED]


def test_a_key_holds_no_more_than_the_set() -> None:
    few = (
        'size of seen = 2 "no"\n  then when',
        'size of seen = 2 "no"\n  few: size of tiles <= 3 "no"\n  then when',
    )
    assert verdicts(compared(rules(NO_LOOP), rules(NO_LOOP, few))) == [PROVED, PROVED, PROVED]
    fewer = (few[0], few[1].replace("<= 3", "<= 2"))
    assert verdicts(compared(rules(NO_LOOP), rules(NO_LOOP, fewer))) == [REFUTED, PROVED, PROVED]


MELDS = """\
game shelf "A shelf"
players 2 to 2
tiles
  tokens: two of each 1k 2k 3k
zones
  box: tiles seen by nobody, holds the set
  shelf: melds seen by everyone
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
  best: meld or none = none
shape twin(a, b): a = b
deal from box
  hands: 2 for everyone
  then mover := first
action put(tiles: {a, b}) by p "put"
  turn: p = mover and {a, b} in p's hand "no"
  alike: a = b "no"
  then move {a, b} from p's hand to shelf as twin
  then best := (the m in shelf: size of m = 2)
  then mover := p's right
action stop by p "stop"
  turn: p = mover "no"
  then nobody wins
end
  due: over "no"
payout
  each: mover scores 1
"""


@pytest.mark.parametrize("most", [0, MOST_POSITIONS])
def test_a_state_can_hold_melds(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_comparison, "MOST_POSITIONS", most)
    other = MELDS.replace('alike: a = b "no"', 'alike: a = b and a /= 3k "no"')
    a, b = (RuleText("shelf", words).rule_set() for words in (MELDS, other))
    assert verdicts(compared(a, b)) == [REFUTED, PROVED, PROVED]
    assert verdicts(compared(b, a)) == [PROVED, REFUTED, PROVED]


def test_rules_that_take_too_many_steps_are_unknown() -> None:
    long = MELDS.replace("two of each 1k 2k 3k", 'four of each "{size}k" for size in 1 to 30')
    nested = "every t in tiles: every u in tiles: every v in tiles: every w in tiles: size of shelf >= 0"
    old = 'p = mover "no"\n  then nobody'
    assert old in long
    tests = (f"p = mover and ({nested})", f"({nested}) and p = mover")
    a, b = (RuleText("shelf", long.replace(old, f'{test} "no"\n  then nobody')).rule_set() for test in tests)
    [meaning] = compare_games([(a, b)], CompareOptions())
    assert isinstance(meaning, Meaning)
    assert not any(table.fault for table in meaning.tables)
