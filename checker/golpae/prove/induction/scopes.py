"""The states that candidates for invariants are about: those at a stage, and those in which a shared state has a value.

Input: the `TransitionSystem` of one table.
Output: its scopes, each after those that include it.
Guarantee: `when` of a scope is an expression of the language that holds in exactly these states of the stage.

    playing, stage = second
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from golpae.ir.lifecycle import BEFORE, ENDED, OVER, PLAYING
from golpae.ir.ruleset import VarDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import ALWAYS, IN_A_HAND, Lemma, Predicate
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, any_of, conj, implies, negate, same


@dataclass(frozen=True, slots=True)
class Scope:
    """The states that a candidate is about: those at a stage, `when` an expression of the language holds there.

    `wider` are the names of the scopes that include it.
    """

    at: str
    when: str
    predicate: Predicate
    wider: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.at}, {self.when}" if self.when else self.at

    def lemma(self, claim: str) -> Lemma:
        """Return the lemma that a claim, an expression of the language, holds in these states."""
        return Lemma(self.at, f"{self.when} implies {claim}" if self.when else claim)


def within(scope: Scope, predicate: Predicate) -> Predicate:
    """Return the predicate that holds in all states outside the scope, and inside as given."""

    def implication(state: SymbolicState) -> Truth:
        key = ("scope", scope.name)
        if key not in state.memo:
            state.memo[key] = scope.predicate(state)
        return implies(state.memo[key], predicate(state))

    return implication


def scopes_of(system: TransitionSystem) -> Iterator[Scope]:
    """Yield the scopes of a table, each after those that include it."""
    yield Scope(ALWAYS, "", lambda state: True, ())
    yield Scope(IN_A_HAND, "", stage_holds(IN_A_HAND), (ALWAYS,))
    for stage in (BEFORE, PLAYING, OVER, ENDED):
        wider = (ALWAYS, IN_A_HAND) if stage in (PLAYING, OVER) else (ALWAYS,)
        yield Scope(stage, "", stage_holds(stage), wider)
    for var in system.rules.vars:
        if not var.each_player:
            for name, predicate in _phases(var):
                yield Scope(PLAYING, name, _while_playing(predicate), (ALWAYS, IN_A_HAND, PLAYING))


def stage_holds(at: str) -> Predicate:
    """Return the predicate that holds in the states that a lemma of this stage is about."""
    if at == ALWAYS:
        return lambda state: True
    stages = (PLAYING, OVER) if at == IN_A_HAND else (at,)
    return _at(*stages)


def _at(*stages: str) -> Predicate:
    return lambda state: any_of(same(state.at, s) for s in stages)


def _while_playing(predicate: Predicate) -> Predicate:
    return lambda state: conj(same(state.at, PLAYING), predicate(state))


def _phases(var: VarDecl) -> Iterator[tuple[str, Predicate]]:
    """Yield conditions on a shared state that divide the play of a hand into phases."""
    match var.type:
        case Choice(words):
            for word in words:
                yield f"{var.name} = {word}", value_is(var.name, word)
        case Opt(Tile()):
            yield f"{var.name} is not none", denied(value_is(var.name, None))
        case Bool():
            if var.initial is not None:  # otherwise it has no value in some states
                yield var.name, truth_of(var.name)
                yield f"not {var.name}", denied(truth_of(var.name))
        case Int() | Seat() | Tile() | Meld() | BagType() | Each() | Opt():
            return
        case NoneType() | Points() | Patterns():
            return
        case _:
            assert_never(var.type)


def truth_of(name: str) -> Predicate:
    """Return the predicate that a shared state is true."""
    return lambda state: state.vars[name]


def value_is(name: str, value: str | None) -> Predicate:
    """Return the predicate that a shared state has a value."""
    return lambda state: same(state.vars[name], value)


def denied(predicate: Predicate) -> Predicate:
    """Return the predicate that another one does not hold."""
    return lambda state: negate(predicate(state))
