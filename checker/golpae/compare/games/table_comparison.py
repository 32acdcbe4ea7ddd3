"""Answer the questions about the games of two rule sets at one table.

Input: two rule sets with the same tiles and zones, a number of players, options.
Output: `AtTable`, with a proof or a game for each answer.
Guarantee: replay has accepted each game under one rule set, and refused its last event under the other.

The steps, from cheap to expensive: compare by syntax; play games at random; prove, with failed conditions as
invariants; search for a short game with the solver; play more games; prove from more invariants; search longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from golpae.compare.games import random_search
from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable, why_order_matters
from golpae.compare.games.all_games import MOST_POSITIONS, AllGames, go_through
from golpae.compare.games.bounded_search import BoundedSearch
from golpae.compare.games.confirmed_game import Lines, TablePair, confirmed
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.verdict import (
    B_IN_A,
    BOUNDED,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    UNKNOWN,
    AtTable,
    Game,
    QuestionResult,
)
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.symbolic.values import Unsupported
from golpae.replay.machine import Machine
from golpae.search import witness
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings

SIMPLE = 30  # kinds of events: conditions on no more are tried as invariants before games are searched for
FEW, MANY = 80, 1_000  # random games, before a proof is tried and after it failed
PLAYED = 15.0  # seconds that they may take
SOON, SEARCHED = 5.0, 15.0  # seconds of a bounded search, before and after all proofs were tried
LONGEST = 10  # events of a game that a bounded search looks for if there is no game yet


def at_table(pair: TablePair, settings: Settings) -> AtTable:
    """Return the answers at one table. The two must be comparable (`why_incomparable`).

    If going through all games answers a question, the proofs only have to agree.
    """
    assert why_incomparable(pair.a, pair.b) is None
    why = why_order_matters(pair.a, pair.b)
    b = pair.b if why is not None else aligned(pair.a, pair.b)
    machines = [Machine(instantiate(rules, pair.players, pair.options)) for rules in (pair.a, b)]
    games = go_through(machines[0], machines[1], MOST_POSITIONS)
    answers = _answers(pair, (machines[0], machines[1]), games)
    if why is not None:
        for question in QUESTIONS:
            answers.setdefault(question, QuestionResult(UNKNOWN, why))
    else:
        answers = _TableComparison(
            pair, b, settings, answers, dict.fromkeys(games.exact, games.exhausted)
        ).run()
    return AtTable(pair.players, dict(pair.options), *(answers[q] for q in QUESTIONS))


def _answers(
    pair: TablePair, machines: tuple[Machine, Machine], games: AllGames
) -> dict[str, QuestionResult]:
    """Return what going through all games answers."""
    answers = {}
    for question in QUESTIONS:
        events = games.refuted.get(question)
        if events is not None:
            machine = machines[1 if question == B_IN_A else 0]
            stake = games.stakes.get(question, 1)
            ended = witness.completed(machine, witness.as_trace(machine, events)[1:], stake)
            lines = witness.as_trace(machine, ended, stake)
            game = confirmed(pair, machines, question, lines, question in games.exact)
            if game is None:
                raise RuntimeError(f"replay does not confirm a game of {len(events)} events ({question})")
            answers[question] = _refuted(game)
        elif games.whole and question in games.exact:
            answers[question] = QuestionResult(PROVED, f"all {len(games.positions):,} positions")
    return answers


@dataclass(frozen=True, slots=True)
class _SearchedGame:
    """A game from the bounded search, or None. No game with up to `exhausted` events answers the question."""

    game: Game | None
    exhausted: int


class _TableComparison:
    """The answers that going through all games has left open. `b` is the second rule set, aligned with the first.

    `answers` are those that all games give. `exhausted` is up to how many events no game answers a question.
    """

    def __init__(
        self,
        pair: TablePair,
        b: RuleSet,
        settings: Settings,
        answers: Mapping[str, QuestionResult],
        exhausted: Mapping[str, int],
    ) -> None:
        self.pair = pair
        self.settings = settings
        self.rewritten = Rewritten(pair.a, b)
        self.a = Analysis(instantiate(pair.a, pair.players, pair.options), settings, "a ", b)
        self.b = Analysis(instantiate(b, pair.players, pair.options), settings, "b ", pair.a)
        self.checker = RefinementChecker(self.a, self.b, self.rewritten)
        self.answers = dict(answers)
        self.why_unproved: dict[str, str] = {}
        self.exhausted = {q: events for q, events in exhausted.items() if q not in answers}

    def run(self) -> dict[str, QuestionResult]:
        """Return the answer to each question."""
        for question, proved in self.checker.by_syntax().items():
            if self.answers.setdefault(question, proved).verdict == REFUTED:
                raise RuntimeError(f"a game refutes what is written alike ({question})")
        self._check_proofs()
        self._play(FEW)
        for question in self._open():
            self._prove(question, partial(self._try_as_invariant, most=SIMPLE))
        for question in self._open():
            self._look_for_game(question, SOON)
        for question in self._open():
            self._prove(question, self._try_as_invariant)
        self._play(MANY)
        for question in self._open():
            self._prove(question, self._strengthen)
        for question in self._open():
            self._look_for_game(question, SEARCHED)
        for question in QUESTIONS:
            if question not in self.answers:
                self.answers[question] = self._undecided(question)
            elif self.answers[question].verdict == REFUTED:
                self.answers[question] = self._shortened(question, self.answers[question])
        return self.answers

    def _check_proofs(self) -> None:
        """Raise an error if something is proved that going through all games has refuted."""
        for question, answer in self.answers.items():
            if answer.verdict == REFUTED and self._proof(question).verdict == PROVED:
                raise RuntimeError(f"a game refutes what is proved ({question})")

    def _open(self) -> list[str]:
        """Return the questions without an answer."""
        return [q for q in QUESTIONS if q not in self.answers]

    def _sides(self, question: str) -> tuple[Analysis, Analysis]:
        """Return the side whose games the question is about, and the other side."""
        return (self.b, self.a) if question == B_IN_A else (self.a, self.b)

    # ------------------------------------------------------------------ games

    def _play(self, games: int) -> None:
        """Play games at random to answer the open questions."""
        questions = self._open()
        if not questions:
            return
        machines = self.a.machine, self.b.machine
        seed = self.settings.seed
        divergences = random_search.find_divergences(
            *machines, self.rewritten, seed, games, PLAYED, questions
        )
        for question, divergence in divergences.items():
            ours, _ = self._sides(question)
            lines = witness.as_trace(ours.machine, divergence.events)
            game = self._confirmed(question, lines, shortest=len(divergence.events) <= 1)
            if game is not None:
                self.answers[question] = _refuted(game)

    def _confirmed(self, question: str, lines: Lines, shortest: bool) -> Game | None:
        """Return the game if replay accepts it on one side and refuses its last event on the other."""
        return confirmed(self.pair, (self.a.machine, self.b.machine), question, lines, shortest)

    # ------------------------------------------------------------------ proofs

    def _prove(self, question: str, find_invariants: Callable[[str], bool]) -> None:
        """Try to prove an answer, and once more if `find_invariants` succeeds."""
        answer = self._proof(question)
        try:
            if answer.verdict != PROVED and find_invariants(question):
                answer = self._proof(question)
        except Unsupported:
            pass
        if answer.verdict == PROVED:
            self.answers[question] = answer
        else:
            self.why_unproved[question] = answer.detail

    def _proof(self, question: str) -> QuestionResult:
        if question == PAID:
            return self.checker.paid_alike()
        return self.checker.all_legal(*self._sides(question))

    def _try_as_invariant(self, question: str, most: int | None = None) -> bool:
        return question != PAID and self.checker.try_as_invariant(*self._sides(question), most)

    def _strengthen(self, question: str) -> bool:
        return not self._depends_on_scores and self.checker.strengthen()

    @property
    def _depends_on_scores(self) -> bool:
        """Return whether a rewritten score has more parameters than a hand, which the encoding leaves open."""
        scores = {s.name: s for s in (*self.pair.a.scores, *self.pair.b.scores)}
        rewritten = [name for what, name in self.rewritten.parts if what == "score"]
        return any(len(scores[name].params) != 1 for name in rewritten)

    # ------------------------------------------------------------------ bounded search

    def _look_for_game(self, question: str, seconds: float) -> None:
        """Let the solver search for a game that answers the question."""
        result = self._search(question, LONGEST, seconds)
        self.exhausted[question] = max(result.exhausted, self.exhausted.get(question, 0))
        if result.game is not None:
            self.answers[question] = _refuted(result.game)

    def _shortened(self, question: str, answer: QuestionResult) -> QuestionResult:
        """Return the answer with the shortest game that the solver finds."""
        game = answer.game
        assert game is not None
        exhausted = self.exhausted.get(question, 0)
        if not game.shortest and exhausted < game.events - 1:
            result = self._search(question, game.events - 1, SEARCHED)
            game, exhausted = result.game or game, result.exhausted
        if exhausted >= game.events - 1:
            game = replace(game, shortest=True)
        return _refuted(game)

    def _undecided(self, question: str) -> QuestionResult:
        exhausted, why = self.exhausted.get(question, 0), self.why_unproved.get(question, "not proved")
        if exhausted:
            return QuestionResult(
                BOUNDED, f"no game of up to {exhausted} events refutes it; {why}", bound=exhausted
            )
        return QuestionResult(UNKNOWN, why)

    def _search(self, question: str, most: int, seconds: float) -> _SearchedGame:
        """Search for a game of at most `most` events that answers the question."""
        ours, theirs = self._sides(question)
        confirmed: list[Game] = []

        def accept(events: Lines) -> bool:
            lines = witness.as_trace(ours.machine, witness.completed(ours.machine, events))
            game = self._confirmed(question, lines, shortest=False)
            if game is not None:
                confirmed.append(game)
            return game is not None

        try:
            search = BoundedSearch(ours, theirs, self.checker.divergence, seconds)
            result = search.run(question, most, accept)
        except Unsupported:
            return _SearchedGame(None, 0)
        if result.events is None:
            return _SearchedGame(None, result.exhausted)
        game = confirmed[-1]
        shortest = result.exhausted >= game.events - 1
        return _SearchedGame(replace(game, shortest=shortest), result.exhausted)


def _refuted(game: Game) -> QuestionResult:
    many = f"a game of {game.events} events" if game.events != 1 else "a game of 1 event"
    return QuestionResult(REFUTED, f"{many}; no shorter one exists" if game.shortest else many, game)
