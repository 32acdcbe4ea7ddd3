"""Drive an engine through games at every table, and reduce what differs to short games.

Input: a rule set, an engine, how many games.
Output: a `Conformance`: what was compared, and each disagreement with a short game that shows it.
Guarantee: the same call compares the same things, but for an engine that answers differently. Nothing passes that was
not compared: `compared` counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from golpae import exit_codes
from golpae.conform.answer import EngineFault, Failing
from golpae.conform.driven_games import Games
from golpae.conform.engine import Engine
from golpae.conform.referee import LEGAL, Difference, Kind, Referee, Run
from golpae.conform.spoil import judge, spoilt, wrong_endings
from golpae.elaborate.instance import Instance
from golpae.ir.limits import TooManySteps
from golpae.progress import Progress
from golpae.replay.chance import WORDS, Chance
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import written
from golpae.search.shrink import WORK, StillShows, shrink

MOST_KINDS = 20  # disagreements that are told apart
OTHERS = 100  # games that are tried to find a shorter one
MOST_HANGS = 3
MOST_FAULTS = 20
BEGINNING = "when a game begins"
MOST_WAITS = 5  # shorter games with which an engine is let hang again
HANGS = (Kind.FAULT, Failing.HANGS)
UNASKED = (Kind.FAULT, Failing.UNASKED)


@dataclass(frozen=True, slots=True)
class DriveSettings:
    """How many games of each table are played, of how many hands, with how many illegal events before each event.

    Raises ValueError if a number is below what makes sense.
    """

    games: int = 100
    hands: int = 1
    illegal: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        if self.games < 1 or self.hands < 1 or self.illegal < 0 or not 0 <= self.seed < WORDS:
            raise ValueError("there is at least one game of one hand, and a seed has 64 bits")


@dataclass(frozen=True, slots=True)
class EngineDisagreement:
    """A difference between the engine and the rules, with the shortest game that was found to show it.

    `games` counts those that ran into it, but none that could not begin. `lines` is the game as a trace, whose last
    event shows the difference; `refused` are the events that the engine refused on the way, as it should, if it needs
    these to go wrong.
    """

    difference: Difference
    table: tuple[int, Mapping[str, int]]
    games: int
    lines: tuple[Mapping[str, Any], ...]
    refused: tuple[Mapping[str, Any], ...] = ()


@dataclass(slots=True)
class TableRun:
    """What came of one table: how many games were played, and why no more, if it was given up.

    `refused` if the engine does not play at it; `why` are then its own words, if it has some.
    """

    players: int
    options: Mapping[str, int]
    games: int = 0
    refused: bool = False
    why: str | None = None


@dataclass(slots=True)
class Conformance:
    """What came of driving an engine."""

    rules: str
    seed: int
    tables: list[TableRun] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    disagreements: list[EngineDisagreement] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games were played at all tables."""
        return sum(table.games for table in self.tables)

    @property
    def agrees(self) -> bool:
        """Whether something was compared, and nothing differs."""
        return self.status == exit_codes.HOLDS

    @property
    def status(self) -> int:
        """The exit status: 0 agrees, 1 does not, 3 nothing was compared."""
        if self.disagreements:
            return exit_codes.FAILS
        return exit_codes.HOLDS if self.compared[LEGAL] else exit_codes.UNKNOWN


def drive(
    instances: Sequence[Instance], engine: Engine, settings: DriveSettings, progress: Progress | None = None
) -> Conformance:
    """Drive an engine through games at these tables, which are of one rule set. One at which the engine fails again and
    again is given up, and the next one is tried.
    """
    out = Conformance(instances[0].rule_set.rules, settings.seed)
    progress = progress or Progress("playing")
    progress.begin("playing", settings.games * len(instances), "games")
    for instance in instances:
        _Drive(instance, engine, settings, out, progress).run()
    return out


def try_out(instances: Sequence[Instance], engine: Engine) -> None:
    """Let an engine begin a game, to see whether it answers at all, at one of these tables. Raises the `EngineFault` of
    the first, if it answers at none.
    """
    first: EngineFault | None = None
    for instance in instances:
        try:
            Referee(Machine(instance), engine).begin()
            return
        except EngineFault as fault:
            first = first or fault
    if first is not None:
        raise first


