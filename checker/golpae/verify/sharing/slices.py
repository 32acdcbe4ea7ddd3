"""A rule set cut down to some of its actions, and to what they need.

Input: a rule set, some of its actions, and properties.
Output: a rule set that has no other actions and properties, and only those definitions, shapes, arrangements and scores
that are needed, each kind sorted by name.
Guarantee: what is needed follows from the `STRUCTURE` of the nodes. Whoever reads the slice instead of the whole cannot
read what is not in it. A slice has all zones, states, options and the whole set of tiles, of which an instance says how
many are in play; it is not made to be played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from golpae.ir.dependencies import Dependencies, exprs_within, reads_unset
from golpae.ir.expr import Const, Expr
from golpae.ir.hand_questions import asks_about_hands, without
from golpae.ir.ruleset import PropertyDecl, RuleSet, ScoreDecl, form_of

WEAKENED: Final = ", weakened"  # ends the name of what a property says at least; no text has such a name


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


class Slices:
    """Slices of one rule set. Of its scores they have what `known_scores` gives."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = replace(rules, scores=known_scores(rules))
        self._dependencies = Dependencies(self._rules)

    def of(self, actions: Collection[str], properties: Iterable[str]) -> RuleSet:
        """Return the slice of the actions and properties of these names, and of properties after these actions."""
        rules, names = self._rules, frozenset(properties)
        chosen = _sorted(replace(a, ids=()) for a in rules.actions if a.name in actions)
        bare = replace(
            rules,
            rules="",
            title="",
            ids=(),
            tiles=replace(rules.tiles, withdrawn=None),
            definitions=(),
            shapes=(),
            arrangements=(),
            scores=(),
            actions=chosen,
            payout=rules.payout if any(a.kind == "end" for a in chosen) else (),
            properties=_sorted(
                replace(p, expected=None, within=None, ids=())
                for p in rules.properties
                if p.name in names or p.after in actions
            ),
            sources=(),
            rules_by_id=(),
            switches=(),
            active=(),
            spec_hash="",
            shares=(),
        )
        reached = self._dependencies.reached_by(exprs_within(bare))
        if any(kind == "score" for kind, _ in reached):  # then hands are looked at as all arrangements
            reached |= self._dependencies.reached_through(("shape", a.name) for a in rules.arrangements)
        return replace(
            bare,
            definitions=_sorted(d for d in rules.definitions if ("definition", d.name) in reached),
            shapes=_sorted(s for s in rules.shapes if ("shape", s.name) in reached),
            arrangements=_sorted(a for a in rules.arrangements if ("shape", a.name) in reached),
            scores=_sorted(s for s in rules.scores if ("score", s.name) in reached),
        )


def known_scores(rules: RuleSet) -> tuple[ScoreDecl, ...]:
    """Return the scores of a rule set as far as the prover knows them: bare, as `bare_score` gives them.

    But one that decides which tiles a shape has is known whole: replay is asked about the shape, and nobody notes what
    it counted for that.
    """
    names = [*(shape.name for shape in rules.shapes), *(one.name for one in rules.arrangements)]
    reached = Dependencies(rules).reached_through(("shape", name) for name in names)
    whole = {name for kind, name in reached if kind == "score"}
    return tuple(score if score.name in whole else bare_score(score) for score in rules.scores)


def bare_score(score: ScoreDecl) -> ScoreDecl:
    """Return of a score what is known without its patterns: its parameters, its hand, the arrangements that count."""
    return ScoreDecl(
        score.name, score.params, score.hand, score.fixed, score.arrangements, None, None, "sum", (), (), ()
    )


def loosened(rules: RuleSet, properties: Collection[str], hands: bool = True) -> RuleSet:
    """Return a slice in which no condition of an event asks what tiles score, with what is needed then.

    Nor, with `hands`, whether tiles are an arrangement. Of the properties it has those of these names, with `hands` as
    `between` has them. Each event of the slice is one of this one, with the same effects, and there are more: what all
    of these do, or keep, those of the slice do. That some event is legal does not follow. INVARIANT: which order of a
    list counts must not be told from conditions here (`skip_scores`), because one that is left out may refuse an order.
    """
    asks = asks_about_hands(rules, hands)
    actions = (
        replace(a, conditions=tuple(c for c in a.conditions if not asks(c.expr))) for a in rules.actions
    )
    chosen = [p for p in rules.properties if p.name in properties]
    if hands:
        chosen = [two for p in chosen for two in between(p, rules, asks) or (p,)]
    left = replace(rules, actions=tuple(actions), properties=tuple(chosen))
    return Slices(left).of([a.name for a in rules.actions], [p.name for p in chosen])


def between(
    prop: PropertyDecl, rules: RuleSet, asks: Callable[[Expr], bool]
) -> tuple[PropertyDecl, PropertyDecl] | None:
    """Return two properties that do not ask about hands: one that implies this one, of the same name, and one that
    follows from it, whose name is `WEAKENED`. None if it does not ask either, or if nothing is left of it.

        stage = shown implies taken = 3 and p's hand is full
        stage /= shown                      # what it asks about hands is taken to be as bad as it can be
        stage = shown implies taken = 3     # as good as it can be
    """
    if prop.after is not None or not asks(prop.expr):
        return None
    never = form_of(prop.kind).negated
    stronger, weaker = (without(prop.expr, asks, good is not never) for good in (False, True))
    unset = reads_unset(prop.expr, rules)  # such a property is only about positions after the first deal
    if any(isinstance(e, Const) or reads_unset(e, rules) != unset for e in (stronger, weaker)):
        return None
    return replace(prop, expr=stronger), replace(prop, name=f"{prop.name}{WEAKENED}", expr=weaker)


def _sorted(parts: Iterable[T]) -> tuple[T, ...]:
    return tuple(sorted(parts, key=lambda part: part.name))
