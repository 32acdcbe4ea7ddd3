"""What is learned about shapes and scores of unknown tiles when a choice of tiles turns out to be illegal.

Input: the unknown answers in the conditions of an event, and a model. Output: truths that hold of all tiles, and that
the model breaks. Guarantee: each lemma follows from the rules alone, so no legal choice of tiles is lost.

The prover asks "do these tiles make a hand?" as a symbol of which it says nothing. Where a model answers yes and the
rules say no, the lemma says what yes means: some groups have the tiles. For other answers it says what they are for the
tiles of this model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from golpae.ir.ruleset import PartDecl
from golpae.prove.evaluation.abstraction import UnknownAnswer
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.evaluation.scores import SYMBOLIC, plain_value
from golpae.prove.solving.model import Model, values_in
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Truth,
    Value,
    all_of,
    any_of,
    as_bag,
    as_truth,
    bag_of,
    bags_same,
    conj,
    equal,
    iff,
    implies,
    same,
    times,
    total_of,
)
from golpae.replay_bridge import ReplayShapes

IS, BESIDE, SCORE = "is ", "beside is ", "score "


class Lemmas:
    """The lemmas about the answers of one evaluator."""

    def __init__(self, evaluator: Evaluator, shapes: ReplayShapes) -> None:
        self._evaluator = evaluator
        self._oracle = shapes
        self._explained: set[str] = set()
        self._faces = evaluator.context.instance.faces
        self._listed: dict[str, list[tuple[int, ...]] | None] = {}

    def about(self, truths: Iterable[Truth], model: Model) -> list[Truth]:
        """Return what the answers in some truths are, where the model has them wrong; empty if it has none wrong."""
        answers = list(self._evaluator.abstraction.answers_in(truths))
        known = values_in(model, (a for answer in answers for a in (answer.value, *answer.arguments)))
        out: list[Truth] = []
        claimed: set[str] = set()
        for answer in answers:
            plain = [constant(known(argument), argument) for argument in answer.arguments]
            right = self._right(answer.question, plain)
            if right is SYMBOLIC or right == known(answer.value):
                continue
            if right is False:
                claimed.add(answer.question)
            alike = all_of(same_values(a, p) for a, p in zip(answer.arguments, plain, strict=True))
            out.append(implies(alike, same_values(answer.value, right)))
        for question in sorted(claimed):
            out += self._meaning([answer for answer in answers if answer.question == question])
        return out

    # ------------------------------------------------------------------ what is right

    def _right(self, question: str, arguments: Sequence[Value]) -> Any:
        """Return the answer for values that are known; SYMBOLIC if it is of another kind."""
        plain = [plain_value(argument) for argument in arguments]
        if any(value is SYMBOLIC for value in plain):
            return SYMBOLIC
        try:
            return self._asked(question, plain)
        except Unsupported:
            return SYMBOLIC

    def _asked(self, question: str, plain: Sequence[Any]) -> Any:
        oracle = self._oracle
        if question.startswith(IS):
            return oracle.holds(plain[0], None, question.removeprefix(IS))
        if question.startswith(BESIDE):
            return oracle.beside(plain[0], plain[1], question.removeprefix(BESIDE))
        if question.startswith(SCORE):
            return oracle.best(question.removeprefix(SCORE), tuple(plain))
        return SYMBOLIC

    # ------------------------------------------------------------------ what a yes means

    def _meaning(self, answers: Sequence[UnknownAnswer]) -> Iterator[Truth]:
        """Yield that if some answers to one question are yes, there are groups that have the tiles of one of them."""
        names = ",".join(str(answer.value) for answer in answers)
        if names in self._explained:
            return
        self._explained.add(names)
        symbols = self._evaluator.symbols
        begin = len(symbols.facts)
        try:
            yield from self._laid_out(answers)
        except Unsupported:
            return
        finally:
            facts = symbols.facts[begin:]
        yield from facts

    def _laid_out(self, answers: Sequence[UnknownAnswer]) -> Iterator[Truth]:
        question, symbols = answers[0].question, self._evaluator.symbols
        name = question.removeprefix(BESIDE if question.startswith(BESIDE) else IS)
        melds = [as_bag(a.arguments[1]) if question.startswith(BESIDE) else EMPTY for a in answers]
        if len(answers) > 1 and not all(bag.concrete and bag.counts == melds[0].counts for bag in melds):
            for answer in answers:
                yield from self._laid_out([answer])
            return
        chosen = [answers[0].value] if len(answers) == 1 else [symbols.truth("chosen") for _ in answers]
        if len(answers) > 1:
            yield implies(any_of(a.value for a in answers), any_of(chosen))
        kinds = dict.fromkeys(kind for a in answers for kind in as_bag(a.arguments[0]).counts)
        tiles = as_bag(answers[0].arguments[0])
        if len(answers) > 1:
            most = sum(self._evaluator.copies.values())
            tiles = Bag({kind: symbols.number("arranged", 0, most) for kind in kinds})
            for yes, answer in zip(chosen, answers, strict=True):
                yield implies(yes, conj(answer.value, bags_same(tiles, as_bag(answer.arguments[0]))))
        yield implies(any_of(chosen), self._in_groups(name, tiles, melds[0]))

    def _in_groups(self, name: str, tiles: Bag, melds: Bag) -> Truth:
        """Return that tiles can be put into groups so that they make an arrangement with melds."""
        context = self._evaluator.context
        if context.instance.wild:
            raise Unsupported("wild tiles")
        arrangement = context.arrangements.get(name)
        if arrangement is None:
            return self._in_parts((PartDecl(1, False, name, ""),), tiles, melds)
        if arrangement.union:
            return any_of(self._in_groups(one, tiles, melds) for one in arrangement.union)
        return self._in_parts(arrangement.parts, tiles, melds)

    def _in_parts(self, parts: Sequence[PartDecl], tiles: Bag, melds: Bag) -> Truth:
        symbols, oracle = self._evaluator.symbols, self._oracle
        right: list[Truth] = []
        lying: list[list[Value]] = [[] for _ in parts]  # how many melds are groups of each part
        for meld, often in melds.items():
            fitting = [n for n, part in enumerate(parts) if oracle.holds(meld.tiles, meld.label, part.shape)]
            most = often if isinstance(often, int) else sum(part.count for part in parts)
            numbers = [symbols.number("meld", 0, most) for _ in fitting]
            right.append(equal(total_of(numbers), often))
            for part_number, number in zip(fitting, numbers, strict=True):
                lying[part_number].append(number)
        counts: dict[Any, list[Value]] = {}
        for part, beside in zip(parts, lying, strict=True):
            groups = self.groups(part.shape)
            if groups is None and part.count == 1 and not beside:
                whole = symbols.bag("arranged", dict(self._evaluator.copies))
                right.append(as_truth(self._evaluator.shapes.is_shape(whole, part.shape)))
                for kind, often in whole.items():
                    counts.setdefault(self._faces[kind], []).append(often)
                continue
            if groups is None:
                raise Unsupported(f"groups of `{part.shape}`")
            at_most = 1 if part.different else part.count
            made = [(group, symbols.number("groups", 0, at_most)) for group in groups]
            for group, number in made:
                for face in set(group):
                    counts.setdefault(face, []).append(times(number, group.count(face)))
            right.append(equal(total_of([*(number for _, number in made), *beside]), part.count))
        there: dict[Any, list[Value]] = {}
        for kind, number in tiles.items():
            there.setdefault(self._faces[kind], []).append(number)
        faces = dict.fromkeys([*there, *counts])
        right += [equal(total_of(there.get(f, [])), total_of(counts.get(f, []))) for f in faces]
        return all_of(right)

    def groups(self, shape: str) -> list[tuple[int, ...]] | None:
        """Return the groups of a shape as faces, or None if they cannot be listed."""
        if shape not in self._listed:
            try:
                found = self._evaluator.shapes.groups(shape)
            except Unsupported:
                self._listed[shape] = None
            else:
                faces = (tuple(sorted(self._faces[kind] for kind in group.tiles)) for group in found)
                self._listed[shape] = list(dict.fromkeys(faces))
        return self._listed[shape]


def constant(value: Any, argument: Value) -> Value:
    """Return what was read of a model as a value of the prover."""
    if isinstance(argument, Bag):
        return bag_of(value)
    if isinstance(argument, list):
        return [constant(v, a) for v, a in zip(value, argument, strict=True)]
    if isinstance(value, tuple):
        return bag_of(value)
    return value


def each_of(value: Any) -> list[Any]:
    """Return what each player has, or the one thing that all share."""
    return value if isinstance(value, list) else [value]


def same_values(left: Value, right: Value) -> Truth:
    """Return whether two values, or the values of each player, are the same."""
    if isinstance(left, list):
        return all_of(same_values(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, Bag) or isinstance(right, Bag):
        return bags_same(as_bag(left), as_bag(right))
    if isinstance(left, bool) or isinstance(right, bool):
        return iff(left, right)
    return same(left, right)
