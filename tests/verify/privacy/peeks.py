"""Tiny games of two players, put together from parts of which some tell a player more than this player has seen.

Input: parts, or a seed that chooses them. Output: a rule text. Guarantee: the same seed gives the same text, and all
games of a text can be gone through.
"""

from __future__ import annotations

import random

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from tests.differential.texts import RuleText

TEXT = """\
game peek "Peek"

players 2 to 2

tiles
  coins: one of each 1c 2c 3c 4c

zones
  box: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner
  each player's lent: tiles seen by its owner{sight}

state of the hand
  mover: seat
  flag: yes or no = no
  count: number = 0
  taken: tile or none = none
  each player's mark: yes or no = no

define low(t: tile): t in {{1c, 2c}}
define rich(q: seat): some t in q's hand: not low(t)

deal from box
  hands: {dealt} for everyone
  then mover := first
{deal}
action put(tile) by p "put a coin down"
  turn: p = mover "it is not {{p}}'s turn"
  held: tile in p's hand "{{p}} does not hold {{tile}}"
{guard}  then move tile from p's hand to {target}
  then mover := p's right
{effect}
action draw(tile) by p "draw a coin"
  turn: p = mover "it is not {{p}}'s turn"
  left: tile in box "the box is empty"
{drawn}  then move tile from box to p's hand
  then mover := p's right
{after_draw}
action call by p "call"
  turn: p = mover "it is not {{p}}'s turn"
{call}  then the hand is over

end
  due: over "the hand is not over yet"
"""

DEALT = ("1", "2")
SIGHTS = ("", ", by everyone when flag", ", by everyone")
TARGETS = ("table", "p's right's hand", "p's lent", "p's right's lent")
DEALS = (
    "",
    "  then flag := rich(first)\n",
    "  then flag := 4c in box\n",
    "  then count := size of box\n",
    "  then for each q in players: q's mark := rich(q)\n",
    "  then mover := (the q in players: 1c in q's hand) otherwise first\n",
)
GUARDS = (
    "",
    '  own: low(tile) or not rich(p) "{p} holds more"\n',
    '  theirs: low(tile) or rich(p\'s right) "no"\n',
    "  said: tile /= 3c or count > 0 \"{p's right} holds {p's right's hand}\"\n",
    "  sized: size of p's right's hand > 0 \"{p's right} holds nothing\"\n",
    '  flagged: not flag or low(tile) "{count}"\n',
    '  taken: taken is none or tile /= taken "not {taken}"\n',
    '  own-mark: p\'s mark or low(tile) "no"\n',
    "  mark: p's right's mark or low(tile) \"no\"\n",
    "  lent: size of p's lent < 2 and p's right's lent is empty \"no\"\n",
    "  lying: 3c in p's right's lent or low(tile) \"no\"\n",
)
EFFECTS = (
    "",
    "  then flag := low(tile)\n",
    "  then flag := rich(p)\n",
    "  then when rich(p's right): count := count + 1\n",
    "  then count := size of p's hand\n",
    "  then taken := tile\n",
    "  then p's mark := rich(p)\n",
    "  then p's right's mark := low(tile)\n",
    "  then when rich(p): flag := yes else: flag := yes\n",
    "  then move all from p's right's lent to table\n",
    "  then when flag: move all from p's lent to box else: move all from p's lent to p's right's hand\n",
    "  then when p's hand is empty: p wins\n",
    "  then when 4c in p's right's hand: nobody wins\n",
    "  then for each q in players: when rich(q): q's mark := yes\n",
)
DRAWN = (
    "",
    '  odd: tile /= 3c "no"\n',
    '  few: size of p\'s hand < 3 "no"\n',
    '  free: not rich(p\'s right) "no"\n',
)
AFTER_DRAW = (
    "",
    "  then taken := tile\n",
    "  then when taken is none: taken := tile\n",
    "  then flag := low(tile)\n",
    "  then mover := p\n  then taken := tile\n",
    "  then p's mark := low(tile)\n",
)
CALLS = (
    "",
    '  weak: low(1c) and count >= 0 "no"\n',
    '  flag: flag "no"\n',
    '  taken: taken = 1c "no"\n',
    '  last: 4c in table or 4c in p\'s hand "no"\n',
    "  theirs: 4c in p's right's hand \"no\"\n",
    '  count: count > 0 "no"\n',
    '  marked: p\'s mark "no"\n',
    '  none: taken is not none "no"\n',
)


def peek(**parts: str) -> Machine:
    """Return the machine of a game with these parts; without any, nothing in it leaks."""
    return machine_of(text_of(**parts))


def text_of(**parts: str) -> str:
    """Return the text of a game with these parts."""
    plain = {"sight": "", "dealt": "1", "deal": "", "guard": "", "target": "table", "effect": "", "drawn": ""}
    return TEXT.format_map(plain | {"after_draw": "", "call": ""} | parts)


def machine_of(source: str) -> Machine:
    """Return the machine of a text."""
    return Machine(instantiate(RuleText("peek", source).rule_set(), 2, {}))


def random_peek(seed: int) -> str:
    """Return a text whose parts chance chooses."""
    rng = random.Random(seed)
    return text_of(
        sight=rng.choice(SIGHTS),
        dealt=rng.choice(DEALT),
        deal=rng.choice(DEALS),
        guard=rng.choice(GUARDS),
        target=rng.choice(TARGETS),
        effect=rng.choice(EFFECTS) + rng.choice(EFFECTS).replace("then ", "then also: ", 1),
        drawn=rng.choice(DRAWN),
        after_draw=rng.choice(AFTER_DRAW),
        call=rng.choice(CALLS),
    )
