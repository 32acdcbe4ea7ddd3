"""Kinds of value with a name, shorter lists of words, and definitions by cases: what they come to."""

from __future__ import annotations

import pytest

from golpae.diagnostics import Text
from golpae.ir.expr import Const
from golpae.ir.wellformed import wellformed
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.differential.texts import RuleText

TEXT = """\
game tiny "Tiny"
players 2 to 2
kind strain in order: low, high, none-at-all
kind colour: one of low, high
tiles
  low: two of each copper silver
  high: two of each ruby
zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  turns: number = 0
  trump: strain = low
{}
deal from pool
  hands: 1 for everyone
action take(tile) by p
  place: tile in pool
  allowed: {}
  then turns := turns + 1
  then move tile from pool to p's hand
end
  due: turns > 3
payout
"""


def elaborated(defined: str = "", asked: str = "yes") -> None:
    rules = RuleText("tiny", TEXT.format(defined, asked)).rule_set()
    assert wellformed(rules) == []


@pytest.mark.parametrize(
    "asked",
    [
        "tile's group = trump",
        "trump = tile's group",
        "trump > tile's group",
        "low < trump",
        "trump >= high",
        "tile's group in {trump, none-at-all}",
        "{tile's group} = {trump}",
        "(if tile in low then none-at-all else tile's group) = trump",
        "(if tile in low then tile's group else none-at-all) = trump",
        "(if tile = copper then high else tile's group) /= low",
        "(if tile = copper then tile's group else high) /= low",
    ],
)
def test_words_of_a_shorter_list_are_words_of_a_longer_one(asked: str) -> None:
    elaborated(asked=asked)


@pytest.mark.parametrize(
    "defined",
    [
        "define f(s: strain) by s: low 1, high or none-at-all 2",
        "define f(c: colour) by c: low none-at-all, high c",
        "define f(n: number) by n: 0 low, 1 to 3 high, otherwise none-at-all",
        "define f(n: number)\n  when n > 3: low\n  otherwise: none-at-all",
        "define each tile's f by its group\n  low: 1\n  high: 2",
        "define f(s: strain or none) by s\n  none: low\n  low: high\n  high or none-at-all: s",
        "define f(s: list of strain) by (high in s): yes 1, no 2",
    ],
)
def test_cases_are_a_value(defined: str) -> None:
    elaborated(defined)


def test_cases_come_to_the_choice_that_they_are_written_out_to() -> None:
    cases = "define f(n: number) by n: 0 low, 1 to 3 high, otherwise trump"
    choice = "define f(n: number): if n = 0 then low else if n in {1 to 3} then high else trump"
    one, other = (RuleText("tiny", TEXT.format(d, "f(turns) = low")).rule_set() for d in (cases, choice))
    assert [d.cases[0].expr for d in one.definitions] == [d.cases[0].expr for d in other.definitions]


def test_a_text_with_cases_is_written_in_one_style() -> None:
    text = TEXT.format("define f(n: number) by n\n  0 or -1: low  # c\n  # d\n  otherwise: high  [A1]", "yes")
    tree = parse(Text.of("tiny", text))
    written = format_text(tree)
    assert parse(Text.of("tiny", written)) == tree
    assert "define f(n: number) by n\n  0 or -1: low  # c\n  # d\n  otherwise: high" in written


ORDERS = """\
circle ring: copper, silver, ruby
order some-levels: low, none-at-all
"""


@pytest.mark.parametrize(
    "asked",
    [
        "next after tile in ring = copper",
        "(next before trump in strain otherwise strain at 3 otherwise low) = high",
        "ring at (turns - 4) = tile",
        "some-levels at 1 is none",
        "place of trump in some-levels + place of tile in ring > 2",
        "tile in ring and (some u in ring: u /= tile)",
        "turns * 3 rounded up to 10 > (turns rounded down to 2) + 1",
        "the smaller of turns and 3 + turns > (the larger of turns and 2) * 3",
    ],
)
def test_orders_and_numbers_next_to_others_are_values(asked: str) -> None:
    elaborated(ORDERS, asked)


@pytest.mark.parametrize(
    "keys", ["a, b, c: number from 0 to 9", "a, small, c: small", "optional a, b, c: small or none"]
)
def test_a_key_has_the_bounds_of_its_kind_also_if_the_next_key_or_a_name_says_it(keys: str) -> None:
    text = TEXT.replace("kind colour", "kind small: number from 0 to 9\nkind colour").format("", "yes")
    text = text.replace("action take(tile)", f"action take(tile, {keys})")
    rules = RuleText("tiny", text).rule_set()
    take = next(action for action in rules.actions if action.name == "take")
    bounds = {
        key.name: [end.value for end in (key.low, key.high) if isinstance(end, Const)] for key in take.params
    }
    assert bounds == {"tile": []} | {name: [0, 9] for name in bounds if name != "tile"}
    assert len(bounds) == 4
