"""A small game of which all shares can be worked out."""

from __future__ import annotations

from pathlib import Path

from golpae.compare.games.alignment import aligned
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine

# A hand is one tile shown, then the end: all shares can be worked out.
BOOTHS = """\
game booths "Booths"

players 2 to 3

tiles 8 of 4 kinds
  plain: two of each 1-1 2-2 3-3 4-4
  written: "{high}-{low}"
  withdrawn: {}

zones
  pile: row seen by nobody, holds the set
  shown: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the match
  leader: seat or none = none

state of the hand
  mover: seat
  lucky-show: yes or no = no

define may-show(t: tile): yes
define price: 1
define next-leader: leader

shape twin(a, b): a = b
shape neighbours(a, b): a's high = b's high + 1
arrangement lucky: 1 twin
arrangement near: 1 neighbours
arrangement fortune: lucky or near

score luck
  given
    hand: tiles
    last: tile
    open: yes or no
    bonus: number = 0
  provided
    small: open implies last's high < 4 "{last} is not shown"
  hand: hand + last
  as: fortune
  keep: yes
  total: sum
  pattern twins 2 + bonus: twin is twin
  pattern closed closed-points: not open

define closed-points: 0

deal from pile
  leader: leader is none or first = leader "{leader} leads"
  hands: 1 for everyone
  then mover := first

action show(tile) by p "show a tile"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  may: may-show(tile) "{tile} is not to be shown"
  then lucky-show := luck(hand: {1-1}, last: tile, open: no) is not none
  then move tile from p's hand to shown
  then p wins

action pass by p "show nothing"
  turn: p = mover "it is not {p}'s turn"
  then nobody wins

end
  due: over "the hand is not over"
  then lead: leader := next-leader

payout
  won: when winner is not none: for each q in players - winner: q pays winner price

variant no-ones "a 1-1 is not shown"
  replace may-show: t /= 1-1

variant dear "costs more"
  replace price: 2

variant winner-leads "the winner leads"
  replace next-leader: winner otherwise leader

variant closed "closed hands count more"
  replace closed-points: 1

variant one-more "two tiles each"
  replace deal.hands: 2 for everyone

variant three-only "otherwise with three players alone"
  replace price: if size of players = 3 then 2 else 1
"""


class Ruled:
    """The game with switches, or with a changed text, which is written to a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, switches: str, text: str = BOOTHS) -> RuleSet:
        (self._folder / "booths.golpae").write_text(text, "utf-8")
        return check(resolve("booths" + switches, load("booths", [self._folder])))


def pair(a: RuleSet, b: RuleSet, players: int = 2) -> tuple[Machine, Machine]:
    """Return the machines of two rule sets side by side."""
    ours, theirs = (Machine(instantiate(rules, players, {})) for rules in (a, aligned(a, b)))
    return ours, theirs
