"""Decides what games do by going through all of them, where these are few enough.

Input: the analysis of one instance and a property.
Output: an answer, or None if the games are too many or the property is about something else.
Guarantee: a proof has looked at every position and every event; a game that refutes is a shortest one, and replay has
accepted it. The prover takes no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import Dependencies, nodes_through, reads_unset, reads_unset_earlier
from golpae.ir.lifecycle import BEFORE, OVER, PLAYING
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.ir.traverse import asks_earlier, nodes
from golpae.lower.event_plan import asks_order
from golpae.orders import distinct_orders
from golpae.prove.answer import PROVED, REFUTED, Answer, Witness
from golpae.replay.codegen.expressions import EARLIER
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import zones_in
from golpae.search import witness
from golpae.search.all_games import AllGames, Position
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.ends_of_games import decide_ends_by_games
from golpae.verify.deciders.phrases import all_positions, never_happens, shortest
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM


def decide_by_games(analysis: Analysis, prop: PropertyDecl) -> Answer | None:
    """Decide a property of games by going through all games; None if that decides nothing."""
    match prop.kind:
        case "ends":
            return _decide_ends(analysis, prop)
        case "always" | "claim" | "never" | "reachable" | "theorem":
            pass
        case _:
            assert_never(prop.kind)
    games = analysis.games_for(prop.expr)
    if games is None or not _is_told_apart(games, prop):
        return None
    if prop.name == CONSERVATION:
        return _decide_conservation(games)
    if prop.name == DEADLOCK_FREEDOM:
        return _decide_deadlock_freedom(games)
    return _decide_truth(games, prop)


def _decide_ends(analysis: Analysis, prop: PropertyDecl) -> Answer | None:
    """Decide whether every hand ends. What only the number reads tells no positions apart if these are too many."""
    games = analysis.games
    if games is None:
        return None
    finer = analysis.games_for(prop.expr)
    if finer is not None and finer.whole:
        games = finer
    return decide_ends_by_games(games, prop, _is_told_apart(games, prop))


def _is_told_apart(games: AllGames, prop: PropertyDecl) -> bool:
    """Return whether positions that count as one are one for a property, and replay can evaluate it."""
    definitions = {d.name: d for d in games.machine.rules.definitions}
    if any(isinstance(node, ir.Ways) for node in nodes_through(prop.expr, definitions)):
        return False
    action = None if prop.after is None else games.machine.actions[prop.after]
    if action is not None and any(p.parts and p.name in _asked_in_order(prop.expr) for p in action.params):
        return False  # the names of its tiles stand for one order
    return not Dependencies(games.machine.rules).reads([prop.expr]) & games.forgotten


# ------------------------------------------------------------------ truths


def _decide_truth(games: AllGames, prop: PropertyDecl) -> Answer | None:
    """Decide what always or never holds, or can be reached."""
    wanted = form_of(prop.kind).negated  # what refutes it; for `reachable`, what shows it
    shown = next(_where(games, prop, prop.expr, wanted), None)
    reachable = prop.kind == "reachable"
    if shown is not None:
        verdict = PROVED if reachable else REFUTED
        lines = games.game(shown[0], *shown[2])
        return Answer(verdict, shortest(lines), witness=Witness(shown[1], tuple(lines)))
    if not games.whole:
        return None
    positions = len(games.positions)
    if reachable:
        return Answer(REFUTED, f"no game gets there: {all_positions(positions)}", positions=positions)
    return Answer(PROVED, all_positions(positions), vacuous=_vacuous(games, prop), positions=positions)


Shown = tuple[Position, tuple[tuple[str, str], ...], tuple[Event, ...]]


def _where(games: AllGames, prop: PropertyDecl, expr: ir.Expr, wanted: bool) -> Iterator[Shown]:
    """Yield where a property is asked and an expression has a value: a position, names, and an event after it.

    Those that a shorter game leads to come first.
    """
    machine = games.machine
    unset = reads_unset(prop.expr, machine.rules)
    if prop.after is None:
        holds = machine.function(expr, ())
        for position in games.positions:
            if unset and games.stage(position) == BEFORE:
                continue
            if bool(holds(position.state)) is wanted:
                yield position, (), ()
        return
    action = machine.actions[prop.after]
    holds = machine.function(expr, witness.names_of(action))
    compares = asks_earlier(expr)
    unset_earlier = reads_unset_earlier(prop.expr, machine.rules)
    for before, event, after in games.events():
        if event.action != prop.after or (unset and games.stage(after) == BEFORE):
            continue
        if unset_earlier and games.stage(before) == BEFORE:
            continue
        earlier = {EARLIER: before.state} if compares else {}
        for same in _in_every_order(machine, event, expr):
            if bool(holds(after.state, *witness.bound(action, same.args), **earlier)) is wanted:
                names = witness.in_words(witness.named(machine, same))
                yield before, names, (same,)


def _in_every_order(machine: Machine, event: Event, expr: ir.Expr) -> Iterator[Event]:
    """Yield an event with its lists in each order, if an expression asks for an order that its action does not."""
    action = machine.actions[event.action]
    asked = _asked_in_order(expr)
    first = len(event.args) - len(action.params)
    places = [
        first + at
        for at, param in enumerate(action.params)
        if param.name in asked
        and not asks_order(machine.rules, action, param.name)
        and event.args[first + at] is not None
    ]
    for orders in product(*(distinct_orders(sorted(event.args[place])) for place in places)):
        args = [*event.args]
        for place, order in zip(places, orders, strict=True):
            args[place] = [*order]
        yield replace(event, args=tuple(args))


def _asked_in_order(expr: ir.Expr) -> set[str]:
    """Return the keys whose order an expression asks for."""
    return {
        n.tiles.name for n in nodes(expr) if isinstance(n, ir.FitsOrder) and isinstance(n.tiles, ir.Local)
    }


def _vacuous(games: AllGames, prop: PropertyDecl) -> str | None:
    """Return why a property that holds is vacuous, or None if it is not."""
    if prop.after is not None and all(event.action != prop.after for _, event, _ in games.events()):
        return never_happens(prop.after)
    for reason, applies in has_to_apply(prop.expr, form_of(prop.kind).negated):
        if next(_where(games, prop, applies, True), None) is None:
            return reason
    return None


# ------------------------------------------------------------------ what holds of any game


def _decide_conservation(games: AllGames) -> Answer | None:
    """Decide whether the zones together hold the set at every position."""
    whole = Counter(games.machine.instance.whole)
    for position in games.positions:
        if _tiles(games.machine, position.state) != whole:
            lines = games.game(position)
            return Answer(REFUTED, shortest(lines), witness=Witness((), tuple(lines)))
    positions = len(games.positions)
    return Answer(PROVED, all_positions(positions), positions=positions) if games.whole else None


def _tiles(machine: Machine, state: State) -> Counter[int]:
    """Return all tiles that lie in the zones."""
    out: Counter[int] = Counter()
    for zone in machine.rules.zones:
        for lying in zones_in(state, zone):
            tiles: Any = lying.all() if zone.kind == "row" else lying
            out.update((t for meld in tiles for t in meld) if zone.kind == "melds" else tiles)
    return out


def _decide_deadlock_freedom(games: AllGames) -> Answer | None:
    """Decide whether some event is legal at every position while a hand is played."""
    for position in games.positions[: games.left]:
        if games.stage(position) in (PLAYING, OVER) and not position.next:
            lines = games.game(position)
            story = f"a game in which nobody can act: {shortest(lines)}"
            return Answer(REFUTED, story, witness=Witness((), tuple(lines)))
    positions = len(games.positions)
    return Answer(PROVED, all_positions(positions), positions=positions) if games.whole else None
