"""What `golpae lint --book` asks of a text: sentences that a rule book needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.bundled import spec_dir
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from golpae.lint.book import book_notes
from tests.cli.conftest import Golpae, cache, golpae, here

__all__ = ["cache", "golpae", "here"]

GAMES = sorted(
    file.stem for file in spec_dir().glob("*.golpae") if file.read_text("utf-8").startswith("game ")
)
BARE = """
game bare "Bare"

players 2 to 2

tiles 8 of 4 kinds
  coins: two of each 1c 2c 3c 4c

zones
  heap: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  table: tiles seen by everyone

state of the hand
  mover: seat

define worth-of(t: tile): 1
shape twins(a, b): a = b
arrangement all: 1 twins

score worth(hand: tiles)
  hand: hand
  as: all
  total: sum
  pattern plain 1: yes

deal from heap
  hands: 2 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  light: worth-of(tile) = 1 "{tile} weighs {worth-of(tile)}"
  then move tile from p's hand to table
  then mover := p's right

end
  due: mover's hand is empty "{mover} has tiles left"

payout
  first: mover pays mover's right stake
"""


def notes(folder: Path, text: str) -> list[str]:
    (folder / "bare.golpae").write_text(text.lstrip(), encoding="utf-8")
    found = book_notes(load("bare", [folder]), elaborate("bare", [folder]))
    assert {note.code for note in found} <= {"W011"}
    return [note.message for note in found]


def test_a_bare_text_lacks_sentences(tmp_path: Path) -> None:
    assert notes(tmp_path, BARE) == [
        "a rule book says nowhere what players try to do",
        "a rule book does not say what makes `plain`",
        "a rule book has no words for `put`",
        "a page of a game has no words for an event of `put`",
        "a rule book cannot say the message of `put.light`: it has values of a game in it",
        "a rule book does not say when a hand ends",
        "a rule book does not say what is paid",
    ]


def test_sentences_are_enough(tmp_path: Path) -> None:
    text = BARE.replace('game bare "Bare"', 'game bare "Bare"\n  aim "empty your hand"')
    text = text.replace(
        "action put(tile) by p",
        'action put(tile) by p "put a tile"\n  told as "puts {tile}"\n  note "it has to be light"',
    )
    text = text.replace("pattern plain 1: yes", 'pattern plain 1: yes "any hand"')
    text = text.replace("end\n  due", 'end\n  note "a hand ends when the mover has no tiles"\n  due')
    text = text.replace("payout\n", 'payout\n  note "who is left pays"\n')
    assert notes(tmp_path, text) == []


GOAL = BARE.replace('game bare "Bare"', 'game bare "Bare"\n  aim "Be the first with five coins."').replace(
    "define worth-of", "define enough: 5\n\ndefine worth-of"
)
LONG = 'variant long "to seven coins"\n  {aim}replace enough: 7\n'
SHORT = 'variant short "a match of two hands"\n  {aim}add finish.hands: hands-played = 2 "two hands are a match"\n'


@pytest.mark.parametrize(
    ("switch", "message"),
    [
        (LONG, "with `long` the aim names 5, which `enough` replaces"),
        (SHORT, "with `short` the aim does not say that a match has an end"),
    ],
)
def test_a_variant_that_makes_the_aim_wrong_has_its_own(tmp_path: Path, switch: str, message: str) -> None:
    text = f"{GOAL}\nfinish\n\n"
    assert message in notes(tmp_path, text + switch.format(aim=""))
    for line in ('replace aim "something else"\n  ', 'add aim "and something else"\n  '):
        assert message not in notes(tmp_path, text + switch.format(aim=line))


@pytest.mark.parametrize("game", GAMES)
def test_texts_that_come_with_golpae_have_their_sentences(game: str) -> None:
    assert [note.message for note in book_notes(load(game, []), elaborate(game, []))] == []


def test_the_notes_count_for_the_status(golpae: Golpae, here: Path) -> None:
    (here / "bare.golpae").write_text(BARE.lstrip(), encoding="utf-8")
    done = golpae("lint", "bare.golpae")
    assert "W011" not in done.out
    done = golpae("lint", "--book", "bare.golpae")
    assert done.status == 1
    assert "note[W011]: a rule book says nowhere what players try to do" in done.out
