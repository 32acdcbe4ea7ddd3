"""Confirms by replay what induction has proved, before golpae says it.

Input: the machine and the induction of one table.
Output: the properties without a value: one passes a limit of numbers in a game. They cost no other property.
Guarantee: raises `FalseInvariant` if an invariant fails in a game that replay plays, or if an event that replay takes
breaks a stated one in some state, reachable or not, in which all invariants hold. How many states are tried is counted,
and the same seed gives the same ones. An invariant that takes too many steps is not tried again, and the others are.

A fault of the prover may make it prove too much: a guard that refuses what replay accepts, an effect that it forgets.
Such a fault shows in a single step more often than in the whole game, so the states of games are changed as well: their
tiles change places, and a state of the text gets another value.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import chooses_together, nodes_through, reads_unset, reads_unset_earlier
from golpae.ir.lifecycle import BEFORE
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import TABLE, PropertyDecl, form_of
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.induction import Induction
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import random_deal
from golpae.replay.runtime import HIDDEN
from golpae.replay.state_layout import var_in, var_slot, zones_in
from golpae.replay_bridge import symbolic_state
from golpae.search import witness
from golpae.search.random_play import is_stuck
from golpae.verify.sample_states import PlayedGames

GAMES = 8
SAMPLED = 40  # states of games in which every invariant is evaluated
CHANGED = 24  # states that are changed, and from which events are tried
TRIED = 12  # events of such a state

Holds = Callable[[State], bool]


class FalseInvariant(Exception):
    """An invariant that induction has proved does not hold: a fault of golpae."""


def confirm(played: PlayedGames, induction: Induction) -> None:
    """Raise `FalseInvariant` if replay contradicts an invariant."""
    with suppress(TooManySteps):  # all together, or a rule does: no more games can be tried
        _confirm(played, induction)


def _confirm(played: PlayedGames, induction: Induction) -> None:
    machine = played.machine
    stated = [(c, h) for c in induction.invariants if c.stated and (h := by_replay(machine, c.stated))]
    rng = random.Random(f"{played.seed}/confirm")
    legal = Legal(machine)
    for states, state in enumerate(played.states(GAMES), 1):
        _hold(stated, state, "in a game")
        if states % 3 == 0 and states <= 3 * SAMPLED:
            symbolic = symbolic_state(machine, state)
            for candidate in induction.invariants:
                if _truth(candidate, symbolic) is False:
                    raise FalseInvariant(f"the invariant `{candidate.name}` does not hold in a game")
        if states % 3 == 1 and states <= 3 * CHANGED:
            _step(machine, legal, induction, stated, _changed(machine, state, rng), rng)


def _step(
    machine: Machine,
    legal: Legal,
    induction: Induction,
    stated: list[tuple[Candidate, Holds]],
    state: State,
    rng: random.Random,
) -> None:
    """Let events happen in a state in which all invariants hold, and look whether the stated ones hold after it."""
    try:
        symbolic = symbolic_state(machine, state)
        if any(_truth(c, symbolic) is not True for c in induction.invariants):
            return
        events = list(legal.events(state))
        deals = [legal.dealt(random_deal(machine, state, seat, rng), state) for seat in legal.can_deal(state)]
        events += [deal for deal in deals if deal is not None]
    except (TypeError, IndexError, ValueError):
        return  # no game comes to this state, and the rules may ask there what is none
    for event in events if len(events) <= TRIED else rng.sample(events, TRIED):
        after = _after(machine, state, event)
        if after is not None:
            _hold(stated, after, f"after `{event.action}`")  # no game need come there


def _truth(candidate: Candidate, state: SymbolicState) -> Truth | None:
    """Return whether an invariant holds in a state; None if a number in it is too large for the prover."""
    try:
        return candidate.predicate(state)
    except Unsupported:
        return None


def _after(machine: Machine, state: State, event: Event) -> State | None:
    """Return the state after an event, or None if it cannot happen."""
    after = machine.copy(state)
    try:
        if machine.check(event.action, state, event.args) >= 0:
            return None
        machine.apply(event.action, after, event.args)
    except (TypeError, IndexError, ValueError):
        return None
    return after


def _hold(stated: list[tuple[Candidate, Holds]], state: State, where: str) -> None:
    for tried in list(stated):
        candidate, holds = tried
        try:
            kept = holds(state)
        except TooManySteps as long:
            if long.kind == "together":
                raise
            stated.remove(tried)
            continue
        except (TypeError, IndexError):
            continue
        if not kept:
            raise FalseInvariant(f"`{candidate.name}`, which induction proves, does not hold {where}")


def by_replay(machine: Machine, prop: PropertyDecl) -> Holds | None:
    """Return whether a property holds in a state by replay; None if only the prover evaluates it."""
    if _is_for_the_prover(machine, prop):
        return None
    value = machine.function(prop.expr, ())
    unset = reads_unset(prop.expr, machine.rules)
    never = form_of(prop.kind).negated

    def holds(state: State) -> bool:
        if unset and machine.stage(state) == BEFORE:
            return True
        return bool(value(state)) is not never

    return holds


def applies_after(played: PlayedGames, prop: PropertyDecl) -> bool:
    """Return whether games show that what a property says of an event is not vacuous.

    The event happens, and whatever has to be true for the property to apply is true after some such event.
    """
    machine = played.machine
    if _is_for_the_prover(machine, prop):
        return False
    waiting = [applies for _, applies in has_to_apply(prop.expr, form_of(prop.kind).negated)]
    with suppress(TooManySteps):
        for before, names, after in _asked_after(played, prop):
            waiting = [e for e in waiting if not witness.holds(machine, e, after, names, before)]
            if not waiting:
                return True
    return False


def fails_in_games(played: PlayedGames, prop: PropertyDecl) -> bool:
    """Return whether what always or never holds fails in one of the games, so that no proof need be looked for."""
    machine, never = played.machine, form_of(prop.kind).negated
    with suppress(TooManySteps, TypeError, IndexError):
        if prop.after is None:
            holds = by_replay(machine, prop)
            return holds is not None and not all(map(holds, played.states(GAMES)))
        if not _is_for_the_prover(machine, prop):
            return any(
                witness.holds(machine, prop.expr, after, names, before) is never
                for before, names, after in _asked_after(played, prop)
            )
    return False


def gets_stuck(played: PlayedGames) -> bool:
    """Return whether nobody can act at the end of one of the games, though the hand goes on."""
    with suppress(TooManySteps):
        last = dict(takewhile(lambda numbered: numbered[0] < GAMES, played.numbered()))
        return any(is_stuck(played.machine, state) for state in last.values())
    return False


def _asked_after(played: PlayedGames, prop: PropertyDecl) -> Iterator[tuple[State, dict[str, Any], State]]:
    """Yield where games ask a property after an event: the state before it, the names of its keys, the state after it.

    Raises `TooManySteps`.
    """
    machine = played.machine
    unset, unset_earlier = (
        reads_unset(prop.expr, machine.rules),
        reads_unset_earlier(prop.expr, machine.rules),
    )
    for before, event, after in played.steps(GAMES):
        if event.action != prop.after:
            continue
        if (unset_earlier and machine.stage(before) == BEFORE) or (unset and machine.stage(after) == BEFORE):
            continue
        action = machine.actions[event.action]
        yield (
            before,
            dict(zip(witness.names_of(action), witness.bound(action, event.args), strict=True)),
            after,
        )


def _is_for_the_prover(machine: Machine, prop: PropertyDecl) -> bool:
    """Return whether only the prover evaluates a property."""
    definitions = {d.name: d for d in machine.rules.definitions}
    ways = any(isinstance(node, ir.Ways) for node in nodes_through(prop.expr, definitions))
    return ways or chooses_together(prop.expr, definitions)


# ------------------------------------------------------------------ arbitrary states


def _changed(machine: Machine, state: State, rng: random.Random) -> State:
    """Return a state in which the tiles outside of melds have changed places, and perhaps a state has another value."""
    other = machine.copy(state)
    _mix(machine, other, rng)
    states = [var for var in machine.rules.vars if var.scope != TABLE]
    if states and rng.random() < 0.5:
        var = rng.choice(states)
        values = _values(var.type, machine.instance.players)
        if values:
            if var.each_player:
                own = list(var_in(other, var.name))
                own[rng.randrange(len(own))] = rng.choice(values)
                setattr(other, var_slot(var.name), own)
            elif var_in(other, var.name) is not None:
                setattr(other, var_slot(var.name), rng.choice(values))
    return other


def _mix(machine: Machine, state: State, rng: random.Random) -> None:
    """Put the tiles of heaps and rows in each other's places."""
    lying: list[Any] = []
    for zone in machine.rules.zones:
        if zone.kind != "melds":
            lying += zones_in(state, zone)
    tiles = [t for one in lying for t in (one if isinstance(one, list) else one.all())]
    rng.shuffle(tiles)
    for one in lying:
        if isinstance(one, list):
            one[:] = [tiles.pop() for _ in one]
        else:
            one.slots = [s if s == HIDDEN else tiles.pop() for s in one.slots]
            one.hidden = [tiles.pop() for _ in one.hidden]


def _values(kind: Type, players: int) -> list[Any]:
    """Return the values of a type; none if these are too many or may have bounds."""
    match kind:
        case Bool():
            return [False, True]
        case Seat():
            return list(range(players))
        case Choice(words):
            return list(words)
        case Opt(item):
            inner = _values(item, players)
            return [None, *inner] if inner else []
        case Int() | Tile() | Meld() | Bag() | Each() | NoneType() | Points() | Patterns():
            return []
        case _:
            assert_never(kind)
