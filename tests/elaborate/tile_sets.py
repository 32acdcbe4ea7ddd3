"""A small game around a set of tiles, for tests of sets."""

from __future__ import annotations

from textwrap import dedent, indent

from golpae.elaborate.check import check
from golpae.elaborate.instance import Kind, instantiate
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier

GAME = """game g "A game"

players 2 to 2

tiles
{tiles}

zones
  deck: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

{more}

deal from deck
  hands: 1 for everyone
  then mover := first

action stop by p
  turn: p = mover
  then nobody wins

end
  due: over
"""


def rules(tiles: str, more: str = "") -> RuleSet:
    lines = indent(dedent(tiles).strip(), "  ")
    loaded = load_text(GAME.format(tiles=lines, more=more))
    return check(resolve("g", loaded))


def kinds(tiles: str) -> tuple[Kind, ...]:
    return instantiate(rules(tiles), 2, {}).kinds


def check_theorems(text: str, theorems: list[str]) -> None:
    """Check that the prover proves each of these."""
    made = rules(text, "\n".join(theorems))
    verifier = Verifier(instantiate(made, 2, {}), Settings(most=60_000_000, megabytes=1_500, games=40))
    assert [verifier.verify(prop).verdict for prop in made.properties] == ["proved"] * len(theorems)
