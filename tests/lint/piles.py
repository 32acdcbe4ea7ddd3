"""A small game with switches that make clauses and one another idle, and what going through all its games shows."""

from __future__ import annotations

from collections.abc import Iterator

from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.lint.notes import Key
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from tests.families.coins import COINS

GAME = f"""\
game piles "Piles"

{COINS}
define goal: 2

deal from box
  hands: 2 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to heap
  then mover := p's right
  then taken := taken + 1
  then won: when taken = goal: p wins

action pass by p "pass"
  turn: p = mover "no"
  stuck: taken >= 2 "no"
  then mover := p's right

end
  due: over or (every p in players: p's hand is empty)

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake

always few: taken > 3 implies size of heap > 3
always short: taken < goal or winner is not none
"""
ONCE = """
variant once "nobody puts after two coins"
  add put.once: taken < 2 "no"
"""
NEVER = """
variant never "nobody wins"
  drop put.won
  drop short
"""
LONG = """
variant long "the third coin wins"
  replace goal: 3
"""
OTHERS = """
variant plain "whoever puts has a coin"
  add put.plain: size of p's hand > 0 "no"

reading clash "the goal is one coin"
  replace goal: 1
"""
TOGETHER = (
    GAME.replace(
        "\n  then move tile", '\n  open: (eased and not harsh) or taken < 1 "no"\n  then move tile'
    ).replace("define goal", "define eased: no\ndefine harsh: no\ndefine goal")
    + """
variant lax "nothing is refused, but with hard"
  replace eased: yes

variant hard "lax does not count"
  replace harsh: yes
"""
)
HANDS = [["1c", "1c"], ["1c", "2c"], ["2c", "2c"]]


def used(rule_set: RuleSet) -> set[Key]:
    """Return the actions that happen in some game of a rule set, and the conditions that are the first to refuse."""
    machine = Machine(instantiate(rule_set, 2, {}))
    found: set[Key] = set()
    waiting, seen = list(_dealt(machine)), set()
    while waiting:
        state = waiting.pop()
        key = repr([getattr(state, name) for name in type(state).__slots__])
        if key in seen or machine.stage(state) != "playing":
            continue
        seen.add(key)
        assert len(seen) < 3_000
        for action in ("put", "pass"):
            for event in _events(machine, action):
                args = machine.read(action, event)
                failed, ordered = machine.first(action, state, args)  # type: ignore[arg-type]
                if failed >= 0:
                    found.add(("condition", f"{action}.{machine.actions[action].conditions[failed].name}"))
                    continue
                found.add(("action", action))
                after = machine.copy(state)
                machine.apply(action, after, ordered)
                waiting.append(after)
    return found


def _dealt(machine: Machine) -> Iterator[State]:
    for first in Legal(machine).can_deal(machine.new_state()):
        for one in HANDS:
            for other in HANDS:
                state = machine.new_state()
                args = machine.read("deal", {"do": "deal", "first": first, "hands": [one, other]})
                if machine.check("deal", state, args) < 0:  # type: ignore[arg-type]
                    machine.apply("deal", state, args)  # type: ignore[arg-type]
                    yield state


def _events(machine: Machine, action: str) -> Iterator[dict[str, object]]:
    for seat in range(2):
        by = {"do": action, "by": seat}
        yield from ({**by, "tile": f"{size}c"} for size in (1, 2)) if action == "put" else (by,)