class _Drive:
    """One table."""

    def __init__(
        self,
        instance: Instance,
        engine: Engine,
        settings: DriveSettings,
        out: Conformance,
        progress: Progress,
    ) -> None:
        self.machine, self.settings, self.out, self.progress = Machine(instance), settings, out, progress
        self.table = TableRun(instance.players, dict(instance.options) if instance.rule_set.options else {})
        self.referee = Referee(self.machine, engine)
        self.games = Games(self.machine, settings.seed, settings.hands)
        self.found: dict[tuple[Kind, str], tuple[list[Event], Difference]] = {}
        self.seen: Counter[tuple[Kind, str]] = Counter()

    def run(self) -> None:
        """Play the games of the table, and add what differs to the result."""
        table, games = self.table, self.settings.games
        self.out.tables.append(table)
        try:
            answer = self.referee.begin()
            table.refused, table.why = not answer.takes, answer.why
        except EngineFault as fault:
            difference = Difference(Kind.FAULT, f"{fault.how} {BEGINNING}", None, fault.words)
            self._add(
                EngineDisagreement(difference, (table.players, table.options), 0, (self.referee.header_line,))
            )
            table.why = f"given up: the engine fails {BEGINNING}"
        if not table.refused and table.why is None:
            self._play()
        self.progress.done += games - table.games
        self.out.compared += self.referee.compared
        for key, (script, difference) in self.found.items():
            self._add(self._shrunk(key, script, difference))

    def _play(self) -> None:
        """Play games until all are played, or there is no hope."""
        table, games, script = self.table, self.settings.games, list[Event]()
        for number in range(games):
            script = self._script(self.games.game(number), number)
            run = self._run(script)
            table.games += 1
            self.progress.done += 1
            if run.difference is not None:
                self._note(run.difference, script[: run.length])
            faults = self._faults_if_hopeless()
            if faults and table.games < games:
                left = games - table.games
                table.why = f"given up after {faults} games in which the engine failed, {left:,} not played"
                return
        fault = self._unasked()
        if fault is not None:
            self._note(fault, script)

    def _run(self, script: Sequence[Event]) -> Run:
        """Play a game. What differs for the first time is the fault of a line too many, if there is one."""
        run = self.referee.run(script)
        if run.difference is None or run.difference.kind is Kind.FAULT or run.difference.key in self.found:
            return run
        return run._replace(difference=self._unasked() or run.difference)

    def _unasked(self) -> Difference | None:
        """Return the fault of an engine that has said more than it was asked."""
        try:
            self.referee.engine.settle()
        except EngineFault as fault:
            return Difference(Kind.FAULT, fault.how, None, fault.words)
        return None

    def _add(self, engine_disagreement: EngineDisagreement) -> None:
        """Add a disagreement to the result, once for all tables: that with the shortest game stands for it."""
        alike = [d.difference.key == engine_disagreement.difference.key for d in self.out.disagreements]
        if True not in alike:
            self.out.disagreements.append(engine_disagreement)
            return
        place = alike.index(True)
        before = self.out.disagreements[place]
        shorter = min(before, engine_disagreement, key=lambda one: len(one.lines))
        self.out.disagreements[place] = replace(shorter, games=before.games + engine_disagreement.games)

    def _note(self, difference: Difference, script: list[Event]) -> None:
        key = difference.key
        self.seen[key] += 1
        if key in self.found:
            self.found[key] = min(self.found[key], (script, difference), key=lambda result: len(result[0]))
        elif len(self.found) < MOST_KINDS:
            self.found[key] = script, difference

    def _faults_if_hopeless(self) -> int:
        """Return in how many games the engine has failed, if it makes no sense to go on."""
        hangs = self.seen[Kind.FAULT, Failing.HANGS]
        faults = sum(many for (kind, _), many in self.seen.items() if kind is Kind.FAULT)
        return faults if hangs >= MOST_HANGS or faults >= MOST_FAULTS else 0

    def _script(self, game: Sequence[Event], number: int, alike: Event | None = None) -> list[Event]:
        """Return a game with illegal events before its events; these are made from `alike`, if it is given. Wrong ends
        are before each end, and one comes too early. The match finishes if it can.
        """
        machine, state = self.machine, self.machine.new_state()
        chance = Chance(self.settings.seed ^ 1 << 63, number)
        script: list[Event] = []
        for at, event in enumerate(game):
            if at:
                here = self._legal_here(state) if alike is None else [alike]
                for _ in range(self.settings.illegal):
                    pool = here if here and (alike or chance.below(3)) else game[:at]
                    wrong = spoilt(machine, state, pool, chance)
                    script += [] if wrong is None else [wrong]
                if self.settings.illegal:
                    early = [game[-1]] if at == 1 + number % len(game) else []
                    script += self._wrong_endings(state, event, number, early)
            script.append(event)
            machine.apply(event.action, state, event.args)
        for event in self._finishes(state)[:1]:
            script += self._wrong_endings(state, event, number) if self.settings.illegal else []
            script.append(event)
        return script

    def _finishes(self, state: State) -> list[Event]:
        """Return the legal ends of the match."""
        try:
            return [e for e in self.referee.legal.closings(state) if self._is_end(e, "finish")]
        except TooManySteps:
            return []

    def _is_end(self, event: Event, *kinds: str) -> bool:
        return self.machine.actions[event.action].kind in kinds

    def _wrong_endings(
        self, state: State, event: Event, number: int, early: Sequence[Event] = ()
    ) -> list[Event]:
        """Return wrong ends instead of an event, if it is one, and those of `early` that are ends and not legal. Each
        game begins with another one, for an engine that takes one of them is asked no more in this game.
        """
        wrong = wrong_endings(self.machine, state, event) if self._is_end(event, "end", "finish") else []
        first = number % len(wrong) if wrong else 0
        wrong = [*wrong[first:], *wrong[:first]]
        for one in early:
            judged = judge(self.machine, self.machine.copy(state), one)
            if self._is_end(one, "end") and judged is not None and not judged.legal:
                wrong.append(one)
        return wrong

    def _legal_here(self, state: State) -> list[Event]:
        try:
            return self.referee.legal.in_play(state)
        except TooManySteps:
            return []

    # ------------------------------------------------------------------ short games

    def _shrunk(
        self, key: tuple[Kind, str], script: list[Event], difference: Difference
    ) -> EngineDisagreement:
        """Return a disagreement with a short game."""
        counted = self.referee.compared
        self.referee.compared = Counter()  # these games are not part of the result

        def still_shows(events: Sequence[Event]) -> list[Event] | None:
            length, disagreement = self._shows(key, events)
            return None if disagreement is None else list(events[:length])

        legal = self._are_legal(script[:-1])
        plain = [event for event, is_legal in zip(script, legal, strict=False) if is_legal] + script[-1:]
        best = (still_shows(plain) if plain != script else None) or script
        if key == HANGS:
            best = shrink(self.machine, best, _at_most(MOST_WAITS, still_shows), WORK // 40)
        elif key != UNASKED:  # of which each try would wait
            best = shrink(self.machine, best, still_shows, WORK // 4)
            for number in range(OTHERS):
                if len(best) <= 2:
                    break
                game = self.games.by_chance(number, len(best) - 1)
                tried = self._script(game, number, best[-1]) if key[0] is Kind.TAKES else game
                shorter = still_shows(tried)
                if shorter is not None:
                    shorter = shrink(self.machine, shorter, still_shows, WORK // 20)
                    best = min(best, shorter, key=len)
        _, shown = self._shows(key, best)
        if shown is None:  # the engine does not answer the same each time
            words = "differs in one game and not in the same game again"
            if key[0] is Kind.FAULT:
                words = f"{difference.by_engine}; but not in the same game again"
            shown, best = Difference(key[0], key[1], None, words), plain
        difference = shown
        self.referee.compared = counted
        lines, refused = self._lines(best)
        return EngineDisagreement(
            difference, (self.table.players, self.table.options), self.seen[key], lines, refused
        )

    def _shows(self, key: tuple[Kind, str], events: Sequence[Event]) -> Run:
        """Play events, and keep the difference if it is of this kind."""
        run = self.referee.run(events)
        difference = run.difference
        if key == UNASKED and (difference is None or difference.kind is not Kind.FAULT):
            difference = self._unasked()
        return Run(run.length, difference if difference is not None and difference.key == key else None)

    def _are_legal(self, script: Sequence[Event]) -> list[bool]:
        """Return which events of a script are legal where they come."""
        state = self.machine.new_state()
        verdicts = [judge(self.machine, state, event) for event in script]
        return [judged is not None and judged.legal for judged in verdicts]

    def _lines(
        self, script: Sequence[Event]
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
        """Return the trace of a script: its legal events and its last one; and the others."""
        lines: list[Mapping[str, Any]] = [self.referee.header_line]
        others: list[Mapping[str, Any]] = []
        for event, is_legal in zip(script[:-1], self._are_legal(script[:-1]), strict=True):
            (lines if is_legal else others).append(written(self.machine, event))
        lines += [written(self.machine, event) for event in script[-1:]]
        return tuple(lines), tuple(others)


def _at_most(times: int, still_shows: StillShows) -> StillShows:
    """Return the test limited to so many passes: after them it fails without a try."""
    left = times

    def tried(events: Sequence[Event]) -> list[Event] | None:
        nonlocal left
        shown = still_shows(events) if left else None
        left -= shown is not None
        return shown

    return tried
