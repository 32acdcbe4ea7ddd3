"""Shapes and scores of rule sets that differ in these alone, as the states of the table say which ones count.

Input: an instance with alternatives, and an oracle for each. Output: what `ShapeEncoder` and `ScoreEncoder` give, true
under the guard of the alternatives that have it. Guarantee: in every model it is what the alternative says whose
setting the model has; where alternatives may differ and nobody can list what they have, the answer is an unknown one or
`Unsupported`.

    {a, b} is twins    with an alternative for `late` and one for the rest:    (late and ...) or (not late and ...)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from golpae.elaborate.instance import Setting
from golpae.ir.dependencies import Dependencies, Part
from golpae.ir.scoring import exprs_of_score, grows, is_among, is_whole, named_number
from golpae.prove.evaluation.context import Context, Evaluate, ShapeOracle
from golpae.prove.evaluation.reads import DefinitionReads
from golpae.prove.evaluation.scores import ScoreEncoder
from golpae.prove.evaluation.shapes import MOST_GROUPS, ShapeEncoder
from golpae.prove.symbolic.state import SymbolicState
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
    conj,
    group_bag,
    guarded_union,
    implies,
    negate,
)

T = TypeVar("T", bound=Hashable)


class OracleOfMany(ShapeOracle, Protocol):
    """An oracle for the alternatives of an instance."""

    def of(self, alternative: int) -> ShapeOracle:
        """Return the oracle of one of them, by its number."""
        ...


class Alternatives:
    """The alternatives of one instance: which of them agree on what, and where each counts."""

    def __init__(self, context: Context, oracle: OracleOfMany) -> None:
        self._context, self._oracle = context, oracle
        self._settings = [setting for setting, _ in context.instance.alternatives]
        self._instances = [instance for _, instance in context.instance.alternatives]
        self._names = sorted({name for on, off in self._settings for name in (*on, *off)})
        self._contexts: dict[int, Context] = {}
        rule_sets = (*(one.rule_set for one in self._instances), context.rules)
        self._dependencies = [Dependencies(rules, provided=True) for rules in rule_sets]
        self._classes: dict[Part, list[int]] = {}

    def are_one(self, part: Part) -> bool:
        """Return whether a shape or a score is the same in all alternatives, and as the rules themselves have it."""
        return len(set(self._class_of(part))) == 1

    def classes(self, part: Part) -> list[tuple[Truth, int]]:
        """Return one alternative for each meaning that a part has, with where it counts."""
        return self.chosen(self._class_of(part)[:-1])

    def _class_of(self, part: Part) -> list[int]:
        """Return for each alternative, and for the rules themselves, which one is the first that has a part so."""
        if part not in self._classes:
            first: dict[str, int] = {}
            meanings = (own.meaning_of([part]) for own in self._dependencies)
            self._classes[part] = [first.setdefault(meaning, at) for at, meaning in enumerate(meanings)]
        return self._classes[part]

    def chosen(self, values: Sequence[T]) -> list[tuple[Truth, T]]:
        """Return the values of the alternatives, each once, with where it counts. Raises `Unsupported` if no state of
        the table is at hand.
        """
        split = split_by_state(self._names, [*zip(self._settings, values, strict=True)])
        at_table = self._context.at_table
        if len(split) > 1 and not at_table:
            raise Unsupported("shapes and scores that a switch changes")
        out: dict[T, list[Truth]] = {}
        for on, off, value in split:
            own = (*(at_table[n] for n in on), *(negate(at_table[n]) for n in off))
            out.setdefault(value, []).append(all_of(own))
        return [(any_of(guards), value) for value, guards in out.items()]

    def asked(self, part: Part, ask: Callable[[Context], T]) -> list[tuple[Truth, T]]:
        """Return the answers of the alternatives, each once, with the truth for which it counts. They depend on one
        part of the context alone, so `ask` is called once for each class of contexts in which that part is the same.
        Raises `Unsupported` if no state of the table is at hand.
        """
        classes = self._class_of(part)[:-1]
        answers = {number: ask(self.context(number)) for number in dict.fromkeys(classes)}
        return self.chosen([answers[number] for number in classes])

    def context(self, number: int) -> Context:
        """Return the context of one alternative."""
        if number not in self._contexts:
            oracle = self._oracle.of(number)
            self._contexts[number] = Context(self._instances[number], oracle, self._context.symbols)
        return self._contexts[number]


def split_by_state(
    names: Sequence[str], entries: Sequence[tuple[Setting, T]]
) -> list[tuple[tuple[str, ...], tuple[str, ...], T]]:
    """Return values with the names that have to be on, and those that have to be off: few of both."""
    if len({value for _, value in entries}) == 1:
        return [((), (), entries[0][1])]
    name, rest = names[0], names[1:]
    on = [(setting, value) for setting, value in entries if name in setting[0]]
    off = [(setting, value) for setting, value in entries if name not in setting[0]]
    if not on or not off:
        return split_by_state(rest, on or off)
    halves = split_by_state(rest, on), split_by_state(rest, off)
    if halves[0] == halves[1]:
        return halves[0]
    with_it = [((name, *yes), no, value) for yes, no, value in halves[0]]
    return with_it + [(yes, (name, *no), value) for yes, no, value in halves[1]]


class AlternativeShapes(ShapeEncoder):
    """Shapes and arrangements that alternatives may have otherwise."""

    def __init__(self, context: Context, evaluate: Evaluate, alternatives: Alternatives) -> None:
        super().__init__(context, evaluate)
        self._alternatives = alternatives
        self._encoders: dict[int, ShapeEncoder] = {}

    def encoder(self, alternative: int) -> ShapeEncoder:
        """Return the shapes of one alternative, to list what is of them."""
        if alternative not in self._encoders:
            context = self._alternatives.context(alternative)
            self._encoders[alternative] = ShapeEncoder(context, _evaluates_nothing)
        return self._encoders[alternative]

    def belongs(self, arrangement: str, name: str) -> Truth:
        part = "shape", name
        if arrangement == name or self._alternatives.are_one(part):
            return super().belongs(arrangement, name)
        asked = self._alternatives.asked(part, lambda own: is_among(arrangement, name, own.arrangements))
        return any_of(guard for guard, holds in asked if holds)

    def is_shape(self, value: Value, name: str) -> Truth:
        part = "shape", name
        if value is None or self._alternatives.are_one(part):
            return super().is_shape(value, name)
        bag = value if isinstance(value, MeldValue) else as_bag(value)
        if isinstance(bag, MeldValue) or bag.concrete:
            tiles, label = (bag.tiles, bag.label) if isinstance(bag, MeldValue) else (bag.tiles(), None)
            asked = self._alternatives.asked(part, lambda own: own.oracle.holds(tiles, label, name))
            return any_of(guard for guard, holds in asked if holds)
        listed = self._listed(name)
        if listed is not None:
            return any_of(conj(guard, bags_same(bag, hand)) for hand, guard in listed)
        return self._context.abstraction.truth(f"is {name}", (bag,), partial(self._exactly, bag, name))

    def _listed(self, name: str) -> list[tuple[Bag, Truth]] | None:
        """Return the groups of a shape, with where they are of it, if they are few.

        Of a test of all tiles together, only what the set has can be listed, and bags may have more.
        """
        groups: dict[tuple[int, ...], list[Truth]] = {}
        for guard, number in self._alternatives.classes(("shape", name)):
            shapes = self._alternatives.context(number).shape_decls
            if name not in shapes or is_whole(name, shapes) or grows(name, shapes):
                return None
            try:
                for group in self.encoder(number).groups(name):
                    groups.setdefault(group.tiles, []).append(guard)
            except Unsupported:
                return None
        few = len(groups) <= MOST_GROUPS
        return (
            [(group_bag(MeldValue(g)), any_of(w)) for g, w in sorted(groups.items(), key=_first)]
            if few
            else None
        )

    def _exactly(self, bag: Bag, name: str, holds: Value) -> Truth:
        if self._alternatives.are_one(("shape", name)):
            return super()._exactly(bag, name, holds)
        exact = all_of(
            implies(guard, self.encoder(number)._exactly(bag, name, holds))
            for guard, number in self._alternatives.classes(("shape", name))
        )
        return implies(self.in_set(bag), exact)

    def _are_parts(self, groups: Bag, name: str) -> Truth:
        if self._alternatives.are_one(("shape", name)):
            return super()._are_parts(groups, name)
        return any_of(
            conj(guard, self.encoder(number)._are_parts(groups, name))
            for guard, number in self._alternatives.classes(("shape", name))
        )

    def candidates(self, name: str) -> list[MeldValue]:
        if self._alternatives.are_one(("shape", name)):
            return super().candidates(name)
        numbers = [number for _, number in self._alternatives.classes(("shape", name))]
        return list(dict.fromkeys(g for number in numbers for g in self.encoder(number).candidates(name)))

    def groups(self, shape: str) -> list[MeldValue]:
        if self._alternatives.are_one(("shape", shape)):
            return super().groups(shape)
        raise Unsupported(f"listing the groups of `{shape}`, which a switch changes")

    def hands(self, name: str) -> list[Bag]:
        if self._alternatives.are_one(("shape", name)):
            return super().hands(name)
        raise Unsupported(f"listing the hands of `{name}`, which a switch changes")


class AlternativeScores(ScoreEncoder):
    """Scores that alternatives may count otherwise."""

    def __init__(
        self,
        context: Context,
        shapes: AlternativeShapes,
        reads: DefinitionReads,
        evaluate: Evaluate,
        alternatives: Alternatives,
    ) -> None:
        super().__init__(context, shapes, reads, evaluate)
        self._many, self._alternatives = shapes, alternatives

    def points(
        self, name: str, args: tuple[Value, ...], state: SymbolicState | None, number: str = ""
    ) -> Value:
        if not self._alternatives.are_one(("score", name)) and self._reads_game(name):
            raise Unsupported(f"the score `{name}`, which reads the game, and which a switch changes")
        return super().points(name, args, state, number)

    def _reads_game(self, name: str) -> bool:
        """Return whether a score reads a game in progress in some alternative."""
        contexts = (
            self._alternatives.context(number) for _, number in self._alternatives.classes(("score", name))
        )
        return any(own.dependencies.reads(exprs_of_score(own.scores[name])) for own in contexts)

    def _counted(self, name: str, number: str, plain: tuple[Any, ...]) -> Value:
        if self._alternatives.are_one(("score", name)):
            return super()._counted(name, number, plain)
        asked = named_number(name, number)
        return guarded_union(
            self._alternatives.asked(("score", name), lambda own: own.oracle.best(asked, plain))
        )

    def _exact_axiom(
        self, name: str, number: str, args: tuple[Value, ...], states: tuple[Any, ...], points: Value
    ) -> Truth:
        if self._alternatives.are_one(("score", name)):
            return super()._exact_axiom(name, number, args, states, points)
        return all_of(
            implies(guard, self._encoder(alternative)._exact_axiom(name, number, args, states, points))
            for guard, alternative in self._alternatives.classes(("score", name))
        )

    def _encoder(self, number: int) -> ScoreEncoder:
        return ScoreEncoder(
            self._alternatives.context(number), self._many.encoder(number), self._reads, _evaluates_nothing
        )

    def _members(self, arrangement: str) -> Iterator[str]:
        """Return an arrangement and those that it is a union of in all alternatives."""
        if self._alternatives.are_one(("shape", arrangement)):
            yield from super()._members(arrangement)
            return
        numbers = [number for _, number in self._alternatives.classes(("shape", arrangement))]
        own = [{*self._encoder(number)._members(arrangement)} for number in numbers]
        yield from sorted(set.intersection(*own))


def shapes_and_scores(
    context: Context, reads: DefinitionReads, evaluate: Evaluate
) -> tuple[ShapeEncoder, ScoreEncoder]:
    """Return the shapes and scores of one table, with or without alternatives."""
    if not context.instance.alternatives:
        plain = ShapeEncoder(context, evaluate)
        return plain, ScoreEncoder(context, plain, reads, evaluate)
    alternatives = Alternatives(context, cast(OracleOfMany, context.oracle))
    shapes = AlternativeShapes(context, evaluate, alternatives)
    return shapes, AlternativeScores(context, shapes, reads, evaluate, alternatives)


def _first(item: tuple[Any, Any]) -> Any:
    return item[0]


def _evaluates_nothing(*_: Any) -> Value:
    raise Unsupported("a test of unknown tiles, which a switch changes")
