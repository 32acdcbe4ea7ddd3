"""What is said before the deal, and asked at it.

Input: a world with its states. Output: the lines of an action before the deal, and of a condition of the deal.
Guarantee: the state that is changed has a few values, and goes through all of them, so that the hand can be dealt.
"""

from __future__ import annotations

from golpae.ir.types import BOOL, INT
from tests.differential.vocabulary import Clause, Scope, State, World


def said_before(world: World) -> list[State]:
    """Return the states of the match that an event before the deal changes, if the text has that theme."""
    if world.often("match state") == 1:
        return []
    return [s for s in world.states if s.scope == "match" and not s.each and s.type in (INT, BOOL)]


def saying(world: World) -> list[str]:
    """Return an action that changes a state of the match before the deal."""
    state = said_before(world)[0]
    effect = f"{state.name} := " + (
        f"not {state.name}" if state.type == BOOL else f"({state.name} + 1) mod 3"
    )
    scope = Scope(forbidden=world.unset)
    world.actions["lots"] = scope
    world.clauses.append(Clause("lots.said", None, False, scope, effect))
    return ["action lots before the deal", "  early: hands-played < 2", f"  then said: {effect}"]


def wanted(world: World) -> list[str]:
    """Return a condition of the deal that asks for what was said."""
    return [
        f"  wanted: {world.rng.choice((state.name, f'not {state.name}'))}"
        if state.type == BOOL
        else f"  wanted: {state.name} {world.rng.choice(('= 0', '> 0', '/= 1'))}"
        for state in said_before(world)[:1]
    ]


def behind(world: World) -> list[str]:
    """Return a condition of the deal that asks for the totals, if the text has that theme. Some player meets it."""
    if world.often("totals") == 1:
        return []
    return [f"  behind: first's total {world.rng.choice(('<=', '>='))} first's right's total"]
