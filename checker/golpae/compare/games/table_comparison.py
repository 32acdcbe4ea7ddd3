"""Answer the questions about the games of two rule sets at one table.

Input: two rule sets with the same tiles and zones, a number of players, options.
Output: `AtTable`, with a proof or a game for each answer.
Guarantee: replay has accepted each game under one rule set, and refused its last event under the other.

The steps, from cheap to expensive: compare by syntax; look at recorded games; play games at random, and towards wins if
hands are worth something; prove, with failed conditions as invariants; search for a short game with the solver; play
more games; prove from more invariants; search longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from golpae.compare.games import random_search
from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable, why_order_matters
from golpae.compare.games.all_games import MOST_POSITIONS, AllGames, go_through
from golpae.compare.games.bounded_search import BoundedSearch
from golpae.compare.games.confirmed_game import Lines, TablePair, confirmed
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.games.random_search import Divergence, towards_divergences
from golpae.compare.games.recorded_games import shortest_recorded
from golpae.compare.games.refinement import RefinementChecker
from golpae.compare.games.verdict import (
    A_IN_B,
    B_IN_A,
    BOUNDED,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    UNKNOWN,
    AtTable,
    QuestionResult,
    WitnessGame,
)
from golpae.compare.scores.decide import decide_score
from golpae.compare.scores.differing import asked_scores, differing_scores
from golpae.compare.scores.verdict import ScoreAnswer
from golpae.diagnostics.amounts import many
from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.prove.solving.solver import MILLION, LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.machine import Machine
from golpae.search import witness
from golpae.trace.discover import Source
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.workers import tell_doing, tell_found

SIMPLE = 30  # kinds of events: conditions on no more are tried as invariants before games are searched for
TOWARDS = 150  # games of players who go towards a win, by each rule set
FEW, MANY = 80, 1_000  # random games, before a proof is tried and after it failed
TRIED = 120_000  # events of one side that they may try on the other
# paths of a bounded search and units of the solver's work, before and after all proofs were tried
SOON, SEARCHED = (300, 15 * MILLION), (900, 45 * MILLION)
PROVING, SEARCHING = "proving", "searching with the solver"
LONGEST = 10  # events of a game that a bounded search looks for if there is no game yet


def at_table(pair: TablePair, settings: Settings, recorded: Sequence[Source] = ()) -> AtTable:
    """Return the answers at one table. The two must be comparable (`why_incomparable`).

    `recorded` are files of games that may show a difference. Raises OSError if one cannot be read.
    """
    assert why_incomparable(pair.a, pair.b) is None
    why = why_order_matters(pair.a, pair.b)
    if why is None:
        comparison = _TableComparison(pair, settings, recorded)
        try:
            answers = comparison.run()
        except (LimitReached, TooManySteps) as limit:
            return unfinished(pair, str(limit), comparison.answers)
    else:
        one, other = (Machine(instantiate(r, pair.players, pair.options)) for r in (pair.a, pair.b))
        answers = dict.fromkeys(QUESTIONS, QuestionResult(UNKNOWN, why))
        answers |= _by_all_games(pair, (one, other), go_through(one, other, QUESTIONS, MOST_POSITIONS))
    alike = all(answers[question].verdict == PROVED for question in QUESTIONS)
    scores = tuple(_scores(pair, settings, alike))
    return AtTable(pair.players, dict(pair.options), *(answers[q] for q in QUESTIONS), scores=scores)


def unfinished(pair: TablePair, limit: str, answers: Mapping[str, QuestionResult]) -> AtTable:
    """Return the answers that were there when a comparison exceeded a limit."""
    found = {**dict.fromkeys(QUESTIONS, QuestionResult(UNKNOWN, limit)), **answers}
    return AtTable(pair.players, dict(pair.options), *(found[question] for question in QUESTIONS))


def _scores(pair: TablePair, settings: Settings, games_are_alike: bool) -> Iterator[ScoreAnswer]:
    """Yield whether hands count alike, for each score that no game asks for; for all, if games show no difference."""
    b = aligned(pair.a, pair.b)
    asked = frozenset[str]() if games_are_alike else asked_scores(pair.a, b)
    for name in differing_scores(pair.a, b):
        if name not in asked:
            tell_doing(f"comparing what hands count by `{name}`")
            ours, theirs = (instantiate(rules, pair.players, pair.options) for rules in (pair.a, b))
            yield decide_score(ours, theirs, name, settings)


def _by_all_games(
    pair: TablePair, machines: tuple[Machine, Machine], games: AllGames
) -> dict[str, QuestionResult]:
    """Return the answer to each question that the exploration of all games decides, queried or not. Raises
    `RuntimeError` if replay does not confirm a witness.
    """
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
            answers[question] = QuestionResult(PROVED, f"all {many(len(games.positions), 'position')}")
    return answers


@dataclass(frozen=True, slots=True)
class _SearchedGame:
    """A game from the bounded search, or None. No game with up to `exhausted` events answers the question."""

    game: WitnessGame | None
    exhausted: int


class _TableComparison:
    """The answers at one table: by syntax, by going through all games, by proofs, by a search for games."""

    def __init__(self, pair: TablePair, settings: Settings, recorded: Sequence[Source]) -> None:
        self.pair = pair
        self.recorded = recorded
        self.settings = settings
        b = aligned(pair.a, pair.b)
        self.rewritten = Rewritten(pair.a, b)
        self.a = Analysis(instantiate(pair.a, pair.players, pair.options), settings, "a ", b)
        self.b = Analysis(instantiate(b, pair.players, pair.options), settings, "b ", pair.a)
        self.checker = RefinementChecker(self.a, self.b, self.rewritten)
        self.answers: dict[str, QuestionResult] = {}
        self._told: set[str] = set()
        self.why_unproved: dict[str, str] = {}
        self.exhausted: dict[str, int] = {}  # for each question, up to how many events no game answers it

    @property
    def _machines(self) -> tuple[Machine, Machine]:
        return self.a.machine, self.b.machine

    def run(self) -> dict[str, QuestionResult]:
        """Return the answer to each question."""
        tell_doing("comparing rules")
        self.answers = self.checker.by_syntax()
        if self._open() and (why := self._without_games()) is not None:
            return {**dict.fromkeys(QUESTIONS, QuestionResult(UNKNOWN, why)), **self.answers}
        recorded = self._look_at_recorded()
        self._go_through()
        self._play(FEW)
        if asked_scores(self.pair.a, self.pair.b):
            self._play_towards(TOWARDS)  # what hands are worth makes formulas large
        self._each_open(PROVING, lambda q: self._prove(q, partial(self._try_as_invariant, most=SIMPLE)))
        self._each_open(SEARCHING, lambda q: self._look_for_game(q, SOON))
        self._each_open(PROVING, lambda q: self._prove(q, self._try_as_invariant))
        self._play(MANY)
        self._each_open(PROVING, lambda q: self._prove(q, self._strengthen))
        self._each_open(SEARCHING, lambda q: self._look_for_game(q, SEARCHED))
        for question in QUESTIONS:
            if question not in self.answers:
                self.answers[question] = self._undecided(question)
            elif self.answers[question].verdict == REFUTED and question not in recorded:
                tell_doing("looking for a shorter game")
                self.answers[question] = self._shortened(question, self.answers[question])
        return self.answers

    def _without_games(self) -> str | None:
        """Return why one of the two has no games, because a first value passes a limit, or None."""
        for rules, machine in zip((self.pair.a, self.pair.b), self._machines, strict=True):
            try:
                machine.new_state()
            except TooManySteps as limit:
                return f"{rules.rules} has no games, for it begins with too large a value: {limit}"
        return None

    def _each_open(self, doing: str, answer: Callable[[str], None]) -> None:
        """Look for an answer to each question without one."""
        self._tell()
        for question in self._open():
            tell_doing(doing)
            try:
                with parts_apart():
                    answer(question)
            except Unsupported as fault:
                self.why_unproved[question] = f"the prover does not support {fault}"
            self._tell()

    def _tell(self) -> None:
        """Tell the answers that have not been told."""
        for question, answer in self.answers.items():
            if question not in self._told:
                self._told.add(question)
                tell_found(f"{self._in_words(question)} ({answer.verdict})", dict(self.answers))

    def _in_words(self, question: str) -> str:
        a, b = self.pair.a.rules, self.pair.b.rules
        what = {A_IN_B: f"{b} allows all games of {a}", B_IN_A: f"{a} allows all games of {b}"}
        return what.get(question, "payments are the same")

    def _go_through(self) -> None:
        """Answer the open questions by going through all games, if these are few. Proofs have to agree."""
        self._tell()
        questions = self._open()
        if not questions:
            return
        tell_doing("going through games")
        games = go_through(*self._machines, questions, MOST_POSITIONS)
        for question, answer in _by_all_games(self.pair, self._machines, games).items():
            before = self.answers.setdefault(question, answer)
            if before.verdict != answer.verdict or (
                answer.game is not None and self._proof(question).verdict == PROVED
            ):
                raise RuntimeError(f"a game refutes what is proved ({question})")
        self.exhausted = {q: games.exhausted for q in games.exact if q not in self.answers}

    def _open(self) -> list[str]:
        """Return the questions without an answer."""
        return [q for q in QUESTIONS if q not in self.answers]

    def _sides(self, question: str) -> tuple[Analysis, Analysis]:
        """Return the side whose games the question is about, and the other side."""
        return (self.b, self.a) if question == B_IN_A else (self.a, self.b)

    # ------------------------------------------------------------------ games

    def _look_at_recorded(self) -> frozenset[str]:
        """Answer open questions by the shortest recorded games, and return which."""
        if not self.recorded:
            return frozenset()
        games = shortest_recorded(self.pair, self._machines, self.recorded, self._open())
        for question, (game, place) in games.items():
            self.answers[question] = _refuted(game, place)
        return frozenset(games)

    def _play(self, games: int) -> None:
        """Play games at random to answer the open questions."""
        self._tell()
        questions = self._open()
        if not questions:
            return
        tell_doing("playing at random")
        seed = self.settings.seed
        divergences = random_search.find_divergences(
            PairedMachines(*self._machines),
            self.rewritten,
            seed,
            self.settings.scaled(games),
            TRIED,
            questions,
        )
        self._take(divergences)

    def _play_towards(self, games: int) -> None:
        """Let players go towards a win to answer the open questions."""
        self._tell()
        questions = self._open()
        if not questions:
            return
        tell_doing("playing towards wins")
        games = self.settings.scaled(games)
        self._take(towards_divergences(PairedMachines(*self._machines), self.settings.seed, games, questions))

    def _take(self, divergences: Mapping[str, Divergence]) -> None:
        """Answer questions by games that replay confirms."""
        for question, divergence in divergences.items():
            ours, _ = self._sides(question)
            lines = witness.as_trace(ours.machine, divergence.events)
            game = self._confirmed(question, lines, shortest=len(divergence.events) <= 1)
            if game is not None:
                self.answers[question] = _refuted(game)

    def _confirmed(self, question: str, lines: Lines, shortest: bool) -> WitnessGame | None:
        """Return the game if replay accepts it on one side and refuses its last event on the other."""
        return confirmed(self.pair, self._machines, question, lines, shortest)

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

    def _look_for_game(self, question: str, budget: tuple[int, int]) -> None:
        """Let the solver search for a game that answers the question."""
        result = self._search(question, LONGEST, budget)
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
                BOUNDED, f"no game of up to {many(exhausted, 'event')} refutes it; {why}", bound=exhausted
            )
        return QuestionResult(UNKNOWN, why)

    def _search(self, question: str, most: int, budget: tuple[int, int]) -> _SearchedGame:
        """Search for a game of at most `most` events that answers the question."""
        ours, theirs = self._sides(question)
        confirmed: list[WitnessGame] = []

        def accept(events: Lines, stake: int) -> bool:
            completed = witness.completed(ours.machine, events, stake)
            lines = witness.as_trace(ours.machine, completed, stake)
            game = self._confirmed(question, lines, shortest=False)
            if game is not None:
                confirmed.append(game)
            return game is not None

        try:
            search = BoundedSearch(ours, theirs, self.checker.divergence, *budget)
            result = search.run(question, most, accept)
        except Unsupported:
            return _SearchedGame(None, 0)
        if result.events is None:
            return _SearchedGame(None, result.exhausted)
        game = confirmed[-1]
        shortest = result.exhausted >= game.events - 1
        return _SearchedGame(replace(game, shortest=shortest), result.exhausted)


def _refuted(game: WitnessGame, place: str | None = None) -> QuestionResult:
    """Return the answer that a game gives; `place` is where it is recorded, if it is."""
    story = f"a game of {many(game.events, 'event')}"
    if place is not None:
        story += f", recorded at {place}"
    return QuestionResult(REFUTED, f"{story}; no shorter one exists" if game.shortest else story, game)
