"""Which hard constructs a rule set uses: those that one declaration or expression alone does not show.

Input: a rule set in which no name hides another one. Output: the names of the constructs in it; `HARD`, all of them.
Guarantee: each is what golpae has once read wrongly, in some text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.distinct_names import MARK, word_of
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import bound_by, conjuncts, exprs_in, exprs_of, flat, free, nodes
from golpae.ir.types import BOOL, INT, SEAT, TILE, Bag, Opt

HARD = (
    "name that hides a name", "name that hides a state", "name that hides a zone", "name that hides a definition",
    "name that hides a word", "move whose place asks what lies there", "loop that takes twice",
    "loop over seats that takes twice", "loop over groups that takes twice", "rounds that change what rounds ask",
    "loop whose last seat decides", "key of four tiles", "end key of two tiles", "groups laid out twice",
    "guarded condition about a list", "guarded condition about a number", "condition that guards the next",
    "never within", "always after about the order of seats", "always about the order of seats",
    "never about the order of seats", "score that asks the marked group", "score with several fixed groups",
    "division by a negative number",
)  # fmt: skip
FEW = 4  # a list of so many tiles has many orders


def hard_constructs(rules: RuleSet) -> Iterator[str]:
    """Yield the hard constructs of a rule set."""
    yield from _of_names(rules)
    for action in rules.actions:
        yield from _of_keys(action)
        for clause in action.effects:
            yield from _of_effects(clause.effects, rules)
    yield from _of_properties(rules)
    for score in rules.scores:
        word = None if score.marking is None else score.marking[1]
        tests = (node for p in score.patterns for node in nodes(p.test))
        yield from ["score that asks the marked group"] * any(
            isinstance(n, ir.Local) and n.name == word for n in tests
        )
        parts = [a.parts for a in rules.arrangements if a.name in score.arrangements]
        several = any(sum(part.count for part in some) > 1 for some in parts)
        yield from ["score with several fixed groups"] * (score.fixed is not None and several)


def _exprs(rules: RuleSet) -> Iterator[ir.Expr]:
    for action in rules.actions:
        yield from (c.expr for c in action.conditions)
        yield from exprs_in([e for clause in action.effects for e in flat(clause.effects)])
    yield from (case.expr for d in rules.definitions for case in d.cases)
    yield from (prop.expr for prop in rules.properties)
    yield from (shape.test for shape in rules.shapes if shape.test is not None)
    yield from (p.test for score in rules.scores for p in score.patterns)


def _of_names(rules: RuleSet) -> Iterator[str]:
    names = {name for expr in _exprs(rules) for node in nodes(expr) for name in bound_by(node)}
    effects = [e for a in rules.actions for clause in a.effects for e in flat(clause.effects)]
    names |= {name for effect in effects for name in bound_by(effect)}
    kinds: dict[str, set[str]] = {
        "state": {v.name for v in rules.vars},
        "zone": {z.name for z in rules.zones},
        "definition": {d.name for d in rules.definitions},
        "word": {str(word) for word in ir.WORDS},
    }
    yield from ["name that hides a name"] * any(MARK in name for name in names)
    for kind, found in kinds.items():
        yield from [f"name that hides a {kind}"] * any(word_of(name) in found for name in names)
    for node in (node for expr in _exprs(rules) for node in nodes(expr)):
        if isinstance(node, ir.Op) and node.op in ("div", "mod"):
            right = node.args[1]
            negative = isinstance(right, ir.Op) and right.op == "neg"
            yield from ["division by a negative number"] * (
                negative or (isinstance(right, ir.Const) and isinstance(right.value, int) and right.value < 0)
            )


# ---------------------------------------------------------------------- effects


def _of_effects(effects: Iterable[ir.Effect], rules: RuleSet) -> Iterator[str]:
    dependencies = Dependencies(rules)
    for effect in flat(effects):
        match effect:
            case ir.Move(source=ir.Place() as source, target=ir.Place() as target):
                moving = {source.zone, target.zone}
                seats = [place.seat for place in (source, target) if place.seat is not None]
                asks = bool(dependencies.reads(seats) & moving)
                yield from ["move whose place asks what lies there"] * asks
            case ir.ForEach():
                yield from _of_loop(effect, dependencies)
            case _:
                pass


def _of_loop(loop: ir.ForEach, dependencies: Dependencies) -> Iterator[str]:
    inner = list(flat(loop.effects))
    taken = Counter(e.source.zone for e in inner if isinstance(e, ir.Move) and isinstance(e.source, ir.Place))
    if any(times > 1 for times in taken.values()):
        over = {SEAT: "loop over seats", Bag(TILE): "loop over groups"}
        yield f"{over.get(getattr(loop.domain.type, 'item', TILE), 'loop')} that takes twice"
    if getattr(loop.domain.type, "item", None) != SEAT:
        return
    written = {e.name for e in inner if isinstance(e, ir.SetState)}
    written |= {
        p.zone
        for e in inner
        if isinstance(e, ir.Move)
        for p in (e.source, e.target)
        if isinstance(p, ir.Place)
    }
    asked: frozenset[str] = frozenset()
    for test in (e for e in inner if isinstance(e, ir.When)):
        asked |= dependencies.reads(exprs_of(test))
    yield from ["rounds that change what rounds ask"] * bool(asked & written)
    decides = (
        e for e in inner if isinstance(e, ir.SetState) and e.seat is None and loop.name in free(e.value)
    )
    yield from ["loop whose last seat decides"] * any(True for _ in decides)


# ---------------------------------------------------------------------- keys and conditions


def _of_keys(action: Action) -> Iterator[str]:
    lists = [param.parts for param in action.params if param.parts]
    yield from ["key of four tiles"] * any(len(parts) >= FEW for parts in lists)
    yield from ["end key of two tiles"] * (action.kind == "end" and any(len(parts) > 1 for parts in lists))
    parts = [part for c in action.conditions for part in conjuncts(c.expr)]
    laid = Counter(p.groups for p in parts if isinstance(p, ir.LayOut) and isinstance(p.groups, ir.Local))
    yield from ["groups laid out twice"] * any(times > 1 for times in laid.values())
    listed = {name for names in lists for name in names}
    numbers = {p.name for p in action.params if p.type == INT}
    for condition in action.conditions:
        guards = [
            node
            for node in nodes(condition.expr)
            if (isinstance(node, ir.If) and _asks_for_none(node.test))
            or (isinstance(node, ir.Op) and node.op == "or" and _asks_for_none(node.args[0]))
        ]
        names = frozenset[str]().union(*(free(node) for node in guards))
        yield from ["guarded condition about a list"] * bool(names & listed)
        yield from ["guarded condition about a number"] * bool(names & numbers)
    for place, condition in enumerate(action.conditions[:-1]):
        asked = [p for p in conjuncts(condition.expr) if _asks_for_none(p)]
        states = {(n.name, n.seat) for p in asked for n in nodes(p) if isinstance(n, ir.StateRead)}
        later = [
            n for c in action.conditions[place + 1 :] for n in nodes(c.expr) if isinstance(n, ir.StateRead)
        ]
        relies = any((n.name, n.seat) in states and not isinstance(n.type, Opt) for n in later)
        waits = bool(free(condition.expr) & (numbers | listed))
        yield from ["condition that guards the next"] * (waits and relies)


def _asks_for_none(expr: ir.Expr) -> bool:
    return any(isinstance(node, ir.Op) and node.op == "is_none" for node in nodes(expr))


# ---------------------------------------------------------------------- properties


def _of_properties(rules: RuleSet) -> Iterator[str]:
    for prop in rules.properties:
        yield from ["never within"] * (prop.kind == "never" and prop.within is not None)
        sides = any(isinstance(n, ir.Builtin) and n.name in ("right", "left") for n in nodes(prop.expr))
        if sides and prop.expr.type == BOOL and prop.kind in ("always", "never"):
            after = " after" if prop.kind == "always" and prop.after is not None else ""
            yield f"{prop.kind}{after} about the order of seats"
