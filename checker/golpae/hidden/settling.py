"""What is certain of a state by what was asked so far: unknown values that can be only one thing become plain.

Input: a state with unknown values, a model of what was asked until then, and a way to ask the solver.
Output: the state with plain values where no other is possible, and why no other is.
Guarantee: a value becomes plain only if the solver has proved that it is the same for all tiles that make the events so
far legal.

Without this each event would be a formula over all that any tile could have led to. Most unknown tiles show soon, and
what the events before leave open is little.

    a turn that is 0 or 1 by an unknown tile, and then an event by 0     ->     the turn was 0, and so are its effects
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

import z3

from golpae.prove.solving.model import Model
from golpae.prove.symbolic.rebuilding import Rebuilding
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    Truth,
    Value,
    any_of,
    equal,
    iff,
    negate,
)

LONGEST_PAUSE = 31  # states that are not asked about, where nothing was certain before
MOST_MODELS = 8  # that are looked at for one state to see which values are open
AGAIN = 8  # states later it is asked again whether a number that was open is certain
Reason = TypeVar("Reason")


class Settling(Generic[Reason]):
    """What is certain of the states of one search."""

    def __init__(self) -> None:
        self._known: dict[
            int, tuple[Any, bool | int]
        ] = {}  # by the node of a term, which is held with its value
        self._rebuilding = Rebuilding(self._plain)
        self._open: dict[
            int, tuple[Any, int]
        ] = {}  # terms that are not certain, and when this is asked again
        self._states = self._next = 0
        self._pause = 0  # states that are not asked about, because nothing was certain of those before them

    def is_worthwhile(self, state: SymbolicState) -> bool:
        """Return whether it can be worth while to ask what is certain: more than tiles is unknown, so that effects
        depend on it; and it was not long ago that something was certain.
        """
        self._states += 1
        return self._states >= self._next and any(True for _ in _control(state))

    def settled(
        self, state: SymbolicState, model: Model, ask: Callable[[Truth], Model | Reason | None]
    ) -> tuple[SymbolicState, list[Reason]]:
        """Return a state whose certain values are plain, and why they are certain; nothing if no more are than before.

        `ask` returns a model in which a truth holds too, or why there is none, or None if that stays open.
        """
        state = self._rebuilding.state(state)
        reasons = []
        for which in (_control, _tiles):
            reason = self._ask_about(which(state), model, ask)
            if reason is not None:
                reasons.append(reason)
                state = self._rebuilding.state(state)
        self._pause = 0 if reasons else min(2 * self._pause + 1, LONGEST_PAUSE)
        self._next = self._states + self._pause
        return state, reasons

    def _ask_about(
        self, terms: Iterable[Any], model: Model, ask: Callable[[Truth], Model | Reason | None]
    ) -> Reason | None:
        """Note which terms are certain. Return why they are; None if none are."""
        asked = [*{term.ast.value: term for term in terms if self._may_be_certain(term)}.values()]
        left = [*zip(asked, model.values(asked), strict=True)]
        for _ in range(MOST_MODELS):
            if not left:
                break
            answer = ask(any_of(_differs(term, value) for term, value in left))
            if answer is None:
                break
            if not isinstance(answer, Model):
                self._known |= {term.ast.value: (term, value) for term, value in left}
                self._rebuilding.forget()
                return answer
            values = answer.values([term for term, _ in left])
            for (term, old), new in zip(left, values, strict=True):
                if old != new:
                    self._open[term.ast.value] = term, self._states + AGAIN
            left = [(term, old) for (term, old), new in zip(left, values, strict=True) if old == new]
        for term, _ in left:
            self._open[term.ast.value] = term, self._states + AGAIN
        return None

    def _may_be_certain(self, term: Any) -> bool:
        held = self._open.get(term.ast.value)
        return held is None or self._states >= held[1]

    def value(self, value: Value) -> Value:
        """Return a value with plain ones in place of known terms; the same object if there are none."""
        return self._rebuilding.value(value)

    def _plain(self, term: Any) -> Value:
        known = self._known.get(term.ast.value)
        return term if known is None else known[1]


def _differs(term: Any, value: bool | int | None) -> Truth:
    return negate(iff(term, value) if isinstance(value, bool) else equal(term, value))


def _control(state: SymbolicState) -> Iterator[Any]:
    """Yield the terms that decide whose turn it is, and whatever else are no tiles."""
    yield from _terms_in([state.at, state.winner, state.hands_played, *state.total, *state.vars.values()])


def _tiles(state: SymbolicState) -> Iterator[Any]:
    """Yield the terms that decide how often each tile lies in a zone, and what lies at the ends of rows."""
    for zones in state.zones.values():
        for zone in zones if isinstance(zones, list) else [zones]:
            yield from _terms_in([zone.bag])
            if zone.row is not None:
                yield from _terms_in([zone.row.front, zone.row.back, zone.row.hidden, zone.row.free])


def _terms_in(values: Iterable[Value]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, z3.ExprRef):
            yield value
        elif isinstance(value, GuardedUnion):
            for case in value.cases:
                yield from _terms_in(case)
        elif isinstance(value, Bag):
            yield from _terms_in(value.counts.values())
        elif isinstance(value, list):
            yield from _terms_in(value)
