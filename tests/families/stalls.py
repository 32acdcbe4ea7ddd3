"""A small game of few games, with switches that are no choices: of the tiles, of shapes and of scores."""

from __future__ import annotations

from tests.families.takes import TAKES

_RULES, *_ = TAKES.split("\nvariant ")
_CHANGED = {
    'game takes "Takes"': 'game stalls "Stalls"',
    "for size in 1 to 2\n": "for size in 1 to 2\n  withdrawn: {}\n",
    "late(tile) or taken < 1": "{tile} is light or taken < 1",
    "rate * stake": "rate * stake + (worth({2c}) otherwise 0)",
    "define rate: 1": """\
define rate: 1

define bonus: 1

shape light(a): late(a)
arrangement one-light: 1 light

score worth(kept: tiles)
  hand: kept
  as: one-light
  total: sum
  pattern plain (bonus): yes
  pattern small 2: 1c in kept

score unasked(kept: tiles)
  hand: kept
  as: one-light
  total: sum
  pattern plain 1: yes""",
}
for _old, _new in _CHANGED.items():
    assert _old in _RULES
    _RULES = _RULES.replace(_old, _new)

STALLS = f"""{_RULES}
variant heavy "small coins are light"
  replace light: a = 1c

variant worthy "light coins are worth more"
  replace bonus: 3

variant idle "what nobody asks counts nothing"
  replace unasked.plain: no

variant fewer "a small coin is missing"
  replace tiles.withdrawn: {{1c}}

variant quick "a hand may end earlier"
  replace most: 1
"""
