"""What one rule set allows that another does not, table by table.

In: two rule sets, A and B, and what it may cost. Out: `Meaning`, with a proof or a game for each answer; or why the
two cannot be held against each other. A game is told only when replay has accepted it under the one rule set and
refused it, at its last event, under the other.

What is written alike needs no solver. Otherwise games are played at random in search of one that tells the two apart,
then a solver looks for a shorter one, or for a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.compare import chance
from golpae.compare.frame import Rewritten, aligned, why_apart
from golpae.compare.lockstep import Lockstep
from golpae.compare.meaning import (
    BOUNDED,
    PAID,
    PROVED,
    QUESTIONS,
    REFUTED,
    UNKNOWN,
    WITHOUT,
    AtTable,
    Game,
    Held,
)
from golpae.compare.shortest import Shortest
from golpae.decide import witness
from golpae.decide.decide import Desk
from golpae.decide.settings import Settings
from golpae.elaborate.instance import instance
from golpae.ir.ruleset import RuleSet
from golpae.prove.algebra import Unsupported
from golpae.replay.library import Library
from golpae.replay.machine import Machine

PLAYED = 20.0  # seconds of games at random
SEARCHED = 20.0  # seconds of a search for a shorter game, or for one at all
DEEPEST = 10  # events of a game that is searched for where none is known


@dataclass(frozen=True, slots=True)
class Table:
    """Two rule sets at one table."""

    a: RuleSet
    b: RuleSet
    players: int
    options: Mapping[str, int]


def at_table(table: Table, settings: Settings) -> AtTable:
    """All that can be said of one table. The rule sets must have nothing that keeps them apart (`why_apart`)."""
    return _Comparison(table, settings).run()


class _Comparison:
    def __init__(self, table: Table, settings: Settings) -> None:
        assert why_apart(table.a, table.b) is None
        self.table = table
        self.settings = settings
        b = aligned(table.a, table.b)
        self.rewritten = Rewritten(table.a, b)
        self.a = Desk(instance(table.a, table.players, table.options), settings, "a ", b)
        self.b = Desk(instance(b, table.players, table.options), settings, "b ", table.a)
        self.lockstep = Lockstep(self.a, self.b, self.rewritten)
        self.held: dict[str, Held] = {}

    def run(self) -> AtTable:
        at_sight = self.lockstep.at_sight()
        self.held = {q: h for q, h in at_sight.items() if h.verdict == PROVED}
        self._play()
        for question in QUESTIONS:
            if question not in self.held:
                self.held[question] = self._decide(question)
            elif self.held[question].verdict == REFUTED:
                self.held[question] = self._shorter(question, self.held[question])
        return AtTable(self.table.players, dict(self.table.options), *(self.held[q] for q in QUESTIONS))

    def _sides(self, question: str) -> tuple[Desk, Desk]:
        """The side whose games are asked about, and the other."""
        return (self.b, self.a) if question == WITHOUT else (self.a, self.b)

    # ------------------------------------------------------------------ games

    def _play(self) -> None:
        """Look for games that tell the two apart, by chance."""
        wanted = [q for q in QUESTIONS if q not in self.held]
        if not wanted:
            return
        settings = self.settings
        found = chance.part(self.a.machine, self.b.machine, settings.seed, settings.games, PLAYED, wanted)
        for question, parted in found.items():
            ours, _ = self._sides(question)
            lines = witness.as_trace(ours.machine, parted.events)
            game = self._told(question, lines, shortest=len(parted.events) <= 1)
            if game is not None:
                self.held[question] = Held(REFUTED, _story(game), game)

    def _told(self, question: str, lines: Sequence[Mapping[str, Any]], shortest: bool) -> Game | None:
        """A game as it is told, when replay says of it what it should."""
        ours, theirs = self._sides(question)
        if not witness.replays(ours.machine, lines[0], lines[1:]).accepted:
            return None
        original = self.table.a if theirs is self.a else self.table.b
        refused = self._refused(original, lines)
        if refused is None:
            return None
        clause, message = refused
        return Game(tuple(lines), theirs.table.rule_set.rules, clause, message, shortest)

    def _refused(self, theirs: RuleSet, lines: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
        """The clause by which a rule set refuses the last event of a game, and no other, and what it says.

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
                return outcome.clause or "", outcome.message or ""
        return None

    # ------------------------------------------------------------------ proofs, and games that a solver finds

    def _shorter(self, question: str, held: Held) -> Held:
        """The shortest game that answers, as far as a solver can say."""
        game = held.game
        assert game is not None
        if game.shortest:
            return held
        found = self._search(question, game.events - 1)
        if isinstance(found, Game):
            return Held(REFUTED, _story(found), found)
        if found >= game.events - 1:
            best = Game(game.lines, game.refused_by, game.clause, game.message, True)
            return Held(REFUTED, _story(best), best)
        return held

    def _decide(self, question: str) -> Held:
        """A proof, or a game that nobody came upon by chance."""
        held = self._prove(question)
        if held.verdict == PROVED:
            return held
        try:
            if self.lockstep.strengthen():
                stronger = self._prove(question)
                if stronger.verdict == PROVED:
                    return stronger
        except Unsupported:
            pass
        found = self._search(question, DEEPEST)
        if isinstance(found, Game):
            return Held(REFUTED, _story(found), found)
        if found:
            return Held(BOUNDED, f"no game of up to {found} events; {held.story}", bound=found)
        return Held(UNKNOWN, held.story)

    def _prove(self, question: str) -> Held:
        if question == PAID:
            return self.lockstep.paid_alike()
        return self.lockstep.all_legal(*self._sides(question))

    def _search(self, question: str, within: int) -> Game | int:
        """A game of up to so many events, or how many events no game has that answers."""
        ours, theirs = self._sides(question)
        told: list[Game] = []

        def accept(events: Sequence[Mapping[str, Any]]) -> bool:
            lines = witness.as_trace(ours.machine, witness.completed(ours.machine, events))
            game = self._told(question, lines, shortest=True)
            if game is not None:
                told.append(game)
            return game is not None

        try:
            found = Shortest(self.lockstep, ours, theirs, SEARCHED).run(question, within, accept)
        except Unsupported:
            return 0
        return told[0] if found.events is not None else found.deep


def _story(game: Game) -> str:
    many = f"a game of {game.events} events" if game.events != 1 else "a game of 1 event"
    return f"{many}, and no shorter one" if game.shortest else many
