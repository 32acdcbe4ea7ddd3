"""Which clauses of a rule set no stated property depends on.

In: a rule set. Out: the paths of conditions, effects, payouts and patterns that could be dropped without any stated
property coming out otherwise, each with why; nothing where the text states no property at all.

A property depends on what it reads, on whatever that is made by, and so on: on the definitions, shapes and scores in
it; on every effect that changes a state or zone that is read, with all that the effect reads; and on all conditions
of an action that has such an effect, for they say when it can happen. What is never come to this way is noted. That
is certain, but not all there is: a property may well come out the same without a clause that it depends on.

    seen: number = 0                            that no event loses a tile (asked of any game) is no stated
    action look by p: then seen := seen + 1     property, so `look` is noted where nothing else reads `seen`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir import expr as ir
from golpae.ir.dependencies import pays, read_by, written_by
from golpae.ir.ruleset import Action, EffectClause, PropertyDecl, RuleSet, ScoreDecl
from golpae.ir.traverse import exprs_of, names_in, nodes, with_context
from golpae.verify.properties import BRINGS, OF_ANY_GAME, properties_of

Thing = tuple[str, ...]  # its kind, its name; for a part of a score the score's name and its own
HAPPENS = "no property depends on when it can happen, or on what it does"
PAID = "no property depends on what is paid"
COUNTED = "no property depends on this pattern"


def clauses_outside_cone(rule_set: RuleSet) -> dict[str, str]:
    """The paths of what no stated property depends on, and why each is noted."""
    general = {p.name for p in OF_ANY_GAME}
    stated = [p for p in properties_of(rule_set) if p.name not in general]
    if not stated:
        return {}
    cone = _Cone(rule_set)
    for prop in stated:
        cone.ask(prop)
    cone.close()
    return dict(_notes(rule_set, cone))


def _notes(rule_set: RuleSet, cone: _Cone) -> Iterator[tuple[str, str]]:
    for action in rule_set.actions:
        clauses = [c for c in action.conditions if not isinstance(c.expr, ir.Implicit)]
        if ("action", action.name) not in cone.seen:
            if clauses or action.effects:
                yield action.name, HAPPENS
            continue
        idle: dict[str, list[str]] = {}  # effects without a name of their own are one
        for effect in action.effects:
            idle[effect.name] = list(dict.fromkeys([*idle.get(effect.name, ()), *_idle(effect, cone)]))
        for name, them in idle.items():
            if them:
                yield f"{action.name}.{name}", f"no property depends on what it does to {_told(them)}"
    if not cone.knows("total"):
        yield from ((f"payout.{clause.name}", PAID) for clause in rule_set.payout)
    for score in rule_set.scores:
        for pattern in score.patterns:
            if ("part", score.name, pattern.name) not in cone.seen:
                yield f"{score.name}.{pattern.name}", COUNTED


def _idle(clause: EffectClause, cone: _Cone) -> Iterator[str]:
    """The states and zones that effects of a clause change, where no property comes to anything that they change."""
    for effect, _ in with_context(clause.effects):
        if not isinstance(effect, ir.When | ir.ForEach):
            written = _written(effect)
            if not any(map(cone.knows, written)):
                yield from sorted(written)


def _written(effect: ir.Effect) -> set[str]:
    """The states and zones that an effect changes; points as `total`."""
    return written_by([effect]) | ({"total"} if pays(effect) else set())


def _told(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


class _Cone:
    """All that the properties asked of it depend on, once it is closed."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.rules = rule_set
        self.seen: set[Thing] = set()
        self._todo: list[Thing] = []
        self._definitions = {d.name: d for d in rule_set.definitions}
        self._shapes = {s.name: s for s in rule_set.shapes}
        self._arrangements = {a.name: a for a in rule_set.arrangements}
        self._scores = {s.name: s for s in rule_set.scores}
        self._zones = {z.name for z in rule_set.zones}
        self._dealt = self._zones | {v.name for v in rule_set.vars if v.scope == "hand"}
        self._vars = {v.name: v for v in rule_set.vars}

    def knows(self, name: str) -> bool:
        """Whether what lies in a zone, or what a state or word is, matters to a property."""
        return ("table", name) in self.seen

    def ask(self, prop: PropertyDecl) -> None:
        """Start from a property."""
        if prop.name.endswith(BRINGS) and prop.name.removesuffix(BRINGS) in self._scores:
            score = self._scores[prop.name.removesuffix(BRINGS)]
            self._add(("score", score.name))
            self._parts(score, {p.name for p in score.patterns} | {"kept"})
        self._read(prop.expr)
        if prop.after is not None:
            self._add(("action", prop.after))
        elif prop.kind == "ends":  # what is left to do goes down at every event
            for action in self.rules.actions:
                if action.kind == "play":
                    self._add(("action", action.name))

    def close(self) -> None:
        """Add all that what was found depends on."""
        while self._todo:
            match self._todo.pop():
                case ("table", name):
                    self._changed(name)
                case ("action", name):
                    self._happens(next(a for a in self.rules.actions if a.name == name))
                case ("definition", name):
                    for case in self._definitions[name].cases:
                        self._read(case.expr)
                case ("shape", name):
                    self._shape(name)
                case ("score", name):
                    self._score(self._scores[name])
                case ("part", score, name):
                    self._part(self._scores[score], name)

    def _add(self, thing: Thing) -> None:
        if thing not in self.seen:
            self.seen.add(thing)
            self._todo.append(thing)

    # ------------------------------------------------------------------ what is read

    def _read(self, *exprs: ir.Expr | None) -> None:
        for expr in exprs:
            for node in () if expr is None else nodes(expr):
                read = read_by(node)
                if read is not None:
                    self._add(("table", read.name))
                match node:
                    case ir.CallDef(name=name):
                        self._add(("definition", name))
                    case ir.IsShape(shape=name) | ir.LayOut(arrangement=name):
                        self._add(("shape", name))
                    case ir.CallScore(name=name):
                        self._add(("score", name))
                        self._parts(self._scores[name], {"points", "kept"})
                    case ir.Ways(score=name, body=body):
                        self._add(("score", name))
                        self._parts(self._scores[name], names_in(body))
                    case _:
                        pass

    def _shape(self, name: str) -> None:
        """A shape or an arrangement."""
        if name in self._shapes:
            self._read(self._shapes[name].test)
            for other in self._shapes[name].union:
                self._add(("shape", other))
        if name in self._arrangements:
            found = self._arrangements[name]
            for other in (*found.union, *(p.shape for p in found.parts)):
                self._add(("shape", other))

    def _score(self, score: ScoreDecl) -> None:
        """Which hands a score takes, and into which groups."""
        for arrangement in score.arrangements:
            self._add(("shape", arrangement))
        self._read(score.hand, score.fixed, score.marking[0] if score.marking else None)
        for condition in score.provided:
            self._names(score, condition.expr)

    def _parts(self, score: ScoreDecl, names: Iterable[str]) -> None:
        for name in names:
            self._add(("part", score.name, name))

    def _names(self, score: ScoreDecl, *exprs: ir.Expr) -> None:
        """Expressions inside a score, which may speak of its other parts."""
        self._read(*exprs)
        for expr in exprs:
            self._parts(score, names_in(expr))

    def _part(self, score: ScoreDecl, name: str) -> None:
        """A name that stands inside a score: a pattern, a definition of its own, what counts."""
        for define, expr in score.defines:
            if define == name:
                self._names(score, expr)
        for pattern in score.patterns:
            if pattern.name == name:
                each = () if pattern.each is None else (pattern.each[1],)
                self._names(score, pattern.test, pattern.value, *each)
        match name:
            case "points":
                self._parts(score, (p.name for p in score.patterns))
            case "eligible":
                self._parts(score, (p.name for p in score.patterns if not p.extra))
            case "kept" if score.keep is not None:
                self._names(score, score.keep)
            case "kept":
                self._parts(score, (p.name for p in score.patterns))

    # ------------------------------------------------------------------ what is done

    def _changed(self, name: str) -> None:
        """A zone, a state, or a word of every game: all that may change it."""
        if name in self._vars:
            self._read(self._vars[name].initial)
        for action in self.rules.actions:
            if name in self._dealt and action.kind == "deal":
                self._add(("action", action.name))
            if name in ("hands-played", "total", "winner", "over") and action.kind == "end":
                self._add(("action", action.name))
            for clause in action.effects:
                if self._does(name, clause):
                    self._add(("action", action.name))
        if name == "total":
            for clause in self.rules.payout:
                self._does(name, clause)

    def _does(self, name: str, clause: EffectClause) -> bool:
        """Whether a clause changes something; then all that it reads for it matters."""
        found = False
        for effect, tests in with_context(clause.effects):
            if isinstance(effect, ir.When | ir.ForEach):
                continue
            if name in _written(effect):
                found = True
                self._read(*tests, *exprs_of(effect))
        return found

    def _happens(self, action: Action) -> None:
        """When an action can happen."""
        self._read(*(c.expr for c in action.conditions))
        if action.dealing is not None:
            self._read(action.dealing.first, action.dealing.others)
        if action.kind in ("play", "deal", "end"):
            self._add(("table", "over"))
