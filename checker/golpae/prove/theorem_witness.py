"""Values that show why a statement about a set is true or false.

Input: an expression that has been evaluated. Output: the values of its quantifiers that show the result, in words.
Guarantee: with these values the part of the expression that decides it has been evaluated, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.distinct_names import word_of
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Meld, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.evaluation.folds import choices
from golpae.prove.symbolic.multiset_count import space
from golpae.prove.symbolic.values import Value


@dataclass(frozen=True, slots=True)
class StatementResult:
    """Whether a statement is true, and the values by name that show it."""

    holds: bool
    values: tuple[tuple[str, str], ...] = ()


def witness_values(
    evaluator: Evaluator, expr: ir.Expr, truth: bool, names: Mapping[str, Value] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the values that refute an `every` or a `no`, or that show a `some`."""
    names = names or {}
    if isinstance(expr, ir.Op) and expr.op == "implies":
        premise, conclusion = expr.args
        if evaluator.truth(premise, None, names) is True:
            yield from witness_values(evaluator, conclusion, truth, names)
    elif isinstance(expr, ir.Op) and expr.op == "and" and not truth:
        for arg in expr.args:
            if evaluator.truth(arg, None, names) is False:
                yield from witness_values(evaluator, arg, False, names)
                return
    elif isinstance(expr, ir.Quant) and expr.size is None and truth is (expr.kind == "some"):
        shows = expr.kind != "every"
        bag = evaluator.bag(expr.domain, None, names)
        for inner, _ in choices(expr.names, bag, names):
            if evaluator.truth(expr.body, None, inner) is shows:
                for name in expr.names:
                    yield word_of(name), in_words(evaluator.instance, inner[name], item_of(expr.domain.type))
                yield from witness_values(evaluator, expr.body, shows, inner)
                return


def choice_counts(evaluator: Evaluator) -> Iterator[tuple[str, str]]:
    """Yield the numbers of choices that were counted in the evaluation."""
    for expr, number in evaluator.counter.counted.items():
        size = evaluator.number(expr.size, None, {}) if expr.size is not None else 0
        copies = {k: n for k, n in evaluator.bag(expr.domain, None, {}).items() if isinstance(n, int)}
        yield f"number of {word_of(expr.names[0])}", f"{number} of {space(copies, size).ways}"


def item_of(kind: Type) -> Type:
    """Return the type of the members of a domain."""
    return kind.item if isinstance(kind, BagType) else Tile()


def in_words(instance: Instance, value: Any, kind: Type) -> str:
    """Return one value of a quantifier in words: a tile by its name."""
    return str(instance.kinds[value].name) if isinstance(kind, Tile) else str(value)


def parameter_in_words(instance: Instance, value: Any, kind: Type) -> str:
    """Return the value of a parameter in words."""
    kinds = instance.kinds
    match kind:
        case Tile():
            return str(kinds[value].name)
        case BagType(Tile()):
            return " ".join(kinds[t].name for t in value)
        case BagType(Meld()):
            return ", ".join(
                f"{g.label or ''} {' '.join(kinds[t].name for t in g.tiles)}".strip() for g in value
            )
        case Bool():
            return "yes" if value else "no"
        case BagType(item) | Each(item) | Opt(item):
            return str(value) if value is None else parameter_in_words(instance, value, item)
        case Int() | Seat() | Choice() | Meld() | NoneType() | Points() | Patterns():
            return str(value)
        case _:
            assert_never(kind)
