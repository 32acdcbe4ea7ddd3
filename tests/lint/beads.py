"""A small game of beads whose every clause matters, and the notes of `golpae lint --deep` about a text."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.load import load
from golpae.lint import vacuity
from golpae.lint.notes import Note
from golpae.verify.options import Settings

SETTINGS = Settings(most=60_000_000)
# Two players take beads from a bowl until somebody has three.
BEADS = """
game beads "Beads"

players 2 to 3

tiles 12 of 6 kinds
  glass: two of each "{size}g" for size in 1 to 6

zones
  bowl: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's kept: tiles seen by everyone

state of the hand
  mover: seat
  stage: one of take, give = take

deal from bowl
  hands: 2 for everyone
  then mover := first

action draw(tile) by p "draw"
  turn: p = mover and stage = take "no"
  place: tile in bowl "no"
  then move tile from bowl to p's hand
  then stage := give

action keep(tiles: {a, b}) by p "keep two"
  turn: p = mover and stage = give "no"
  held: {a, b} in p's hand "no"
  twins: a = b "no"
  then move {a, b} from p's hand to p's kept
  then p wins

action discard(tile) by p "put back"
  turn: p = mover and stage = give "no"
  held: tile in p's hand "no"
  then move tile from p's hand to bowl
  then stage := take
  then mover := p's right

end
  due: over "no"

finish
"""


def notes_on(tmp_path: Path, text: str, *rule_sets: str, settings: Settings = SETTINGS) -> list[Note]:
    """Return the notes on a text of the game."""
    (tmp_path / "beads.golpae").write_text(text, encoding="utf-8")
    return vacuity.notes(load("beads", [tmp_path]), rule_sets or ("beads",), settings)


def words(notes: list[Note]) -> list[tuple[str, str]]:
    """Return, for each note, the words that it points to and its message without the path."""
    return [("" if n.span is None else n.span.words, n.message.split(": ", 1)[1]) for n in notes]
