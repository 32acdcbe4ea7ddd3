"""Decide whether two rule sets count all hands of a score alike, whether or not a game asks for it.

Input: two instances with the same kinds of tiles, the name of a score, settings.
Output: a `ScoreAnswer`.
Guarantee: a hand that is shown was scored by replay under both, as `golpae score` does. That all count alike is proved:
by the solver, way by way, or by going through all hands.

The steps: ask the solver for a way that is scored otherwise; look at hands by chance; count all hands, if they are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.compare.games.alignment import Rewritten
from golpae.compare.scores.verdict import NO_NUMBERS, REFUSED, CountedHand, ScoreAnswer
from golpae.compare.size.exact import ExactCounts, is_state_independent
from golpae.compare.size.random_hands import RandomHands
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet, ScoreDecl
from golpae.ir.scoring import stated_labels
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.paired_scores import PairedWay, paired_ways
from golpae.prove.solving.model import Model, read
from golpae.prove.solving.solver import SAT, UNSAT, Limits, Solver
from golpae.prove.symbolic import values as symbolic
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay import runtime
from golpae.replay.chance import WORDS, Chance
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.replay.simulate import value_written
from golpae.replay_bridge import ReplayShapes
from golpae.verify.options import Settings

HANDS = 1_000  # by chance
MODELS = 4  # of the solver, whose ways differ although their hands may count the same
ALL_HANDS = "all hands are counted one by one"
EVERY_WAY = "by the solver, in every arrangement of a hand"
ONLY_IN = ("only {a} has the score", "only {b} has the score")
KEYS = "its keys are different"
NO_HAND = "no hand was found that counts differently"


def decide_score(a: Instance, b: Instance, name: str, settings: Settings) -> ScoreAnswer:
    """Return whether all hands of a score count alike."""
    scores = [next((s for s in i.rule_set.scores if s.name == name), None) for i in (a, b)]
    ours, theirs = scores
    if ours is None or theirs is None:
        return ScoreAnswer(name, REFUTED, ONLY_IN[ours is None])
    if _keys(ours) != _keys(theirs):
        return ScoreAnswer(name, REFUTED, KEYS)
    return _Pair(a, b, name, settings).decided()


def _keys(score: ScoreDecl) -> list[tuple[str, str, bool]]:
    """Return the keys of a score, with their types, and whether each may be left out."""
    return sorted((p.name, repr(p.type), p.initial is not None or p.optional) for p in score.params)


class _Pair:
    """One score under two rule sets at one table."""

    def __init__(self, a: Instance, b: Instance, name: str, settings: Settings) -> None:
        self._instances, self._name, self._settings = (a, b), name, settings
        self._machines = (Machine(a, counting=True), Machine(b, counting=True))
        self._scores = [machine.scorers[name].score for machine in self._machines]
        self._libraries = [_library(one.rule_set) for one in (a, b)]

    def decided(self) -> ScoreAnswer:
        """Return whether all hands count alike."""
        rules = [instance.rule_set for instance in self._instances]
        if not all(map(is_state_independent, self._scores, rules)):
            return ScoreAnswer(self._name, UNKNOWN, "it depends on the game")
        try:
            answer = self._by_ways()
        except (Unsupported, TooManySteps) as lack:
            answer = f"the prover does not support {lack}" if isinstance(lack, Unsupported) else str(lack)
        if isinstance(answer, ScoreAnswer):
            return answer
        hand = next(self._by_chance(), None)
        if hand is not None:
            return self._refuted(hand)
        return self._counted() or ScoreAnswer(self._name, UNKNOWN, f"{NO_HAND}; {answer}")

    def _refuted(self, hand: CountedHand) -> ScoreAnswer:
        return ScoreAnswer(self._name, REFUTED, "a hand", hand)

    # ------------------------------------------------------------------ by the solver

    def _by_ways(self) -> ScoreAnswer | str:
        """Return the answer that the solver gives, or why it gives none. Raises `Unsupported`."""
        if not self._leaves_out_alike():
            return "values that are left out have other values"
        solver = Solver(Limits(effort=self._settings.effort, seed=self._settings.solver_seed))
        a, b = (
            Evaluator(instance, ReplayShapes(machine), SymbolFactory(""))
            for instance, machine in zip(self._instances, self._machines, strict=True)
        )
        labels = [(None, *sorted(stated_labels(instance.rule_set))) for instance in self._instances]
        is_open = False
        with parts_apart():
            for way in paired_ways((a, b), self._name, labels):
                hand_or_open = self._hand_of(solver, way)
                if isinstance(hand_or_open, CountedHand):
                    return self._refuted(hand_or_open)
                is_open |= hand_or_open
        if is_open:
            return "the solver gave no hand that replay counts differently"
        return ScoreAnswer(self._name, PROVED, EVERY_WAY)

    def _leaves_out_alike(self) -> bool:
        """Return whether both give each value that is left out the same value, by syntax."""
        usual: list[dict[str, ir.Expr | None]] = [{p.name: p.initial for p in s.params} for s in self._scores]
        ours, theirs = usual
        same = Rewritten(self._instances[0].rule_set, self._instances[1].rule_set).same

        def alike(one: ir.Expr | None, other: ir.Expr | None) -> bool:
            return one is other if one is None or other is None else same(one, other)

        return all(alike(one, theirs[name]) for name, one in ours.items())

    def _hand_of(self, solver: Solver, way: PairedWay) -> CountedHand | bool:
        """Return a hand of a way that counts differently; otherwise whether there may be one."""
        session = solver.session([*way.facts, way.differs])
        different: list[symbolic.Truth] = []
        for _ in range(MODELS):
            reply = session.check(self._name, different)
            if reply.status == UNSAT:
                return bool(different)
            if reply.status != SAT:
                return True
            model = reply.satisfied_by
            values = {name: _plain(read(model, value)) for name, value in way.names.items()}
            hand = self._hand(values)
            if hand is not None:
                return hand
            different.append(symbolic.negate(_same_points(way, model)))
        return True

    # ------------------------------------------------------------------ by playing

    def _by_chance(self) -> Iterator[CountedHand]:
        """Yield hands by chance that count differently."""
        drawn = RandomHands(self._machines, self._name)
        if not drawn.possible:
            return
        for number in range(self._settings.scaled(HANDS)):
            values = drawn.draw(Chance(self._settings.seed % WORDS, number), number % 2)
            if values is not None:
                named = dict(zip(drawn.names, values[0], strict=True))
                hand = self._hand({name: named[name] for name in drawn.stated})
                if hand is not None:
                    yield hand

    def _counted(self) -> ScoreAnswer | None:
        """Return the answer from counting all hands; None if they are too many to count."""
        a, b = self._machines
        if any(score.provided for score in self._scores):
            return None
        try:
            counts = ExactCounts(a, b, Rewritten(a.rules, b.rules))
            if not counts.counts(self._name):
                return None
            amount = next((amount for amount in counts.of_score(self._name) if amount.count), None)
        except TooManySteps:
            return None
        if amount is None:
            return ScoreAnswer(self._name, PROVED, ALL_HANDS)
        return ScoreAnswer(self._name, REFUTED, f"{amount.what}: {amount.count:,} of {amount.of:,}")

    # ------------------------------------------------------------------ hands

    def _hand(self, values: Mapping[str, Any]) -> CountedHand | None:
        """Return a hand if the two count it differently, or only one takes it."""
        written = {}
        for param in self._scores[0].params:
            if param.name in values and (values[param.name] is not None or param.initial is not None):
                written[param.name] = value_written(self._machines[0], values[param.name], param.type)
        (a, ours), (b, theirs) = (self._counts(library, written) for library in self._libraries)
        if "" in (a, b) or {a, b} <= {None, REFUSED} or a == b:
            return None
        return CountedHand(written, (a, b), (ours, theirs))

    def _counts(
        self, library: Library, hand: Mapping[str, Any]
    ) -> tuple[int | str | None, Mapping[str, int]]:
        """Return the points of a hand as `golpae score` gives them, and its numbers. The points are an empty text if
        the hand takes too many steps, and `REFUSED` if it is refused otherwise.
        """
        instance = self._instances[0]
        line: dict[str, Any] = {**hand, "rules": "rules", "players": instance.players}
        if len(instance.rule_set.scores) > 1 and "score" not in hand:
            line["score"] = self._name
        if instance.options:
            line["options"] = dict(instance.options)
        scored = score_hand(line, library)
        if isinstance(scored, Scored):
            best = next((way for way in scored.ways if way.points == scored.points), None)
            return scored.points, NO_NUMBERS if best is None else dict(best.numbers)
        return "" if isinstance(scored, Fault) and scored.too_long else REFUSED, NO_NUMBERS


def _library(rules: RuleSet) -> Library:
    return Library(lambda name: rules)


def _same_points(way: PairedWay, model: Model) -> symbolic.Truth:
    """Return whether the points are those of a model."""
    return symbolic.all_of(symbolic.equal(points, read(model, points)) for points in way.points)


def _plain(value: Any) -> Any:
    """Return a value of the prover as replay has it."""
    if isinstance(value, symbolic.MeldValue):
        return runtime.Meld(value.tiles, value.label)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(_plain, value))
    return value
