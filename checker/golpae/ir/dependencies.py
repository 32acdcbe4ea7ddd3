"""What the parts of a rule set refer to by name: definitions, shapes, arrangements, scores and the set of tiles.

In: a rule set, or an expression. Out: its parts without what says nothing of their meaning (messages, sources, the
names of cases), and what each refers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.ir.traverse import nodes

Part = tuple[str, str]  # what it is (a definition, a shape, an arrangement, a score, the set), and its name
SET: Part = ("set", "")


def parts_of(rules: RuleSet) -> Iterator[tuple[Part, Any]]:
    """What expressions refer to by name, without what says nothing of its meaning."""
    for d in rules.definitions:
        cases = [c.expr for c in d.cases]
        yield ("definition", d.name), ([(p.name, p.type, p.parts) for p in d.params], d.type, cases)
    for s in rules.shapes:
        yield ("shape", s.name), (s.names, s.test, s.union, s.size)
    for g in rules.arrangements:
        yield ("shape", g.name), (g.parts, g.union)
    for c in rules.scores:
        params = [(p.name, p.type, p.parts, p.optional, p.initial) for p in c.params]
        patterns = [(p.name, p.value, p.each, p.test, p.extra) for p in c.patterns]
        brings = [(line.pattern, line.brought) for line in c.brings]
        whole = (c.hand, c.fixed, c.arrangements, c.marking, c.keep, c.total)
        yield ("score", c.name), (params, whole, c.defines, patterns, brings)


def uses(expr: ir.Expr) -> Iterator[Part]:
    for node in nodes(expr):
        match node:
            case ir.CallDef(name=name):
                yield "definition", name
            case ir.IsShape(shape=name) | ir.LayOut(arrangement=name):
                yield "shape", name
                yield SET
            case ir.CallScore(name=name) | ir.Ways(score=name):
                yield "score", name
                yield SET
            case ir.Builtin(name="tiles" | "kinds") | ir.Group():
                yield SET
            case _:
                pass


def named_by(part: Part, said: Any) -> set[Part]:
    """The shapes that a shape, an arrangement or a score names outside of its expressions."""
    if said is None:
        return set()
    match part[0]:
        case "shape" if len(said) == 4:
            return {("shape", name) for name in said[2]}
        case "shape":
            return {("shape", p.shape) for p in said[0]} | {("shape", name) for name in said[1]}
        case "score":
            _, (_, _, arrangements, marking, *_), *_ = said
            return {("shape", name) for name in (*arrangements, *([] if marking is None else [marking[1]]))}
        case _:
            return set()


def exprs_in(said: Any) -> Iterator[ir.Expr]:
    """The expressions in lists and tuples."""
    if isinstance(said, ir.Expr):
        yield said
    elif isinstance(said, list | tuple):
        for part in said:
            yield from exprs_in(part)


def reached_by(rules: RuleSet, exprs: Iterable[ir.Expr]) -> frozenset[Part]:
    """All parts that expressions refer to, and those that these refer to."""
    parts = dict(parts_of(rules))
    found: set[Part] = set()
    waiting = {use for expr in exprs for use in uses(expr)}
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.add(part)
            waiting |= named_by(part, parts.get(part))
            waiting |= {use for expr in exprs_in(parts.get(part)) for use in uses(expr)}
    return frozenset(found)
