"""Rules of a text of effects alone, in a game that does nothing else."""

from __future__ import annotations

from golpae.ir.ruleset import RuleSet
from tests.prove.meanings import game, rule_set_of

ZONES = """
table: tiles seen by everyone
line: row seen by everyone
queue: row seen by nobody
each player's melds: melds seen by everyone
pool: melds seen by everyone
"""
STATE = "n: number = 0\nlast: tile or none = none\neach player's own: number = 0"
SHAPE = "shape run of 2: yes\n"


def rules_of(written: str) -> RuleSet:
    """Return the rules of a text in which an action `act`, or the payout, has these effects."""
    block, _, body = written.partition("\n")
    if block == "payout":
        return rule_set_of(game(zones=ZONES, state=STATE, end=f"\nend\n  due: over\n\npayout\n{body}\n"))
    return rule_set_of(game(zones=ZONES, state=STATE, more=SHAPE, actions=f"\n{written}\n"))
