"""Looks for a game that shows something of a property, under one rule set of a family, and where else it does.

Input: a family machine at the values of one table, and a property. Output: a game, as the lines of a trace. Guarantee:
`shows` asks replay alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.ir.types import BOOL
from golpae.replay.machine import Machine
from golpae.search.lasso import find_lasso, returns
from golpae.search.random_play import find, find_deadlock, is_dead_end
from golpae.verify.deciders.game_search import ends_in
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM

Events = tuple[Mapping[str, Any], ...]
TRIES, STEPS = 2, 2_000  # games that may return to a position, and events of each


def target_of(prop: PropertyDecl) -> ir.Expr:
    """Return the condition of a position that decides a property: it breaks the property, or is one that the property
    says games can reach.
    """
    is_shown = prop.kind == "reachable" or form_of(prop.kind).negated
    return prop.expr if is_shown else ir.Op("not", (prop.expr,), BOOL)


def search(machine: Machine, prop: PropertyDecl, seed: int, games: int) -> Events | None:
    """Return a game that decides a property, or None."""
    if prop.name == CONSERVATION:
        return None
    if prop.name == DEADLOCK_FREEDOM:
        dead = find_deadlock(machine, seed=seed, games=games)
        return None if dead is None else tuple(dead.events)
    if prop.kind == "ends":
        if find_lasso(machine, seed=seed, steps=STEPS, tries=TRIES) is None:
            return None
        lasso = find_lasso(machine, seed=seed)  # where there is one, more tries find a shorter one
        return None if lasso is None or not _goes_on(prop, lasso.events, lasso.start) else tuple(lasso.events)
    game = find(machine, target_of(prop), seed=seed, games=games, after=prop.after)
    return None if game is None else tuple(game.events)


def shows(machine: Machine, prop: PropertyDecl, events: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether replay accepts a game, and it decides a property."""
    try:
        if prop.name == DEADLOCK_FREEDOM:
            return is_dead_end(machine, events)
        if prop.kind == "ends":
            start = returns(machine, events)
            return start is not None and _goes_on(prop, events, start)
        return ends_in(machine, events, target_of(prop), prop.after)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return False


def _goes_on(prop: PropertyDecl, events: Sequence[Mapping[str, Any]], start: int) -> bool:
    return prop.after is None or any(event["do"] == prop.after for event in events[start:])
