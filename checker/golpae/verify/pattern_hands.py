"""Hands that show what the patterns of a score are, found by the solver.

Input: a table, the name of a score, and patterns of it.
Output: for each pattern a hand that it counts for, if one was found.
The hand may be one of a table with another option, if the prover supports the score only there.
Guarantee: replay has scored each hand, and counts the pattern in the layout that it shows. The hand has no other
pattern, meld or mark (`a win on the last tile`) that it can do without, as far as the solver says. That no hand has a
pattern is proved.

    four-of-a-kind      ->      3 3 3 3, and not: 3 3 3 3 drawn, with a run beside it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from golpae.elaborate.instance import Instance, TableFault, instantiate, values_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import ScoreDecl
from golpae.ir.traverse import free, names_in
from golpae.ir.types import Bag, Bool, Meld
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.scoring_ways import UNLISTED, Way, check_exactly
from golpae.prove.solving.model import read
from golpae.prove.solving.solver import SAT, UNSAT, LimitReached, Reply, Session
from golpae.prove.symbolic import values as symbolic
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.theorem_witness import parameter_in_words
from golpae.replay import runtime
from golpae.replay.asked_scores import score_in_plain_data
from golpae.replay.scoring.score import Best
from golpae.replay.speaker import said_layout
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings

EFFORT = 0.2  # of what a question of a proof may cost: a hand that is hard to find is no example


@dataclass(frozen=True, slots=True)
class PatternHand:
    """A hand that a pattern counts for: its score as `asked_scores` has it, and in words what is given beside the tiles
    that are laid out. `score` is None if no hand has the pattern.
    """

    pattern: str
    score: dict[str, Any] | None
    given: tuple[tuple[str, str], ...] = ()


def pattern_hands(
    instance: Instance, patterns: Mapping[str, Iterable[str]], note: Callable[[], None] = lambda: None
) -> Iterator[PatternHand]:
    """Yield hands for patterns of scores, in the order of the text; `note` is called after each pattern."""
    for score in instance.rule_set.scores:
        wanted = {*patterns.get(score.name, ())}
        finder = _finder(instance, score) if wanted else None
        for pattern in score.patterns if finder is not None else ():
            if pattern.name in wanted and finder is not None:
                yield from finder.hands(pattern.name)
                note()


def _finder(instance: Instance, score: ScoreDecl) -> _Finder | None:
    """Return a finder for a table, or for one with another option; None if the prover supports none of them."""
    for table in (instance, *_other_tables(instance)):
        analysis = Analysis(table, Settings(effort=EFFORT))
        with suppress(Unsupported, LimitReached):
            evaluator, ways, are_all = analysis.theorems.scoring.supported_ways(score.name)
            if ways:
                return _Finder(analysis, evaluator, score, ways, are_all and table is instance)
    return None


def _other_tables(instance: Instance) -> Iterator[Instance]:
    """Yield tables of the same rules at which one option has its lowest or highest value instead."""
    for option in instance.rule_set.options:
        values = values_of(instance.rule_set, option.name)
        for value in dict.fromkeys((values[0], values[-1])):
            if value != instance.options[option.name]:
                with suppress(TableFault):
                    yield instantiate(
                        instance.rule_set, instance.players, {**instance.options, option.name: value}
                    )


class _Finder:
    """Finds hands for the patterns of one score, in these ways; `are_all`: there are no others."""

    def __init__(
        self, analysis: Analysis, evaluator: Evaluator, score: ScoreDecl, ways: Iterable[Way], are_all: bool
    ) -> None:
        self._machine, self._instance = analysis.machine, analysis.instance
        self._evaluator = evaluator
        self._score = score
        self._are_all = are_all
        self._vain: dict[str, set[int]] = {}  # by arrangement, wishes that other patterns could not have
        self._is_exact = True  # until something cannot be listed
        self._sessions = [(way, analysis.solver.session([*way.facts, way.valid], broad=True)) for way in ways]

    def hands(self, pattern: str) -> Iterator[PatternHand]:
        """Yield a hand that a pattern counts for, or that there is none; nothing if the solver cannot say."""
        is_ruled_out = self._are_all
        for way, session in self._sessions:
            if way.holds[pattern] is False:
                continue
            try:
                first = self._ask(pattern, session, [way.holds[pattern]])
                is_ruled_out &= first.status == UNSAT
                if first.status != SAT:
                    continue
                models = (self._plainest(pattern, way, session, first.model), first.model)
                hand = next(filter(None, (self._confirmed(pattern, way, model) for model in models)), None)
            except (Unsupported, LimitReached, TooManySteps):
                is_ruled_out, hand = False, None
            if hand is not None:
                yield hand
                return
        if is_ruled_out:
            yield PatternHand(pattern, None)

    def _ask(self, pattern: str, session: Session, goals: Iterable[symbolic.Truth]) -> Reply:
        """Return a reply whose model may be of an abstraction if the rules cannot all be listed: replay judges it."""
        about, asked = f"{self._score.name}: {pattern}", [*goals]
        if self._is_exact:
            exactly = check_exactly(session, self._evaluator, about, asked)
            self._is_exact = exactly.reason != UNLISTED
            if self._is_exact:
                return exactly
        return session.check(about, asked)

    def _plainest(self, pattern: str, way: Way, session: Session, model: Any) -> Any:
        """Return a model of a hand that has as little as possible beside a pattern; `model` is some hand with it."""
        goals = [way.holds[pattern]]
        wishes = [*enumerate(self._wishes(pattern, way))]
        vain = self._vain.setdefault(way.arrangement, set())
        hopeful = [wish for wish in wishes if wish[0] not in vain]
        waiting = [*([wish] for wish in reversed(wishes) if wish[0] in vain), hopeful]
        while waiting:
            block = waiting.pop()
            if not all(read(model, wish) is True for _, wish in block):
                reply = self._ask(pattern, session, [*goals, *(wish for _, wish in block)])
                if reply.status != SAT:  # the first half goes before the second
                    half = len(block) // 2
                    waiting += [block[half:], block[:half]] if half else []
                    vain.update(number for number, _ in block if not half)
                    continue
                model = reply.model
            goals += [wish for _, wish in block]
        return model

    def _wishes(self, pattern: str, way: Way) -> Iterator[symbolic.Truth]:
        """Yield the formulas that make a hand plain, the most important first: no melds, no other pattern, then nothing
        given beside it.
        """
        for param in self._score.params:
            value = way.names[param.name]
            if isinstance(value, symbolic.Bag) and param.type == Bag(Meld()):
                labels = dict.fromkeys(str(meld.label) for meld, _ in value.items())
                for label in labels:
                    melds = [count for meld, count in value.items() if str(meld.label) == label]
                    yield symbolic.equal(symbolic.total_of(melds), 0)
        for name, holds in reversed([*way.holds.items()]):  # the last ones count most, by custom
            yield True if name == pattern else symbolic.negate(holds)
        laid_out = names_in(self._score.hand)
        for param in self._score.params:
            value = way.names[param.name]
            if param.initial is not None and free(param.initial):  # what the other values say
                with suppress(Unsupported):
                    yield symbolic.same(value, self._evaluator.value(param.initial, None, way.names))
            elif param.type == Bag(Meld()):
                continue
            elif isinstance(value, symbolic.Bag) and param.name not in laid_out:
                yield symbolic.equal(symbolic.size(value), 0)
            elif param.type == Bool():
                yield symbolic.same(value, False)
            elif param.initial is not None and not isinstance(value, symbolic.Bag):
                usual = self._machine.value(param.initial, self._machine.first_state, {})
                yield symbolic.same(value, usual)

    def _confirmed(self, pattern: str, way: Way, model: Any) -> PatternHand | None:
        """Return the hand of a model as replay scores it; None if replay says otherwise."""
        machine, score = self._machine, self._score
        names = {param.name: _plain(read(model, way.names[param.name])) for param in score.params}
        state = machine.first_state
        if not all(machine.value(condition.expr, state, names) for condition in score.provided):
            return None
        best: Best | None = machine.scorers[score.name].best(state, *names.values())
        if best is None or pattern not in said_layout(best).patterns:
            return None
        return PatternHand(pattern, score_in_plain_data(machine, score.name, best), tuple(self._given(names)))

    def _given(self, names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the values that are given beside the tiles of the hand, as far as they are not the usual ones."""
        first = next((p for p in self._score.params if p.type == self._score.hand.type), None)
        for param in self._score.params:
            value = names[param.name]
            is_usual = value is None or value is False or value == ()
            if param.initial is not None:
                is_usual |= value == self._machine.value(param.initial, self._machine.first_state, names)
            if param is not first and not is_usual:
                words = self._melds(value) if param.type == Bag(Meld()) else None
                yield param.name, words or parameter_in_words(self._instance, value, param.type)

    def _melds(self, melds: Iterable[runtime.Meld]) -> str:
        name = self._machine.tile
        return ", ".join(f"{meld.label or ''} {' '.join(map(name, meld))}".strip() for meld in melds)


def _plain(value: Any) -> Any:
    """Return a value of the prover as replay has it."""
    if isinstance(value, symbolic.MeldValue):
        return runtime.Meld(value.tiles, value.label)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value
