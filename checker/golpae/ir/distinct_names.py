"""Give every name that hides another one a name of its own.

Input: a rule set as its text is written.
Output: the same rule set, in which no name of a quantifier, a sum or a loop hides a name that is in scope there.
Guarantee: a new name begins with the word of the text, which `word_of` returns; no text can have the name itself. A
rule set in which no name hides another one is returned as it is.

    action go by p                                        action go by p
      then for each p in players: p's x := 1       ->       then for each p~2 in players: p~2's x := 1
      then p wins                                           then p wins
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import (
    Action,
    CaseDecl,
    Condition,
    Definition,
    EffectClause,
    ParamDecl,
    PatternDecl,
    PropertyDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
)
from golpae.ir.scoring import WILD
from golpae.ir.traverse import bound_by, nodes

MARK = "~"  # no word of a text has it

New = Mapping[str, str]
Names = frozenset[str]
NONE: New = {}


def word_of(name: str) -> str:
    """Return the word of the text that a name stands for."""
    return name.partition(MARK)[0]


def with_distinct_names(rules: RuleSet) -> RuleSet:
    """Return a rule set in which no name hides another one."""
    return _Distinct(rules).rule_set()


class _Distinct:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._scores = {score.name: self._names_of_score(score) for score in rules.scores}

    def rule_set(self) -> RuleSet:
        rules = self.rules
        names = {action.name: _names_of_action(action) for action in rules.actions}
        return replace(
            rules,
            vars=tuple(
                replace(v, initial=None if v.initial is None else self._alone(v.initial)) for v in rules.vars
            ),
            definitions=tuple(map(self._definition, rules.definitions)),
            shapes=tuple(map(self._shape, rules.shapes)),
            scores=tuple(map(self._score, rules.scores)),
            actions=tuple(self._action(action, names[action.name]) for action in rules.actions),
            payout=self._clauses(rules.payout, frozenset()),
            properties=tuple(self._property(p, names) for p in rules.properties),
            shares=tuple(
                replace(s, premise=self._alone(s.premise), event=self._alone(s.event)) for s in rules.shares
            ),
        )

    # ------------------------------------------------------------------ parts of a rule set

    def _definition(self, definition: Definition) -> Definition:
        names = frozenset(_names_of_params(definition.params))
        cases = (CaseDecl(c.name, self._alone(c.expr, names), c.ids) for c in definition.cases)
        return replace(definition, cases=tuple(cases))

    def _shape(self, shape: ShapeDecl) -> ShapeDecl:
        if shape.test is None:
            return shape
        wild = None if shape.wild is None else self._alone(shape.wild, frozenset(("it", WILD)))
        return replace(shape, test=self._alone(shape.test, frozenset(shape.names or ("it",))), wild=wild)

    def _action(self, action: Action, names: Names) -> Action:
        return replace(
            action,
            conditions=tuple(self._condition(c, names) for c in action.conditions),
            effects=self._clauses(action.effects, names),
        )

    def _clauses(self, clauses: Iterable[EffectClause], names: Names) -> tuple[EffectClause, ...]:
        return tuple(replace(c, effects=self._effects(c.effects, NONE, names)) for c in clauses)

    def _condition(self, condition: Condition, names: Names) -> Condition:
        message = (m if isinstance(m, str) else self._alone(m, names) for m in condition.message)
        return replace(condition, expr=self._alone(condition.expr, names), message=tuple(message))

    def _property(self, prop: PropertyDecl, of_actions: Mapping[str, Names]) -> PropertyDecl:
        names = frozenset() if prop.after is None else of_actions[prop.after]
        ways = [node.score for node in nodes(prop.expr) if isinstance(node, ir.Ways)]
        return replace(prop, expr=self._alone(prop.expr, names.union(*(self._scores[s] for s in ways))))

    def _score(self, score: ScoreDecl) -> ScoreDecl:
        names = self._scores[score.name]
        return replace(
            score,
            hand=self._alone(score.hand, names),
            fixed=None if score.fixed is None else self._alone(score.fixed, names),
            marking=None
            if score.marking is None
            else (self._alone(score.marking[0], names), score.marking[1]),
            keep=None if score.keep is None else self._alone(score.keep, names),
            formula=None if score.formula is None else self._alone(score.formula, names),
            defines=tuple((name, self._alone(expr, names)) for name, expr in score.defines),
            patterns=tuple(self._pattern(p, names) for p in score.patterns),
            provided=tuple(self._condition(c, names) for c in score.provided),
        )

    def _pattern(self, pattern: PatternDecl, names: Names) -> PatternDecl:
        new, inner, each = NONE, names, None
        if pattern.each is not None:
            word, domain = pattern.each
            own, new, inner = _bound((word,), NONE, names)
            each = (own[0], self._alone(domain, names))
        test, value = self._expr(pattern.test, new, inner), self._expr(pattern.value, new, inner)
        return replace(pattern, each=each, test=test, value=value)

    def _names_of_score(self, score: ScoreDecl) -> Names:
        parts = {a.name: a.parts for a in self.rules.arrangements}
        names = {
            *_names_of_params(score.params),
            *(part.word for name in score.arrangements for part in parts[name]),
            *(name for name, _ in score.defines),
            *(pattern.name for pattern in score.patterns),
            *score.numbers,
            *("arrangement", "points", "eligible", "kept"),
        }
        return frozenset(names if score.marking is None else {*names, score.marking[1]})

    # ------------------------------------------------------------------ expressions and effects

    def _alone(self, expr: ir.Expr, names: Names = frozenset()) -> ir.Expr:
        """Return an expression of a part of the rules that has these names."""
        return self._expr(expr, NONE, names)

    def _expr(self, expr: ir.Expr, new: New, names: Names) -> ir.Expr:
        """Return an expression where these names are in scope, some of them under new ones."""
        if isinstance(expr, ir.Local):
            return expr if expr.name not in new else replace(expr, name=new[expr.name])
        made: ir.Expr = self._node(expr, new, names)
        return made

    def _effects(self, effects: Iterable[ir.Effect], new: New, names: Names) -> tuple[ir.Effect, ...]:
        return tuple(self._node(effect, new, names) for effect in effects)

    def _node(self, node: Any, new: New, names: Names) -> Any:
        """Return an expression, an effect or a place; the node itself if nothing in it changes."""
        structure, own = node.STRUCTURE, bound_by(node)
        chosen, inner_new, inner_names = _bound(own, new, names)
        changes: dict[str, Any] = {}
        for field in structure.children:
            if field in structure.foreign:  # its score has its own names, which hide all others
                theirs = self._scores[node.score]
                known: New = {k: v for k, v in new.items() if k not in theirs}
                changes[field] = self._value(getattr(node, field), known, names | theirs)
            elif field in structure.scope:
                changes[field] = self._value(getattr(node, field), inner_new, inner_names)
            else:
                changes[field] = self._value(getattr(node, field), new, names)
        for field in structure.nested:
            inner = (inner_new, inner_names) if field in structure.scope else (new, names)
            changes[field] = self._effects(getattr(node, field), *inner)
        if structure.binds is not None:
            changes[structure.binds] = (
                chosen if isinstance(getattr(node, structure.binds), tuple) else chosen[0]
            )
        return (
            node
            if all(getattr(node, field) == value for field, value in changes.items())
            else replace(node, **changes)
        )

    def _value(self, value: Any, new: New, names: Names) -> Any:
        if value is None:
            return None
        if isinstance(value, tuple):
            return tuple(self._expr(each, new, names) for each in value)
        if isinstance(value, ir.Place | ir.MeldPlace):
            return self._node(value, new, names)
        return self._expr(value, new, names)


def _bound(own: tuple[str, ...], new: New, names: Names) -> tuple[tuple[str, ...], New, Names]:
    """Return the names that a node binds, as they are called from now on, and the scope in which they are known."""
    chosen: list[str] = []
    for name in own:
        unused = name
        number = 2
        while unused in names:
            unused = f"{word_of(name)}{MARK}{number}"
            number += 1
        names |= {unused}
        chosen.append(unused)
    return tuple(chosen), {**new, **dict(zip(own, chosen, strict=True))} if own else new, names


def _names_of_params(params: Iterable[ParamDecl]) -> Iterable[str]:
    for param in params:
        yield param.name
        yield from param.parts


def _names_of_action(action: Action) -> Names:
    names = {*_names_of_params(action.params)}
    return frozenset(names if action.by is None else {*names, action.by})
