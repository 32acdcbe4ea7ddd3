"""The sets of tiles that come with golpae for games to include: what they hold, and that each tile has a picture."""

from __future__ import annotations

import pytest

from golpae.assets.pictures import pictures
from golpae.elaborate.check import check
from golpae.elaborate.instance import Instance, instantiate
from golpae.elaborate.load import game_names, load_text
from golpae.elaborate.resolve import resolve
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier

GAME = """game g "A game"
include {name}

players 2 to 2

zones
  deck: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from deck
  hands: 1 for everyone
  then mover := first

action stop by p
  turn: p = mover
  then nobody wins

end
  due: over
{more}
"""
SETS = {  # tiles in play, withdrawn, and a theorem
    "cards": (52, 0, "every t in cards: t's rank in {2 to 14} and (t's suit = hearts) = (t in hearts)"),
    "cards-and-jokers": (52, 2, "BJ's suit is none and QS's rank = 12 and AD's rank = 14 and cards = tiles"),
    "dominoes": (28, 0, "size of doubles = 7 and (sum of t's pips for t in bones) = 168"),
    "mahjong-tiles": (136, 8, "size of terminals = 6 and 5p's suit = circles and size of honors = 7"),
    "mahjong-and-red-fives": (
        136,
        3,
        "5mr's suit = characters and size of reds = 3 and size of terminals = 6",
    ),
    "hwatu": (48, 0, "(sum of t's junk-count for t in tiles) = 26 and size of lights = 5"),
}


def instance(name: str, more: str = "") -> Instance:
    return instantiate(check(resolve("g", load_text(GAME.format(name=name, more=more)))), 2, {})


@pytest.mark.parametrize("name", SETS)
def test_a_set_holds_these_tiles(name: str) -> None:
    copies, withdrawn, theorem = SETS[name]
    made = instance(name, f"\ntheorem about-it: {theorem}")
    assert sum(kind.copies for kind in made.kinds) == copies
    assert sum(kind.withdrawn for kind in made.kinds) == withdrawn
    verifier = Verifier(made, Settings(most=60_000_000, megabytes=1_500, games=40))
    assert verifier.verify(made.rule_set.properties[0]).verdict == "proved"


@pytest.mark.parametrize("name", SETS)
def test_each_tile_has_a_picture(name: str) -> None:
    made = instance(name)
    drawn = pictures(made.rule_set.tiles.drawn or "")
    assert drawn is not None
    assert [kind.name for kind in made.kinds if drawn.of((kind.name, kind.spoken)) is None] == []


def test_every_month_has_four_cards() -> None:
    made = instance("hwatu")
    place = made.rule_set.tiles.attributes.index("month")
    months = [kind.attributes[place] for kind in made.kinds]
    assert {month: months.count(month) for month in months} == dict.fromkeys(range(1, 13), 4)


def test_other_ways_to_write_a_card_and_a_red_tile_have_pictures() -> None:
    cards, red = pictures("cards"), pictures("mahjong")
    assert cards is not None
    assert red is not None
    assert all(cards.of([name]) for name in ("2S", "10h", "Th", "th", "JS", "BJ", "RJ"))
    assert all(red.of([name]) for name in ("5mr", "5pr", "5sr", "r5m"))


def test_withdrawn_tiles_come_back_if_a_game_says_so() -> None:
    made = instance("cards-and-jokers", "\nreplace tiles.withdrawn: {}")
    assert sum(kind.copies for kind in made.kinds) == 54


def test_a_set_is_no_game() -> None:
    assert not set(SETS) & set(game_names([]))
