"""Tables for the tests of simulation."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.simulate.play import SimulatedTable
from golpae.simulate.policies import policies
from golpae.simulate.sight import Sight
from tests.differential.texts import RuleText


def table_of(machine: Machine, *names: str) -> SimulatedTable:
    """Return a table with these policies: one for all seats, or one for each."""
    whole = names * machine.instance.players if len(names) == 1 else names
    return SimulatedTable(machine, policies(whole, Sight(machine)))


def machine_of(source: str, players: int = 2) -> Machine:
    """Return the machine of a text at a table."""
    name = source.split()[1]
    return Machine(instantiate(RuleText(name, source).rule_set(), players, {}))


SMALL = """\
game small "Small"

players 2 to 2

tiles
  coins: 2 of each copper silver gold

zones
  purse: row seen by nobody, holds the set
  shown: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from purse
  hands: 2 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown
  then mover := p's right
  then when p's hand is empty: p wins

action take(tile) by p "take"
  turn: p = mover "no"
  there: tile in purse "no"
  then move tile from purse to p's hand
  then mover := p's right

end
  due: over "no"

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake
"""
ENDLESS = SMALL.replace("then when p's hand is empty: p wins", "").replace(
    "then move tile from purse to p's hand", "then mover := p"
)
STUCK = SMALL.replace("turn: p = mover", "turn: p = mover and size of p's hand > 1")


OPEN_AT_TIMES = """\
game pairs "Pairs, with hands and a purse that lie open at times"

players 3 to 3

tiles
  coins: 2 of each copper silver gold iron tin lead zinc

zones
  purse: tiles seen by nobody, by everyone when turns > 6, by watcher when watcher is not none, holds the set
  shown: tiles seen by everyone
  each player's hand: tiles seen by its owner, by everyone when it = open-hand
  each player's back: tiles seen by everyone but its owner, by everyone when turns > 5
  each player's laid: melds seen by everyone

state of the hand
  mover: seat
  open-hand: seat or none = none
  watcher: seat or none = none
  turns: number = 0

deal from purse
  hands: 3 for everyone
  then mover := first
  then watcher := first

effects next(p: seat)
  mover := p's right
  turns := turns + 1
  when turns = 12: the hand is over

action lay(tiles: {a, b}) by p "lay two alike"
  turn: p = mover "no"
  alike: a = b "no"
  held: {a, b} in p's hand "no"
  then move {a, b} from p's hand to p's laid
  then next(p)

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown
  then when open-hand is none: open-hand := p's right
  then next(p)

action hide(tile) by p "put on one's back"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to p's back
  then next(p)

action take(tile) by p "take"
  turn: p = mover and turns < 9 "no"
  there: tile in shown "no"
  then move tile from shown to p's hand
  then next(p)

end
  due: over "no"
"""
