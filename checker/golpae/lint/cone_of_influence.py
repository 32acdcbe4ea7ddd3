"""The clauses of a rule set that no stated property depends on.

Input: a rule set.
Output: the paths of conditions, effects, payouts and patterns outside the cone of influence of the stated
properties, each with the reason; none if the text states no property.
Guarantee: without such a clause every stated property has the same verdict. The converse does not hold.

A property depends on what it reads, on whatever makes that, and so on: on the definitions, shapes and scores in it;
on every effect that changes a state or zone that is read, with all that the effect reads; and on all conditions of an
action with one of these effects, since they say when it can happen.

    seen: number = 0                            that no event loses a tile (true of any game) is no stated
    action look by p: then seen := seen + 1     property, so `look` is noted if nothing else reads `seen`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from golpae.elaborate.blocks import BRINGS
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, closure, pays, read_by, refers_to, written_by
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import Action, EffectClause, PropertyDecl, RuleSet, ScoreDecl, form_of, paths_of
from golpae.ir.traverse import exprs_of, names_in, nodes, with_context
from golpae.verify.properties import OF_ANY_GAME, properties_of

# `state` (a state, a zone or a word of every game), `action`, `definition`, `shape` or `score` with its name; or
# `part` with the name of a score and of something in it
Node = tuple[str, ...]
HAPPENS = "no property depends on when it happens or on what it does"
PAID = "no property depends on what is paid"
COUNTED = "no property depends on this pattern"


def clauses_outside_cone(rule_set: RuleSet) -> dict[str, str]:
    """Return the paths of what no stated property depends on, and why each is noted."""
    general = {p.name for p in OF_ANY_GAME}
    stated = [p for p in properties_of(rule_set) if p.name not in general]
    if not stated and not rule_set.shares:
        return {}
    graph = _Graph(rule_set)
    roots = [node for prop in stated for node in graph.roots(prop)]
    roots += graph.reads(*(share.event for share in rule_set.shares))
    cone = set(closure(roots, graph.successors))
    return dict(_outside(rule_set, cone))


def dependencies_of(rule_set: RuleSet) -> dict[tuple[str, ...], object]:
    """Return the parts that each clause reads and writes, by the path of the clause. If these are equal in two rule
    sets, the same clauses are outside of both cones.
    """
    graph = _Graph(rule_set)
    out: dict[tuple[str, ...], object] = {("score", s.name): s for s in rule_set.scores}
    for definition in rule_set.definitions:
        for number, case in enumerate(definition.cases):
            out["define", definition.name, str(number), case.name] = frozenset(graph.reads(case.expr))
    for action in rule_set.actions:
        out["sizes", action.name] = action.dealing
        for number, condition in enumerate(action.conditions):
            out["condition", action.name, str(number), condition.name] = frozenset(
                graph.reads(condition.expr)
            )
    for block, clauses in (*((a.name, a.effects) for a in rule_set.actions), ("payout", rule_set.payout)):
        for number, clause in enumerate(clauses):
            changes = frozenset(
                (name, frozenset(graph.reads(*exprs)))
                for effect, _ in with_context(clause.effects)
                for name in _written(effect)
                for exprs in _changing(name, clause)
            )
            out["effect", block, str(number), clause.name] = changes
    for prop in rule_set.properties:
        out["property", prop.name] = frozenset(graph.roots(prop))
    for share in rule_set.shares:
        out["share", share.name] = frozenset(graph.reads(share.event))
    for var in rule_set.vars:
        out["state", var.name] = frozenset(graph.reads(var.initial))
    return out


def dependents(rule_set: RuleSet) -> dict[str, tuple[str, ...]]:
    """Return the stated properties that depend on each clause, by its path: `put`, `put.turn`, `put.then 2`, `fits`,
    `payout.won`, `worth.pairs`. What no property depends on is not there.
    """
    graph = _Graph(rule_set)
    roots = {prop.name: [*graph.roots(prop)] for prop in rule_set.properties}
    roots |= {share.name: [*graph.reads(share.event)] for share in rule_set.shares}
    out: dict[str, list[str]] = {}
    for name, own in roots.items():
        for path in _inside(rule_set, set(closure(own, graph.successors))):
            out.setdefault(path, []).append(name)
    return {path: tuple(names) for path, names in out.items()}


def _inside(rule_set: RuleSet, cone: set[Node]) -> Iterator[str]:
    """Yield the paths of what a cone of influence has."""
    for action in rule_set.actions:
        if ("action", action.name) in cone:
            yield action.name
            yield from paths_of(action.name, [condition.name for condition in action.conditions])
        yield from _changing_in(cone, action.name, action.effects)
    yield from _changing_in(cone, "payout", rule_set.payout)
    yield from (d.name for d in rule_set.definitions if ("definition", d.name) in cone)
    for score in rule_set.scores:
        for pattern in score.patterns:
            if ("part", score.name, pattern.name) in cone:
                yield f"{score.name}.{pattern.name}"


def _changing_in(cone: set[Node], block: str, clauses: Sequence[EffectClause]) -> Iterator[str]:
    """Yield the paths of effects that change something in a cone."""
    for path, clause in zip(paths_of(block, [c.name for c in clauses]), clauses, strict=True):
        effects = with_context(clause.effects)
        if any(("state", name) in cone for effect, _ in effects for name in _written(effect)):
            yield path


def _outside(rule_set: RuleSet, cone: set[Node]) -> Iterator[tuple[str, str]]:
    for action in rule_set.actions:
        if ("action", action.name) not in cone:
            if action.of_text or action.effects:
                yield action.name, HAPPENS
            continue
        idle: dict[str, list[str]] = {}  # effects without a name of their own count as one
        for effect in action.effects:
            idle[effect.name] = list(dict.fromkeys([*idle.get(effect.name, ()), *_idle(effect, cone)]))
        for name, changed in idle.items():
            if changed:
                words = ", ".join(f"`{word}`" for word in changed)
                yield f"{action.name}.{name}", f"no property depends on what it does to {words}"
    if ("state", "total") not in cone:
        yield from ((f"payout.{clause.name}", PAID) for clause in rule_set.payout)
    for score in rule_set.scores:
        for pattern in score.patterns:
            if ("part", score.name, pattern.name) not in cone:
                yield f"{score.name}.{pattern.name}", COUNTED


def _idle(clause: EffectClause, cone: set[Node]) -> Iterator[str]:
    """Yield the names that a clause writes in effects that change nothing in the cone."""
    for effect, _ in with_context(clause.effects):
        written = _written(effect)
        if not any(("state", name) in cone for name in written):
            yield from sorted(written)


def _written(effect: ir.Effect) -> set[str]:
    """Return the states and zones that an effect changes; points count as `total`."""
    return written_by([effect]) | ({"total"} if pays(effect) else set())


class _Graph:
    """What depends on what in a rule set."""

    def __init__(self, rule_set: RuleSet) -> None:
        self._rules = rule_set
        self._contents = Dependencies(rule_set).contents
        self._scores = {s.name: s for s in rule_set.scores}
        self._vars = {v.name: v for v in rule_set.vars}
        hand = {v.name for v in rule_set.vars if v.scope == "hand"}
        self._of_hand = hand | {z.name for z in rule_set.zones}

    def roots(self, prop: PropertyDecl) -> Iterator[Node]:
        """Yield the nodes that a property itself depends on."""
        score = self._scores.get(prop.name.removesuffix(BRINGS)) if prop.name.endswith(BRINGS) else None
        if score is not None:
            yield "score", score.name
            yield from _parts(score.name, {p.name for p in score.patterns} | {"kept"})
        yield from self.reads(prop.expr)
        if prop.after is not None:
            yield "action", prop.after
        elif form_of(prop.kind).number:  # the ranking function goes down at every event
            yield from (("action", a.name) for a in self._rules.actions if a.kind == "play")

    def successors(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that a node itself depends on."""
        match node:
            case ("state", name):
                yield from self._changes_of(name)
            case ("action", name):
                yield from self._action(next(a for a in self._rules.actions if a.name == name))
            case ("definition" | "shape" as kind, name):
                if (kind, name) in self._contents:
                    content = self._contents[kind, name]
                    yield from content.names
                    yield from self.reads(*content.exprs)
            case ("score", name):
                yield from self._score(self._scores[name])
            case ("part", score, name):
                yield from self._part(self._scores[score], name)

    def reads(self, *exprs: ir.Expr | None) -> Iterator[Node]:
        """Yield the nodes that expressions depend on."""
        for node in (n for expr in exprs if expr is not None for n in nodes(expr)):
            read = read_by(node)
            if read is not None:
                yield "state", read.name
            yield from (part for part in refers_to(node) if part[0] in ("definition", "shape", "score"))
            if isinstance(node, ir.CallScore):
                yield from _parts(node.name, ("points", "kept"))
            elif isinstance(node, ir.Ways):
                yield from _parts(node.score, names_in(node.body))

    # ------------------------------------------------------------------ scores

    def _score(self, score: ScoreDecl) -> Iterator[Node]:
        """Yield the nodes that decide which hands a score takes, and into which groups."""
        yield from (("shape", arrangement) for arrangement in score.arrangements)
        yield from self.reads(score.hand, score.fixed, score.marking[0] if score.marking else None)
        yield from self._within(score, *(condition.expr for condition in score.provided))

    def _within(self, score: ScoreDecl, *exprs: ir.Expr) -> Iterator[Node]:
        """Yield the nodes that expressions in a score depend on, which may use its other parts."""
        yield from self.reads(*exprs)
        for expr in exprs:
            yield from _parts(score.name, names_in(expr))

    def _part(self, score: ScoreDecl, name: str) -> Iterator[Node]:
        """Yield the nodes that a name in a score depends on: a pattern, a definition of its own, what counts."""
        yield from self._within(score, *(expr for define, expr in score.defines if define == name))
        for pattern in score.patterns:
            if pattern.name == name:
                each = () if pattern.each is None else (pattern.each[1],)
                yield from self._within(score, pattern.test, pattern.value, *each)
        if name in score.numbers:
            counted = [p.name for p in score.patterns if p.number == name or p.alone]
            yield from _parts(score.name, counted)
        elif name == "kept" and score.keep is not None:
            yield from self._within(score, score.keep)
        elif name == "points" and score.formula is not None:
            yield from self._within(score, score.formula)
        elif name in ("points", "kept"):
            yield from _parts(score.name, (p.name for p in score.patterns))
        elif name == "eligible":
            yield from _parts(score.name, (p.name for p in score.patterns if not p.extra))

    # ------------------------------------------------------------------ actions

    def _changes_of(self, name: str) -> Iterator[Node]:
        """Yield the nodes that decide how a zone, a state, or a word of every game changes: actions, and what their
        effects read.
        """
        if name in self._vars:
            yield from self.reads(self._vars[name].initial)
        for action in self._rules.actions:
            ends = action.kind == "end" and name in LIFECYCLES["end"].words
            if ends or (name in self._of_hand and LIFECYCLES[action.kind].new_hand):
                yield "action", action.name
            for clause in action.effects:
                for exprs in _changing(name, clause):
                    yield "action", action.name
                    yield from self.reads(*exprs)
        if name == "total":
            for clause in self._rules.payout:
                for exprs in _changing(name, clause):
                    yield from self.reads(*exprs)

    def _action(self, action: Action) -> Iterator[Node]:
        """Yield the nodes that decide when an action can happen."""
        yield from self.reads(*(c.expr for c in action.conditions))
        if action.dealing is not None:
            yield from self.reads(*action.dealing.sizes)
        if action.kind in ("play", "deal", "end"):
            yield "state", "over"


def _changing(name: str, clause: EffectClause) -> Iterator[list[ir.Expr]]:
    """Yield for each effect that changes `name` the list of expressions that it reads, including the tests
    around it.
    """
    for effect, context in with_context(clause.effects):
        if name in _written(effect):
            yield [*context, *exprs_of(effect)]


def _parts(score: str, names: Iterable[str]) -> Iterator[Node]:
    return (("part", score, name) for name in names)
