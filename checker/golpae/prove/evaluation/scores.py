"""Scores of tiles that may be unknown.

Input: a score and the values of its parameters. Output: its points, or none. Guarantee: concrete values are decided by
the oracle; for others the points are a symbol, with axioms about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from golpae.ir.scoring import named_number
from golpae.prove.evaluation.context import Context, Evaluate
from golpae.prove.evaluation.shapes import ShapeEncoder
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    as_bag,
    bags_same,
    disj,
    iff,
    implies,
    joined,
    same,
    tiles_of,
)

SYMBOLIC = object()


class ScoreEncoder:
    """Scores of one table."""

    def __init__(self, context: Context, shapes: ShapeEncoder, evaluate: Evaluate) -> None:
        self._context = context
        self._shapes = shapes
        self._evaluate = evaluate

    def points(self, name: str, args: tuple[Value, ...], number: str = "") -> Value:
        """Return what a score counts for some values, or none: its total, or the number of this name."""
        plain = tuple(plain_value(a) for a in args)
        if all(p is not SYMBOLIC for p in plain):
            return self._context.oracle.best(named_number(name, number), plain)
        exact, weak = partial(self._exact_axiom, name, number, args), partial(self._weak_axioms, name, args)
        return self._context.abstraction.number(f"score {named_number(name, number)}", args, exact, weak)

    def _exact_axiom(self, name: str, number: str, args: tuple[Value, ...], points: Value) -> Truth:
        """Return what unknown points are. Raises `Unsupported` if the hands that count cannot be enumerated."""
        score = self._context.scores[name]
        if len(score.params) != 1 or score.fixed is not None or not isinstance(args[0], Bag):
            raise Unsupported(f"the score `{name}` of unknown tiles")
        hands = [h for a in score.arrangements for h in self._shapes.hands(a)]
        by_points: dict[int | None, list[Bag]] = {}
        for hand in {h.tiles(): h for h in hands}.values():
            best = self._context.oracle.best(named_number(name, number), (hand.tiles(),))
            by_points.setdefault(best, []).append(hand)
        axioms = [
            iff(same(points, best), any_of(bags_same(args[0], h) for h in hands_of))
            for best, hands_of in by_points.items()
            if best is not None
        ]
        possible = [p for p in by_points if p is not None]
        exact = all_of([*axioms, any_of([same(points, None), *(same(points, p) for p in possible)])])
        return implies(self._shapes.in_set(args[0]), exact)

    def _weak_axioms(self, name: str, args: tuple[Value, ...], points: Value) -> Iterator[Truth]:
        """Return that tiles with points make an arrangement.

        INVARIANT: a score counts arrangements of its hand, with what is fixed among them, whatever else it depends on.
        """
        score = self._context.scores[name]
        names = {p.name: a for p, a in zip(score.params, args, strict=True)}
        tiles = as_bag(self._evaluate(score.hand, None, names))
        if score.fixed is not None:
            tiles = joined(tiles, tiles_of(as_bag(self._evaluate(score.fixed, None, names))))
        for arrangement in self._context.arrangements:
            if {*self._members(arrangement)} >= {*score.arrangements}:
                yield disj(same(points, None), self._shapes.is_shape(tiles, arrangement))

    def _members(self, arrangement: str) -> Iterator[str]:
        """Return an arrangement and those that it is a union of."""
        yield arrangement
        for member in self._context.arrangements[arrangement].union:
            yield from self._members(member)


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
