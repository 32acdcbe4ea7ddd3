"""Expressions walked through: all that stands in one, and what its value depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition

# Words of every game whose value does not change while it is played.
UNCHANGING = frozenset({"players", "tiles", "kinds", "right", "left"})


def nodes(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and all within it."""
    yield expr
    for name in expr.__dataclass_fields__:
        value = getattr(expr, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, ir.Expr):
                yield from nodes(part)


def conjuncts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of an expression that all have to hold."""
    if isinstance(expr, ir.Op) and expr.op == "and":
        for arg in expr.args:
            yield from conjuncts(arg)
    else:
        yield expr


def names_in(expr: ir.Expr) -> frozenset[str]:
    """All names that stand in an expression, those that it binds itself among them."""
    return frozenset(node.name for node in nodes(expr) if isinstance(node, ir.Local))


def asks_the_table(expr: ir.Expr, definitions: Mapping[str, Definition]) -> str | None:
    """What an expression reads of a game under way, itself or by way of definitions; None where it reads nothing."""
    for node in reached(expr, definitions):
        found = node.kind if isinstance(node, ir.Implicit) else read_by(node)
        if found is not None:
            return found
    return None


def read_by(node: ir.Expr) -> str | None:
    """The state, zone or word of a game under way that an expression by itself reads, if it reads one."""
    match node:
        case (
            ir.StateRead(name=name)
            | ir.ZoneRead(name=name)
            | ir.ZoneEnd(name=name)
            | ir.ZonePlace(name=name)
            | ir.Fits(name=name)
            | ir.FitsOrder(name=name)
        ):
            return name
        case ir.Builtin(name=name) if name not in UNCHANGING:
            return name
        case _:
            return None


def asks_earlier(expr: ir.Expr) -> bool:
    """Whether it asks for what was before an event; no definition does."""
    return any(isinstance(node, ir.Earlier) for node in nodes(expr))


def chooses_together(expr: ir.Expr, definitions: Mapping[str, Definition]) -> bool:
    """Whether it goes through choices of several members of a bag together: too many to go through unasked."""
    return any(
        isinstance(node, ir.Quant | ir.Fold) and node.size is not None for node in reached(expr, definitions)
    )


def reached(expr: ir.Expr, definitions: Mapping[str, Definition]) -> Iterator[ir.Expr]:
    """An expression and all within it and within the definitions that it uses, each definition once."""
    yield from _reached(expr, definitions, set())


def _reached(expr: ir.Expr, definitions: Mapping[str, Definition], seen: set[str]) -> Iterator[ir.Expr]:
    for node in nodes(expr):
        yield node
        if isinstance(node, ir.CallDef) and node.name not in seen and node.name in definitions:
            seen.add(node.name)
            for case in definitions[node.name].cases:
                yield from _reached(case.expr, definitions, seen)


def flat(effects: Iterable[ir.Effect]) -> Iterator[ir.Effect]:
    """All effects, those inside `when` and `for each` too."""
    for effect in effects:
        yield effect
        if isinstance(effect, ir.When | ir.ForEach):
            yield from flat(effect.effects)


def written_by(effects: Iterable[ir.Effect]) -> set[str]:
    """The states and zones that effects change."""
    out: set[str] = set()
    for effect in flat(effects):
        match effect:
            case ir.SetState(name=name):
                out.add(name)
            case ir.Move(source=source, target=target):
                for place in (source, target):
                    if isinstance(place, ir.Place):
                        out.add(place.zone)
                    else:
                        out |= {n.name for n in nodes(place.meld) if isinstance(n, ir.ZoneRead)}
            case ir.PassOn(zone=zone):
                out.add(zone)
            case ir.Shuffle(zone=place) | ir.Arrange(zone=place):
                out.add(place.zone)
            case ir.Win():
                out |= {"winner", "over"}
            case _:
                pass
    return out


def asked_by(effects: Iterable[ir.Effect]) -> Iterator[ir.Expr]:
    """The expressions that stand in effects, and in those inside them."""
    for effect in flat(effects):
        yield from exprs_of(effect)


def exprs_of(effect: ir.Effect) -> Iterator[ir.Expr]:
    """The expressions that stand in an effect itself, not those within effects in it."""
    for name in effect.__dataclass_fields__:
        found = getattr(effect, name)
        if isinstance(found, ir.Expr):
            yield found
        elif isinstance(found, ir.Place) and found.seat is not None:
            yield found.seat
        elif isinstance(found, ir.MeldPlace):
            yield found.meld
