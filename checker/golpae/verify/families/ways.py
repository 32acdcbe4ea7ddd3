"""Statements about every way to score a hand, decided for all rule sets of some choices at once.

Input: an instance with alternatives; such a statement, or a score whose `brings` lines are to be checked; alternatives
by number. Output: for which of them it is true, and for which it is not. Guarantee: the solver finds no hand with the
switches as unknowns, or the hand that it finds shows the same under each of the alternatives. What cannot be decided so
raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.scoring import stated_labels
from golpae.prove.evaluation.alternatives import split_by_state
from golpae.prove.evaluation.context import ShapeOracle
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.scoring_of_many import Class, ManyScores, OneScore
from golpae.prove.scoring_ways import Way, implied_patterns
from golpae.prove.solving.model import Model
from golpae.prove.solving.open_model import OpenModel
from golpae.prove.solving.solver import SAT, UNSAT, Session, Solver
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, all_of, any_of, negate
from golpae.verify.families.of_rules import gives_labels_alike

MOST = 256  # alternatives whose ways are looked at together
MOST_HANDS = 64  # hands that show a statement, each under some alternatives
MOST_TOGETHER = 10  # as many times what a question about one alternative may cost, one about many may
UNANSWERED = "a question without an answer"


@dataclass(frozen=True, slots=True)
class DecidedAlternatives:
    """Alternatives, by number, of which a statement is true, or is not; `by_hand` if a hand shows it."""

    numbers: tuple[int, ...]
    holds: bool
    by_hand: bool


class WaysOfMany:
    """The scores of the alternatives of an instance. `shapes` gives what their shapes and scores are, by number."""

    def __init__(self, instance: Instance, shapes: Callable[[int], ShapeOracle], solver: Solver) -> None:
        self._alternatives = instance.alternatives
        self._shapes, self._solver = shapes, solver
        self._names = sorted({n for (on, off), _ in instance.alternatives for n in (*on, *off)})
        symbols = SymbolFactory("switch ")
        self._symbols = {name: symbols.truth(name) for name in self._names}
        self._settings = [
            {_name(self._symbols[name]): name in on for name in self._names}
            for (on, _), _ in instance.alternatives
        ]
        self._scores: dict[str, ManyScores | Unsupported] = {}

    def statement(self, about: str, expr: ir.Ways, asked: Collection[int]) -> Iterator[DecidedAlternatives]:
        """Yield for which of some alternatives a statement is true. Raises `Unsupported`."""
        score = self._score(expr.score)
        for own in score.classes:
            totals: dict[str, list[int]] = {}  # patterns that are added up alike are easier together
            for number in own.numbers:
                if number in asked:
                    totals.setdefault(score.declared(number).total, []).append(number)
            for numbers in totals.values():
                yield from self._statement(about, expr, score, own, numbers)

    def _statement(
        self, about: str, expr: ir.Ways, score: ManyScores, own: Class, numbers: Sequence[int]
    ) -> Iterator[DecidedAlternatives]:
        questions = []
        for way in own.ways:
            truth, facts = score.truth(own, way, expr.body, about)
            goal = negate(truth) if expr.kind == "every" else truth
            premises = [*way.facts, *facts]
            session = self._solver.session([*premises, self._among(numbers)], broad=True)
            questions.append((all_of([*premises, goal]), goal, session))
        waiting = [*numbers]
        for _ in range(MOST_HANDS):
            shown = self._hand(about, questions, waiting)
            if shown is None:
                yield DecidedAlternatives(tuple(waiting), expr.kind != "some", False)
                return
            yield DecidedAlternatives(shown, expr.kind == "some", True)
            waiting = [number for number in waiting if number not in shown]
            if not waiting:
                return
        raise Unsupported("a statement that many hands show")

    def brings(self, name: str, asked: Collection[int]) -> Iterator[DecidedAlternatives]:
        """Yield for which of some alternatives the patterns of a score bring one another as it says, and for which
        they do not. Raises `Unsupported`.
        """
        score = self._score(name)
        for own in score.classes:
            numbers = [number for number in own.numbers if number in asked]
            if not numbers:
                continue
            matrix = _Matrix(self, name, own, numbers)
            wrong = matrix.wrong([implied_patterns(score.declared(number)) for number in numbers])
            alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
            for at, number in enumerate(numbers):
                pairs = tuple(pair for pair, where in wrong.items() if where >> at & 1)
                alike.setdefault(pairs, []).append(number)
            for pairs, alternatives in alike.items():
                yield DecidedAlternatives(tuple(alternatives), not pairs, False)

    # ------------------------------------------------------------------ hands

    def _hand(
        self, about: str, questions: Sequence[tuple[Truth, Truth, Session]], waiting: Sequence[int]
    ) -> tuple[int, ...] | None:
        """Return for which of some alternatives a hand shows something; None if there is no hand."""
        for shows, goal, session in questions:
            model = self.model(session, about, [goal], waiting)
            if model is not None:
                [holds] = self.under(model, [shows], waiting)
                numbers = tuple(n for n, shown in zip(waiting, holds, strict=True) if shown)
                if not numbers:
                    raise Unsupported("a hand that shows nothing")
                return numbers
        return None

    def model(
        self, session: Session, about: str, goal: Sequence[Truth], numbers: Sequence[int]
    ) -> Model | None:
        """Return a model of a goal under some alternatives, or None if there is none. Raises `Unsupported`."""
        together = min(len(numbers), MOST_TOGETHER)
        reply = session.check(about, [*goal, self._among(numbers)], stands_for=together)
        if reply.status == SAT:
            return reply.satisfied_by
        if reply.status != UNSAT:
            raise Unsupported(UNANSWERED)
        return None

    def under(self, model: Model, truths: Sequence[Truth], numbers: Sequence[int]) -> list[tuple[bool, ...]]:
        """Return for each truth under which of some alternatives it holds in a model."""
        names = [_name(symbol) for symbol in self._symbols.values()]
        return OpenModel(model, names).holds(truths, [self._settings[number] for number in numbers])

    def session(self, way: Way) -> Session:
        """Return a session about the valid ways of one arrangement."""
        return self._solver.session([*way.facts, way.valid], broad=True)

    # ------------------------------------------------------------------ alternatives

    def _among(self, numbers: Sequence[int]) -> Truth:
        """Return where one of some alternatives counts."""
        every = range(len(self._alternatives))
        chosen = self._chosen(every, [int(number in numbers) for number in every])
        return any_of(guard for guard, is_one in chosen if is_one)

    def _chosen(self, numbers: Sequence[int], values: Sequence[int]) -> list[tuple[Truth, int]]:
        """Return values of some alternatives with the guards under which they count."""
        entries = [
            (self._alternatives[number][0], value) for number, value in zip(numbers, values, strict=True)
        ]
        guards: dict[int, list[Truth]] = {}
        for on, off, value in split_by_state(self._names, entries):
            own = [*(self._symbols[n] for n in on), *(negate(self._symbols[n]) for n in off)]
            guards.setdefault(value, []).append(all_of(own))
        return [(any_of(own), value) for value, own in guards.items()]

    def _score(self, name: str) -> ManyScores:
        """Return a score of all alternatives. Raises `Unsupported`."""
        if name not in self._scores:
            try:
                self._scores[name] = self._made(name)
            except Unsupported as lack:
                self._scores[name] = lack
        made = self._scores[name]
        if isinstance(made, Unsupported):
            raise made
        return made

    def _made(self, name: str) -> ManyScores:
        if len(self._alternatives) > MOST:
            raise Unsupported(f"more than {MOST} alternatives")
        many = []
        for number, (_, instance) in enumerate(self._alternatives):
            if not gives_labels_alike(instance.rule_set):
                raise Unsupported("labels that only some switches give")
            evaluator = Evaluator(instance, self._shapes(number), SymbolFactory(""))
            many.append(OneScore(evaluator, (None, *sorted(stated_labels(instance.rule_set)))))
        return ManyScores(many, name, self._chosen)


class _Matrix:
    """Which patterns come with which, in each of some alternatives: sets of these are numbers with a bit for each."""

    def __init__(self, many: WaysOfMany, name: str, own: Class, numbers: Sequence[int]) -> None:
        self._many, self._name, self._numbers = many, name, numbers
        self._all = (1 << len(numbers)) - 1
        self._order = [*own.ways[0].holds]
        self._sessions = [(way, all_of([*way.facts, way.valid]), many.session(way)) for way in own.ways]
        self._with: dict[tuple[str, str], int] = {}  # where some way has the first pattern and the second
        self._without: dict[tuple[str, str], int] = {}  # where one has the first, and not the second

    def wrong(self, stated: Sequence[dict[str, set[str]]]) -> dict[tuple[str, str], int]:
        """Return for pairs of patterns where the first brings the second otherwise than is `stated` there. Raises
        `Unsupported`.
        """
        possible = {p: self._shown(p, p, True, self._all) for p in self._order}
        out: dict[tuple[str, str], int] = {}
        for one in self._order:
            for other in self._order:
                both = possible[one] & possible[other]
                if one != other and both:
                    brings = sum(1 << at for at, own in enumerate(stated) if other in own.get(one, ()))
                    out[one, other] = both & ~(brings ^ self._shown(one, other, False, both))
        return out

    def _shown(self, one: str, other: str, has: bool, asked: int) -> int:
        """Return where a valid way has one pattern and has, or does not have, another one; as far as it is `asked`."""
        known, key = self._with if has else self._without, (one, other)
        while left := asked & ~known.get(key, 0):
            if not self._learnt(one, other, has, left):
                break
            if not left & known.get(key, 0):
                raise Unsupported("a hand that shows nothing")
        return known.get(key, 0) & asked

    def _learnt(self, one: str, other: str, has: bool, left: int) -> bool:
        """Note what a valid way shows that has these patterns somewhere; return whether there is one."""
        numbers = [number for at, number in enumerate(self._numbers) if left >> at & 1]
        about = f"{self._name}: {one} {'with' if has else 'without'} {other}"
        for way, is_way, session in self._sessions:
            goal = [way.holds[one], way.holds[other] if has else negate(way.holds[other])]
            model = self._many.model(session, about, goal, numbers)
            if model is not None:
                self._note(way, is_way, model)
                return True
        return False

    def _note(self, way: Way, is_way: Truth, model: Model) -> None:
        """Note which patterns a hand has under each alternative."""
        valid, *holds = self._many.under(model, [is_way, *(way.holds[p] for p in self._order)], self._numbers)
        where = {
            p: _bits(map(all, zip(valid, own, strict=True)))
            for p, own in zip(self._order, holds, strict=True)
        }
        for one, own in where.items():
            for other, theirs in where.items() if own else ():
                key = one, other
                self._with[key] = self._with.get(key, 0) | own & theirs
                self._without[key] = self._without.get(key, 0) | own & ~theirs


def _bits(truths: Iterator[bool]) -> int:
    return sum(1 << at for at, truth in enumerate(truths) if truth)


def _name(symbol: Truth) -> str:
    return str(symbol.decl().name())
