"""Scores of tiles that may be unknown.

Input: a score, the values of its parameters, and a state. Output: its points, or none. Guarantee: concrete values are
decided by the oracle; for others the points are a symbol, with axioms about it. A score that reads a state is asked for
each value of it if these are few; otherwise the points are a symbol for what it is given and what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any

import z3

from golpae.ir import expr as ir
from golpae.ir.dependencies import states_of_score
from golpae.ir.ruleset import ScoreDecl, VarDecl
from golpae.ir.scoring import named_number
from golpae.prove.evaluation.context import Context, Evaluate
from golpae.prove.evaluation.reads import DefinitionReads, values_read
from golpae.prove.evaluation.shapes import ShapeEncoder
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    BLANK,
    Bag,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    as_bag,
    bags_same,
    cases,
    conj,
    disj,
    iff,
    implies,
    joined,
    merge,
    negate,
    same,
    tiles_of,
)

SYMBOLIC = object()
MOST_STATES = 16  # choices of values of the states that a score reads, for each of which it is asked


class ScoreEncoder:
    """Scores of one table."""

    def __init__(
        self, context: Context, shapes: ShapeEncoder, reads: DefinitionReads, evaluate: Evaluate
    ) -> None:
        self._context = context
        self._reads = reads
        self._shapes = shapes
        self._evaluate = evaluate
        self._states: dict[str, tuple[VarDecl, ...] | None] = {}

    def points(
        self, name: str, args: tuple[Value, ...], state: SymbolicState | None, number: str = ""
    ) -> Value:
        """Return the points of a score for some values, or none: its total, or the number of this name."""
        reads = self._reads.of_score(name)
        if not reads:
            return self._points(name, number, args, (), None)
        if state is None:
            raise Unsupported("reading a game under way outside a game")
        options = self._known_states(name, state)
        if options is not None:
            return merge([(g, self._points(name, number, args, values, state)) for g, values in options])
        asked = values_read(reads, (), state)
        if any(part is BLANK for part in _flat(asked)):
            raise Unsupported(f"what the score `{name}` reads")
        return self._unknown(name, number, args, asked, state)

    def _points(
        self,
        name: str,
        number: str,
        args: tuple[Value, ...],
        states: tuple[Any, ...],
        state: SymbolicState | None,
    ) -> Value:
        """Return the points, if the states that the score reads have these values."""
        plain = tuple(plain_value(a) for a in args)
        if all(p is not SYMBOLIC for p in plain):
            return self._counted(name, number, (*plain, *states))
        return self._unknown(name, number, args, states, state)

    def _counted(self, name: str, number: str, plain: tuple[Any, ...]) -> Value:
        """Return the points of a hand all of which is known."""
        return self._context.oracle.best(named_number(name, number), plain)

    def _unknown(
        self,
        name: str,
        number: str,
        args: tuple[Value, ...],
        asked: tuple[Any, ...],
        state: SymbolicState | None,
    ) -> Value:
        """Return unknown points: the same ones for the same values and the same parts of a state that are read."""
        exact = partial(self._exact_axiom, name, number, args, asked)
        weak = partial(self._weak_axioms, name, args, state)
        return self._context.abstraction.number(
            f"score {named_number(name, number)}", (*args, *asked), exact, weak
        )

    def _known_states(self, name: str, state: SymbolicState) -> list[tuple[Truth, tuple[Any, ...]]] | None:
        """Return the values that the states which a score reads may have, each choice with its guard. None if it reads
        anything else, or if there are many.
        """
        if name not in self._states:
            self._states[name] = states_of_score(self._context.rules, name)
        variables = self._states[name]
        if variables is None:
            return None
        rows = [_plain_cases(state.vars[var.name]) for var in variables]
        if any(row is None for row in rows) or prod(len(row or ()) for row in rows) > MOST_STATES:
            return None
        chosen = product(*(row or () for row in rows))
        return [(conj(*(g for g, _ in each)), tuple(v for _, v in each)) for each in chosen]

    def _exact_axiom(
        self, name: str, number: str, args: tuple[Value, ...], states: tuple[Any, ...], points: Value
    ) -> Truth:
        """Return the axiom that defines unknown points. Raises `Unsupported` if the hands that count cannot be
        enumerated.
        """
        score = self._context.scores[name]
        if not _is_hand_alone(score) or not isinstance(args[0], Bag):
            raise Unsupported(f"the score `{name}` of unknown tiles")
        if any(plain_value(value) is SYMBOLIC for value in states):
            raise Unsupported(f"the score `{name}` in an unknown state")
        hands = [h for a in score.arrangements for h in self._shapes.hands(a)]
        by_points: dict[int | None, list[Bag]] = {}
        for hand in {h.tiles(): h for h in hands}.values():
            best = self._context.oracle.best(named_number(name, number), (hand.tiles(), *states))
            by_points.setdefault(best, []).append(hand)
        axioms = [
            iff(same(points, best), any_of(bags_same(args[0], h) for h in hands_of))
            for best, hands_of in by_points.items()
            if best is not None
        ]
        possible = [p for p in by_points if p is not None]
        exact = all_of([*axioms, any_of([same(points, None), *(same(points, p) for p in possible)])])
        return implies(self._shapes.in_set(args[0]), exact)

    def _weak_axioms(
        self, name: str, args: tuple[Value, ...], state: SymbolicState | None, points: Value
    ) -> Iterator[Truth]:
        """Yield the axioms that tiles with points make an arrangement.

        INVARIANT: a score counts arrangements of its hand, with what is fixed among them, whatever else it depends on.
        """
        score = self._context.scores[name]
        names = {p.name: a for p, a in zip(score.params, args, strict=True)}
        tiles = as_bag(self._evaluate(score.hand, state, names))
        if score.fixed is not None:
            tiles = joined(tiles, tiles_of(as_bag(self._evaluate(score.fixed, state, names))))
        for arrangement in self._context.arrangements:
            if {*self._members(arrangement)} >= {*score.arrangements}:
                yield disj(same(points, None), self._shapes.is_shape(tiles, arrangement))

    def _members(self, arrangement: str) -> Iterator[str]:
        """Return an arrangement and those that it is a union of."""
        yield arrangement
        for member in self._context.arrangements[arrangement].union:
            yield from self._members(member)


def _is_hand_alone(score: ScoreDecl) -> bool:
    """Return whether the tiles that a score lays out are what it is given, and all that it is given."""
    if len(score.params) != 1 or score.fixed is not None:
        return False
    return isinstance(score.hand, ir.Local) and score.hand.name == score.params[0].name


def _plain_cases(value: Value) -> list[tuple[Truth, Any]] | None:
    """Return the plain values that a value may have, each with its guard; None if it may be anything."""
    if isinstance(value, z3.BoolRef):
        return [(value, True), (negate(value), False)]
    out = [(guard, plain_value(one)) for guard, one in cases(value)]
    return None if any(plain is SYMBOLIC for _, plain in out) else out


def _flat(values: Any) -> Iterator[Any]:
    """Yield all that lists and tuples contain."""
    if isinstance(values, list | tuple):
        for value in values:
            yield from _flat(value)
    else:
        yield values


def plain_value(value: Value) -> Any:
    """Return a concrete value as the oracle takes it; `SYMBOLIC` for any other."""
    if isinstance(value, Bag):
        if not value.concrete:
            return SYMBOLIC
        keys = [k for k, c in value.items() for _ in range(c)]
        return tuple(
            sorted(keys, key=lambda k: (k.tiles, k.label or "") if isinstance(k, MeldValue) else (k,))
        )
    if isinstance(value, list):  # a value for each seat
        of_seats = tuple(map(plain_value, value))
        return SYMBOLIC if any(own is SYMBOLIC for own in of_seats) else of_seats
    if value is None or isinstance(value, bool | int | str | MeldValue):
        return value
    return SYMBOLIC
