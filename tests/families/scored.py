"""Small games with a score that a switch changes, each with something odd in how games ask for it."""

from __future__ import annotations

from tests.families.coins import COINS

SCORED = f"""\
game scored "Scored"

{COINS.replace("taken: number = 0", "taken: number = start")}  picked: number = 0
  upper: tile or none = none

define start: 0
define dealt: 2
define most: 3
define bonus: 1
define one: 3
define two: 3
define strict: no
define gain: 1
define rank(t: tile): 1 + (if t = 1c then gain else 0)

shape small(a): a = 1c
shape large(a): a = 2c
shape light: small or large
arrangement one-light: 1 light

score worth(kept: tiles)
  hand: kept
  as: one-light
  total: sum
  pattern plain 1: yes
  pattern low (bonus): 1c in kept

deal from box
  hands: dealt for everyone
  then mover := first

action lay(tile) by p
  turn: p = mover "no"
  held: tile in p's hand "no"
  LAY
  then move tile from p's hand to heap
  then mover := p's right
  then taken := taken + 1
  LATE

action pair(tiles: {{a, b}}) by p
  turn: p = mover "no"
  held: {{a, b}} in p's hand "no"
  PAIR
  then move {{a, b}} from p's hand to heap
  then mover := p's right
  then upper := a
  then taken := taken + 2

action pick(n: number from 1 to 20) by p
  turn: p = mover and taken < most "no"
  range: n in {{1 to 20}} "no"
  PICK
  then picked := if n = 7 then picked + n else picked - 20
  then taken := taken + 1

end
  due: over or taken >= most or (every p in players: p's hand is empty)
  DUE

payout
  all: for each q in players: q scores PAY

variant rich "small coins count more"
  replace bonus: 2

variant turned "small coins count less"
  replace bonus: -1

variant falling "small coins are of less rank"
  replace gain: -1

variant tight "only seven"
  replace strict: yes

variant dear "one more"
  replace one: 5

variant begun "something is taken already"
  replace start: 1

variant fewer "fewer tiles are dealt"
  replace dealt: 1

variant later "hands end later"
  replace most: 4

variant no-large "large coins are not light"
  drop light.large

variant plain "nothing is low"
  drop worth.low

variant first-small "small ones first"
  add lay.small: tile = 1c

variant more "all score more"
  replace payout.all: for each q in players: q scores 2
"""


def scored(
    lay: str = "", late: str = "", pair: str = "over", pick: str = "over", due: str = "", pay: str = "0"
) -> str:
    """Return the text with further conditions of three actions, and what happens and is paid. `over` is never true."""
    text = (
        SCORED.replace("  DUE\n", f'  pay: {due} "no"\n' if due else "")
        .replace("PAY\n", f"{pay}\n")
        .replace("  LATE\n", f"  then {late}\n" if late else "")
    )
    for word, condition in (("LAY", lay), ("PAIR", pair), ("PICK", pick)):
        text = text.replace(f"  {word}\n", f'  fits: {condition} "no"\n' if condition else "")
    return text
