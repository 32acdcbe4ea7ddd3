"""What one rule set allows that another does not, table by table.

In: two rule sets, A and B, and what it may cost. Out: `Meaning`, with a proof or a game for each answer; or why the
two cannot be held against each other. A game is told only when replay has accepted it under the one rule set and
refused it, at its last event, under the other.

What is written alike needs no solver. Otherwise games are played at random in search of one that tells the two apart,
then a solver looks for a shorter one, or for a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from golpae.compare.games import cache
from golpae.compare.games import random_search as chance
from golpae.compare.games.alignment import Rewritten, aligned, why_incomparable
from golpae.compare.games.bounded_search import BoundedSearch
from golpae.compare.games.product import RefinementChecker
from golpae.compare.games.verdict import (
    B_IN_A,
    BOUNDED,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    UNKNOWN,
    Answer,
    AtTable,
    Game,
    Meaning,
)
from golpae.compare.options import CompareOptions
from golpae.elaborate.instance import instantiate
from golpae.ir import expr as ir
from golpae.ir.ruleset import Condition, RuleSet
from golpae.prove.symbolic.values import Unsupported
from golpae.replay.explain import reason
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.report import Refusal
from golpae.search import witness
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.scheduler import CRASHED, tables
from golpae.workers import Crash, results

SIMPLE = 30  # kinds of events that are supposed to be legal before games are searched for
FEW, MANY = 80, 1_000  # games at random, before a proof is tried and after it failed
PLAYED = 15.0  # seconds that they may take
SOON, SEARCHED = 5.0, 15.0  # seconds of a search for a shorter game, or for one at all
OF_PAYMENTS = {"pay", "totals", "winners"}  # conditions that every game has
DEEPEST = 10  # events of a game that is searched for where none is known


@dataclass(frozen=True, slots=True)
class TablePair:
    """Two rule sets at one table."""

    a: RuleSet
    b: RuleSet
    players: int
    options: Mapping[str, int]


def compare_games(pairs: Sequence[tuple[RuleSet, RuleSet]], asked: CompareOptions) -> list[Meaning | str]:
    """Return the answers for each pair, or why its games cannot be compared.

    `asked.jobs` processes share the tables.
    """
    settings = Settings(milliseconds=asked.milliseconds, seed=asked.seed)
    why = [why_incomparable(a, b) for a, b in pairs]
    wanted = [
        (number, TablePair(a, b, players, options))
        for number, (a, b) in enumerate(pairs)
        if why[number] is None
        for players, options in _common(a, b, asked)
    ]
    found: dict[int, AtTable] = {}
    names = [_entry(table, settings) for _, table in wanted] if asked.cached else []
    for at, name in enumerate(names):
        recalled = cache.load(name)
        if recalled is not None:
            found[at] = recalled
    missing = [at for at in range(len(wanted)) if at not in found]
    for at, told in _each(missing, [wanted[at][1] for at in missing], settings, asked.jobs):
        found[at] = told
        if asked.cached and _entry(wanted[at][1], settings) == names[at]:
            cache.store(names[at], told)
    out: list[Meaning | str] = []
    for number, (a, b) in enumerate(pairs):
        tables = tuple(found[at] for at, (n, _) in enumerate(wanted) if n == number)
        out.append(why[number] or Meaning(a.rules, b.rules, tables))
    return out


def _entry(table: TablePair, settings: Settings) -> str:
    """The name of what is kept of a table."""
    return cache.name_of(table.a, table.b, table.players, table.options, settings)


def _common(a: RuleSet, b: RuleSet, asked: CompareOptions) -> Iterator[tuple[int, dict[str, int]]]:
    """The tables that both rule sets have."""
    ours, theirs = (tables(r, asked.players, asked.options) for r in (a, b))
    yield from (table for table in ours if table in theirs)


def _each(
    numbers: Sequence[int], wanted: Sequence[TablePair], settings: Settings, jobs: int
) -> Iterator[tuple[int, AtTable]]:
    """What is found at each table, as soon as it is."""
    if min(jobs, len(wanted)) < 2:
        for number, table in zip(numbers, wanted, strict=True):
            yield number, at_table(table, settings)
        return
    for place, comparison in results(partial(at_table, settings=settings), wanted, jobs, reuse=True):
        if isinstance(comparison, Crash):
            if comparison.exception is not None:
                raise comparison.exception
            table = wanted[place]
            lost = Answer(UNKNOWN, CRASHED)
            comparison = AtTable(table.players, dict(table.options), lost, lost, lost)
        yield numbers[place], comparison


def at_table(table: TablePair, settings: Settings) -> AtTable:
    """All that can be said of one table. The rule sets must have nothing that keeps them apart (`why_incomparable`)."""
    return _Comparison(table, settings).run()


@dataclass(frozen=True, slots=True)
class _Searched:
    """A game that a solver found, and the number of events up to which there is certainly none."""

    game: Game | None
    deep: int


class _Comparison:
    def __init__(self, table: TablePair, settings: Settings) -> None:
        assert why_incomparable(table.a, table.b) is None
        self.table = table
        self.settings = settings
        b = aligned(table.a, table.b)
        self.rewritten = Rewritten(table.a, b)
        self.a = Analysis(instantiate(table.a, table.players, table.options), settings, "a ", b)
        self.b = Analysis(instantiate(b, table.players, table.options), settings, "b ", table.a)
        self.lockstep = RefinementChecker(self.a, self.b, self.rewritten)
        self.held: dict[str, Answer] = {}
        self.why: dict[str, str] = {}  # why a question was not proved
        self.deep: dict[str, int] = {}  # up to how many events no game answers it

    def run(self) -> AtTable:
        self.held = self.lockstep.by_syntax()
        self._play(FEW)
        for question in self._open():
            self._prove(question, partial(self._try_as_invariant, most=SIMPLE))
        for question in self._open():
            self._look(question, SOON)
        for question in self._open():
            self._prove(question, self._try_as_invariant)
        self._play(MANY)
        for question in self._open():
            self._prove(question, self._strengthen)
        for question in self._open():
            self._look(question, SEARCHED)
        for question in QUESTIONS:
            if question not in self.held:
                self.held[question] = self._undecided(question)
            elif self.held[question].verdict == REFUTED:
                self.held[question] = self._shorter(question, self.held[question])
        return AtTable(self.table.players, dict(self.table.options), *(self.held[q] for q in QUESTIONS))

    def _open(self) -> list[str]:
        """The questions that have no answer yet."""
        return [q for q in QUESTIONS if q not in self.held]

    def _sides(self, question: str) -> tuple[Analysis, Analysis]:
        """The side whose games are asked about, and the other."""
        return (self.b, self.a) if question == B_IN_A else (self.a, self.b)

    # ------------------------------------------------------------------ games

    def _play(self, games: int) -> None:
        """Look for games that tell the two apart, by chance."""
        wanted = self._open()
        if not wanted:
            return
        machines = self.a.machine, self.b.machine
        found = chance.part(*machines, self.rewritten, self.settings.seed, games, PLAYED, wanted)
        for question, parted in found.items():
            ours, _ = self._sides(question)
            lines = witness.as_trace(ours.machine, parted.events)
            game = self._told(question, lines, shortest=len(parted.events) <= 1)
            if game is not None:
                self.held[question] = Answer(REFUTED, _detail(game), game)

    def _told(self, question: str, lines: Sequence[Mapping[str, Any]], shortest: bool) -> Game | None:
        """A game as it is told, when replay says of it what it should."""
        ours, theirs = self._sides(question)
        if not witness.replays(ours.machine, lines[0], lines[1:]).accepted:
            return None
        original = self.table.a if theirs is self.a else self.table.b
        refused = self._refused(original, lines)
        if refused is None:
            return None
        clause, message, kind = refused
        if (kind == "pay") is not (question == PAID) or kind in OF_PAYMENTS - {"pay"}:
            return None  # it answers another question
        return Game(tuple(lines), theirs.instance.rule_set.rules, clause, message, shortest)

    def _refused(
        self, theirs: RuleSet, lines: Sequence[Mapping[str, Any]]
    ) -> tuple[str, str, str | None] | None:
        """The clause by which a rule set refuses the last event of a game, and no other, and what it says; and which
        one it is of those that every game has.

        Where it refuses what an earlier hand paid, it is asked again with payments of its own.
        """
        header = {**lines[0], "rules": theirs.rules}
        library = Library(lambda _: theirs)
        machine = library.machine(theirs.rules, self.table.players, self.table.options)
        assert isinstance(machine, Machine)
        for events in (lines[1:], [*witness.completed(machine, lines[1:-1]), lines[-1]]):
            report = witness.replays(library, header, events).report
            assert report is not None
            outcome = report.outcome
            if outcome.event == len(events):
                words = outcome.message if report.refusal is None else reason(report.refusal)
                return outcome.clause or "", words or "", _implied(report.refusal)
        return None

    # ------------------------------------------------------------------ proofs, and games that a solver finds

    def _shorter(self, question: str, held: Answer) -> Answer:
        """The shortest game that answers, as far as a solver can say."""
        game = held.game
        assert game is not None
        deep = self.deep.get(question, 0)
        if not game.shortest and deep < game.events - 1:
            found = self._search(question, game.events - 1, SEARCHED)
            game, deep = found.game or game, found.deep
        if deep >= game.events - 1:
            game = replace(game, shortest=True)
        return Answer(REFUTED, _detail(game), game)

    def _prove(self, question: str, more: Callable[[str], bool]) -> None:
        """Prove it, with more to start from where it takes that."""
        held = self._proof(question)
        try:
            if held.verdict != PROVED and more(question):
                held = self._proof(question)
        except Unsupported:
            pass
        if held.verdict == PROVED:
            self.held[question] = held
        else:
            self.why[question] = held.detail

    def _look(self, question: str, seconds: float) -> None:
        """Let the solver look for a game that nobody came upon by chance."""
        found = self._search(question, DEEPEST, seconds)
        self.deep[question] = max(found.deep, self.deep.get(question, 0))
        if found.game is not None:
            self.held[question] = Answer(REFUTED, _detail(found.game), found.game)

    def _undecided(self, question: str) -> Answer:
        deep, why = self.deep.get(question, 0), self.why.get(question, "not proved")
        if deep:
            return Answer(BOUNDED, f"no game of up to {deep} events; {why}", bound=deep)
        return Answer(UNKNOWN, why)

    def _try_as_invariant(self, question: str, most: int | None = None) -> bool:
        return question != PAID and self.lockstep.try_as_invariant(*self._sides(question), most)

    def _strengthen(self, question: str) -> bool:
        return not self._beyond and self.lockstep.strengthen()

    @property
    def _beyond(self) -> bool:
        """Whether it matters what unknown hands are worth, of which no solver is told."""
        scores = {s.name: s for s in (*self.table.a.scores, *self.table.b.scores)}
        changed = [name for what, name in self.rewritten.parts if what == "score"]
        return any(len(scores[name].params) != 1 for name in changed)

    def _proof(self, question: str) -> Answer:
        if question == PAID:
            return self.lockstep.paid_alike()
        return self.lockstep.all_legal(*self._sides(question))

    def _search(self, question: str, within: int, seconds: float) -> _Searched:
        """A game of up to so many events, or how many events no game has that answers."""
        ours, theirs = self._sides(question)
        told: list[Game] = []

        def accept(events: Sequence[Mapping[str, Any]]) -> bool:
            lines = witness.as_trace(ours.machine, witness.completed(ours.machine, events))
            game = self._told(question, lines, shortest=False)
            if game is not None:
                told.append(game)
            return game is not None

        try:
            found = BoundedSearch(self.lockstep, ours, theirs, seconds).run(question, within, accept)
        except Unsupported:
            return _Searched(None, 0)
        if found.events is None:
            return _Searched(None, found.deep)
        game = told[-1]
        return _Searched(replace(game, shortest=found.deep >= game.events - 1), found.deep)


def _implied(refusal: Refusal | None) -> str | None:
    match refusal:
        case Refusal(condition=Condition(expr=ir.Implicit(kind=kind))):
            return kind
        case _:
            return None


def _detail(game: Game) -> str:
    many = f"a game of {game.events} events" if game.events != 1 else "a game of 1 event"
    return f"{many}, and no shorter one" if game.shortest else many
