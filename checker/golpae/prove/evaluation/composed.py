"""Answers that an evaluator puts together of several others: a number of a score, whether a tile fits a place.

Input: an evaluator, and what is asked. Output: a value; `Unsupported` if a score may be one of several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.types import Int, Opt, Type
from golpae.prove.evaluation.context import Names
from golpae.prove.evaluation.memo_keys import ByIdentity
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, Value, any_of, cases, conj, holds, ite
from golpae.prove.symbolic.zones import PLACES, Zone, fits_place

if TYPE_CHECKING:
    from golpae.prove.evaluation.evaluator import Evaluator


def points_of(
    evaluator: Evaluator, score: ir.CallScore, state: SymbolicState | None, names: Names, number: str = ""
) -> Value:
    """Return the points of a score: its total, or the number of this name."""
    given = tuple(evaluator.value(a, state, names) for a in score.args)
    return evaluator.encoded_scores.points(score.name, given, state, number)


def number_of(
    evaluator: Evaluator, score: ir.Expr, number: str, state: SymbolicState | None, names: Names
) -> Value:
    """Return a number of a score. Its points do not say which hand it is, so whoever counts it is looked for."""
    if isinstance(score, ir.CallScore):
        return points_of(evaluator, score, state, names, number)
    if isinstance(score, ir.CallDef) and evaluator.definitions[score.name].single:
        definition = evaluator.definitions[score.name]
        values = tuple(evaluator.value(a, state, names) for a in score.args)
        inner = {p.name: value for p, value in zip(definition.params, values, strict=True)}
        return number_of(evaluator, definition.cases[0].expr, number, state, inner)
    if isinstance(score, ir.If):
        holds = evaluator.truth(score.test, state, names)
        if holds is True or holds is False:
            return number_of(evaluator, score.yes if holds else score.no, number, state, names)
        options = (
            number_of(evaluator, score.yes, number, state, names),
            number_of(evaluator, score.no, number, state, names),
        )
        return ite(holds, *options)
    if isinstance(score, ir.Const) and score.value is None:
        return None
    raise Unsupported(f"`{number}` of a score that is one of several")


def may_fit(evaluator: Evaluator, zone: Zone, tile: Value, number: Value) -> Truth:
    """Return whether a tile can lie at a place of a row, the front is 1."""

    def beyond() -> Truth:  # a row is one object as long as nothing changes its order
        truth: Truth = evaluator.abstraction.truth("fits", (tile, number, ByIdentity(zone.row)))
        return conj(truth, holds(zone.bag, tile))

    if sum(evaluator.copies.values()) <= PLACES:
        return any_of(conj(g, fits_place(zone, tile, n, lambda: False)) for g, n in cases(number))
    return any_of(conj(g, fits_place(zone, tile, n, beyond)) for g, n in cases(number))


def unknown_key(evaluator: Evaluator, label: str, kind: Type) -> Value:
    """Return an unknown value of a key; its tiles are in play. Raises `Unsupported`."""
    match kind:
        case Int() | Opt(Int()):
            return evaluator.unknown(label, kind)
        case _:
            return evaluator.symbols.of(label, evaluator.values(kind), kind)
